package io.sluice.web.caller;

import io.sluice.config.AuthConfig;
import io.sluice.jwt.ClaimRule;
import io.sluice.jwt.Claims;
import io.sluice.jwt.JwtFault;
import io.sluice.jwt.JwtVerifier;
import io.sluice.jwt.Verdict;
import io.sluice.web.GuardedCall;
import io.sluice.web.problem.Problem;
import io.sluice.web.problem.ProblemType;
import io.vertx.core.http.HttpServerRequest;
import java.util.EnumMap;
import java.util.Map;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;

/** Identifies the buyer by a signed token that the call carries; no header names a buyer then. */
final class JwtIdentity implements Identity {
  private static final String EXPECTED = "Expected a token with ";
  private static final Problem MISSING =
      Problem.of(
          ProblemType.UNAUTHORIZED,
          "Expected the buyer's token as one Authorization: Bearer, but there is none");

  private final JwtVerifier verifier;
  private final TokenSenders senders;
  private final ClaimRule rule;
  private final Map<JwtFault, Problem> problems = new EnumMap<>(JwtFault.class);

  /**
   * The buyers of admitted calls that are not answered yet: a token is verified once for a call.
   * Weak, because a call whose connection is lost may never be answered.
   */
  private final Map<HttpServerRequest, String> buyers = new WeakHashMap<>();

  JwtIdentity(AuthConfig config, JwtVerifier verifier, TokenSenders senders) {
    this.verifier = verifier;
    this.senders = senders;
    this.rule = ClaimRule.buyer(config);
    for (JwtFault fault : JwtFault.values()) {
      problems.put(
          fault,
          fault == JwtFault.BUSY
              ? Problem.retry(ProblemType.BUSY, EXPECTED + fault.detail(), 1)
              : Problem.of(ProblemType.UNAUTHORIZED, EXPECTED + fault.detail()));
    }
  }

  @Override
  public @Nullable Problem refusal(GuardedCall call) {
    HttpServerRequest request = call.request();
    String token = BearerToken.of(request);
    if (token == null) {
      return MISSING;
    }
    TokenSenders.Credit credit = senders.of(request);
    Verdict verdict = verifier.verify(token, rule, credit);
    if (verdict instanceof Verdict.Invalid invalid) {
      return invalid.fault() == JwtFault.SENDER ? credit.refusal() : problems.get(invalid.fault());
    }
    buyers.put(request, user(((Verdict.Valid) verdict).claims()));
    return null;
  }

  private static String user(Claims claims) {
    String user = claims.user();
    if (user == null) {
      throw new IllegalStateException("Expected a token with a user, but the rule let another by");
    }
    return user;
  }

  @Override
  public String buyer(HttpServerRequest request) {
    String buyer = buyers.get(request);
    if (buyer == null) {
      throw new IllegalStateException("Expected a call that was admitted, but it was not");
    }
    return buyer;
  }

  @Override
  public void answered(GuardedCall call, int status) {
    buyers.remove(call.request());
  }
}
