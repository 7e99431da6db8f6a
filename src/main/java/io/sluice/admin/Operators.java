package io.sluice.admin;

import io.sluice.config.AdminConfig;
import io.sluice.config.OperatorToken;
import io.sluice.config.OperatorToken.Role;
import io.sluice.ledger.ArchiveRequests.Forgotten;
import io.sluice.web.Guard;
import io.sluice.web.GuardedCall;
import io.sluice.web.caller.TrustedCallers;
import io.sluice.web.problem.Problem;
import io.sluice.web.problem.ProblemType;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides who may use the management port, and for what. Their changes are logged in {@link
 * OperatorLog}.
 */
final class Operators implements Guard {
  private static final Problem READERS_ONLY_LOOK =
      Problem.of(
          ProblemType.FORBIDDEN,
          "Expected a call by an operator, but the role of this token is reader: it may read (GET, HEAD) but not change anything");

  private final TrustedCallers callers;
  private final Set<String> readers = new HashSet<>();
  private final OperatorLog log;

  /**
   * @param userHeader the header with which a gateway marks buyers' calls
   */
  Operators(AdminConfig config, String userHeader, OperatorLog log) {
    Map<String, List<String>> tokens = new LinkedHashMap<>();
    for (OperatorToken operator : config.operators()) {
      tokens.put(operator.name(), operator.tokens());
      if (operator.role() == Role.READER) {
        readers.add(operator.name());
      }
    }
    this.callers =
        new TrustedCallers(
            new TrustedCallers.Port(
                "an operator",
                "admin.token or admin.tokens",
                "admin.host",
                config.host(),
                userHeader),
            tokens);
    this.log = log;
  }

  @Override
  public @Nullable Problem refusal(GuardedCall call) {
    HttpServerRequest request = call.request();
    String name = callers.name(request);
    if (name == null) {
      return callers.refusal(request);
    }
    return isChange(request) && readers.contains(name) ? READERS_ONLY_LOOK : null;
  }

  /** Whether the caller is admitted to changes, not to reads alone. */
  boolean mayChange(HttpServerRequest request) {
    String name = callers.name(request);
    return name != null && !readers.contains(name);
  }

  /** The name of the operator whose call was admitted. */
  String name(HttpServerRequest request) {
    return Objects.requireNonNullElse(callers.name(request), TrustedCallers.LOOPBACK);
  }

  /** Logs each change that a known operator has requested, also a refused one. */
  @Override
  public void answered(GuardedCall call, int status) {
    HttpServerRequest request = call.request();
    String name = isChange(request) ? callers.name(request) : null;
    if (name != null) {
      log.changed(name, request.method().name(), OperatorLog.pathOf(request.path()), status);
    }
  }

  /** Logs how far a buyer is forgotten, under the pseudonym alone. */
  void forgot(HttpServerRequest request, Forgotten now) {
    log.forgot(name(request), now);
  }

  private static boolean isChange(HttpServerRequest request) {
    return !HttpMethod.GET.equals(request.method()) && !HttpMethod.HEAD.equals(request.method());
  }
}
