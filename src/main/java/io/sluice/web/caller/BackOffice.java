package io.sluice.web.caller;

import io.sluice.config.AuthConfig;
import io.sluice.web.Guard;
import io.sluice.web.GuardedCall;
import io.sluice.web.problem.Problem;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Admits the back office on the public port: the shop's own programs, which confirm, refund, and
 * see every order.
 */
public final class BackOffice implements Guard {
  private static final String NAME = "the back office";

  private final TrustedCallers callers;

  /**
   * @param host that the public port listens on
   */
  public BackOffice(AuthConfig auth, String host) {
    List<String> tokens = auth.serviceTokens();
    this.callers =
        new TrustedCallers(
            new TrustedCallers.Port(
                NAME, "auth.service_token", "http.host", host, auth.userHeader()),
            tokens.isEmpty() ? Map.of() : Map.of(NAME, tokens));
  }

  boolean admits(HttpServerRequest request) {
    return callers.name(request) != null;
  }

  @Override
  public @Nullable Problem refusal(GuardedCall call) {
    HttpServerRequest request = call.request();
    return admits(request) ? null : callers.refusal(request);
  }
}
