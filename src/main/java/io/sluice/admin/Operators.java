package io.sluice.admin;

import io.sluice.auth.TrustedCallers;
import io.sluice.config.AdminConfig;
import io.sluice.config.OperatorToken;
import io.sluice.config.OperatorToken.Role;
import io.sluice.ledger.SkuLedger.Forgotten;
import io.sluice.model.ProblemType;
import io.sluice.web.Exchange;
import io.sluice.web.Exchange.Guard;
import io.sluice.web.Problem;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Decides who may use the management port, and for what. Their changes are logged in {@link
 * OperatorLog}.
 */
final class Operators implements Guard {
  private static final int WRONG_MAX = 10;
  private static final int WRONG_WINDOW_S = 60;

  /** Further addresses share one count. */
  private static final int WRONG_ADDRESSES_MAX = 1_000;

  private static final String OTHERS = "others";
  private static final Problem TOO_MANY_WRONG =
      Problem.retry(
          ProblemType.TOO_MANY_REQUESTS,
          "Expected at most %d wrong tokens a minute from one address, but got another"
              .formatted(WRONG_MAX),
          WRONG_WINDOW_S);

  private final TrustedCallers callers;
  private final Map<String, Role> roles = new HashMap<>();
  private final OperatorLog log;

  /** Wrong tokens by address, within the current minute. */
  private final Map<String, Integer> wrong = new HashMap<>();

  private long wrongSinceNanos = System.nanoTime();

  /**
   * @param userHeader the header with which a gateway marks buyers' calls
   */
  Operators(AdminConfig config, String userHeader, OperatorLog log) {
    Map<String, List<String>> tokens = new LinkedHashMap<>();
    for (OperatorToken operator : config.operators()) {
      tokens.put(operator.name(), operator.tokens());
      roles.put(operator.name(), operator.role());
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

  /** Admits readers to reads, and operators to changes. */
  @Override
  public @Nullable Problem refusal(Exchange call) {
    return refusal(call, Role.READER);
  }

  /** The same for calls whose reads take another role. */
  Guard reading(Role least) {
    return new Guard() {
      @Override
      public @Nullable Problem refusal(Exchange call) {
        return Operators.this.refusal(call, least);
      }

      @Override
      public void answered(Exchange call, int status) {
        Operators.this.answered(call, status);
      }
    };
  }

  private @Nullable Problem refusal(Exchange call, Role toRead) {
    HttpServerRequest request = call.request();
    String name = callers.name(request);
    if (name == null) {
      return unknown(call);
    }
    Role needed = isChange(request) ? Role.OPERATOR : toRead;
    Role role = role(name);
    return role.compareTo(needed) >= 0
        ? null
        : Problem.of(
            ProblemType.FORBIDDEN,
            "Expected a token whose role allows the call, but the role of this token is %s"
                .formatted(AdminCall.wordOf(role)));
  }

  /**
   * A wrong token is noted; of a caller that sends one after another, only so many are. A right
   * token is never counted or refused: behind a proxy others have the same address, and a caller
   * who guesses must not lock operators out.
   */
  private Problem unknown(Exchange call) {
    HttpServerRequest request = call.request();
    if (!request.headers().contains(HttpHeaders.AUTHORIZATION)) {
      return callers.refusal(request);
    }
    String address = request.connection().remoteAddress().hostAddress();
    int sent = countWrong(address);
    if (sent <= WRONG_MAX) {
      log.refused(address, call.call(), sent == WRONG_MAX);
      return callers.refusal(request);
    }
    return TOO_MANY_WRONG;
  }

  /** Counts another one; returns how many there are. */
  private int countWrong(String address) {
    long now = System.nanoTime();
    if (now - wrongSinceNanos >= TimeUnit.SECONDS.toNanos(WRONG_WINDOW_S)) {
      wrong.clear();
      wrongSinceNanos = now;
    }
    boolean isOwn = wrong.containsKey(address) || wrong.size() < WRONG_ADDRESSES_MAX;
    return wrong.merge(isOwn ? address : OTHERS, 1, Integer::sum);
  }

  private Role role(String name) {
    return roles.getOrDefault(name, Role.OPERATOR);
  }

  /** The role, in a word, of an operator whose call was admitted. */
  String role(HttpServerRequest request) {
    return AdminCall.wordOf(role(name(request)));
  }

  /** The name of the operator whose call was admitted. */
  String name(HttpServerRequest request) {
    return Objects.requireNonNullElse(callers.name(request), TrustedCallers.LOOPBACK);
  }

  /** Logs each change that a known operator has requested, also a refused one. */
  @Override
  public void answered(Exchange call, int status) {
    String name = isChange(call.request()) ? callers.name(call.request()) : null;
    if (name != null) {
      log.changed(name, call, status);
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
