package io.sluice.http;

import io.sluice.admission.AdmissionLimits;
import io.sluice.admission.AdmissionLimits.Excess;
import io.sluice.admission.AdmissionLimits.OrderVerdict;
import io.sluice.auth.JwtVerifier.SignatureCredit;
import io.sluice.model.ProblemType;
import io.sluice.web.Exchange;
import io.sluice.web.Exchange.Guard;
import io.sluice.web.Problem;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Applies {@link AdmissionLimits} to the calls of the public port, and answers 429 with the fields
 * of draft-ietf-httpapi-ratelimit-headers-11. Used by one event loop.
 */
public record CallLimits(AdmissionLimits limits) {
  private static final CharSequence FORWARDED_FOR = HttpHeaders.createOptimized("x-forwarded-for");
  private static final CharSequence POLICY = HttpHeaders.createOptimized("ratelimit-policy");
  private static final CharSequence STATE = HttpHeaders.createOptimized("ratelimit");

  /**
   * Limits the calls that this guard admits, by address and by the rate of the instance.
   *
   * @param exempt calls without a limit
   */
  Guard limited(Guard identity, Predicate<Exchange> exempt) {
    return limits.limitsCalls()
        ? call -> exempt.test(call) ? identity.refusal(call) : refusal(call, identity, null)
        : identity;
  }

  Guard limited(Guard identity) {
    return limited(identity, call -> false);
  }

  /**
   * The same for calls that place orders, which banned buyers may not.
   *
   * @param buyer the buyer of a call that this guard admits
   */
  Guard placing(Guard identity, Function<Exchange, String> buyer) {
    return call -> refusal(call, identity, buyer);
  }

  /**
   * Counts a request for an order, once for its buyer, and answers it if it is over a limit.
   * Whatever a 503 is for, it takes this count back.
   *
   * @param skuIds at least one
   * @return whether it may be placed
   */
  boolean admits(Exchange exchange, String buyer, long[] skuIds, @Nullable String requestKey) {
    OrderVerdict verdict = limits.ofOrder(buyer, skuIds, requestKey);
    if (verdict instanceof OrderVerdict.Over over) {
      exchange.answer(problem(over.excess(), exchange.request().response()));
      return false;
    }
    if (verdict instanceof OrderVerdict.Counted counted) {
      exchange.undoneBy503(() -> limits.withdraw(counted));
    }
    return true;
  }

  /**
   * The credit of the sender of a token for wrong signatures.
   *
   * @param buyer whom a gateway names; null if the token says who the buyer is
   */
  SignatureCredit credit(HttpServerRequest request, @Nullable String buyer) {
    return new SenderCredit(request, buyer);
  }

  /** The senders of tokens that say who the buyer is. */
  public Function<HttpServerRequest, SignatureCredit> senders() {
    return request -> credit(request, null);
  }

  /** Looks at the address only when a signature is to be verified. */
  private final class SenderCredit implements SignatureCredit {
    private final HttpServerRequest request;
    private final @Nullable String buyer;
    private @Nullable Excess excess;

    SenderCredit(HttpServerRequest request, @Nullable String buyer) {
      this.request = request;
      this.buyer = buyer;
    }

    @Override
    public boolean isSpent() {
      excess = limits.ofSignature(buyer, address(request));
      return excess != null;
    }

    @Override
    public void spend() {
      limits.wrongSignature(buyer, address(request));
    }

    @Override
    public Problem refusal() {
      return problem(Objects.requireNonNull(excess), request.response());
    }
  }

  private String address(HttpServerRequest request) {
    return limits.address(
        request.connection().remoteAddress().hostAddress(),
        request.headers().getAll(FORWARDED_FOR));
  }

  private static Problem problem(Excess excess, HttpServerResponse response) {
    String policy = '"' + excess.limit().policy() + '"';
    response.headers().set(POLICY, policy + ";q=" + excess.quota() + ";w=" + excess.windowS());
    response.headers().set(STATE, policy + ";r=0;t=" + excess.retryAfterS());
    return Problem.retry(ProblemType.TOO_MANY_REQUESTS, detail(excess), excess.retryAfterS());
  }

  private static String detail(Excess excess) {
    int quota = excess.quota();
    return switch (excess.limit()) {
      case BLACKLIST ->
          "Expected a buyer who stays within the limits, but this one is banned for some time";
      case INSTANCE ->
          "Expected at most " + quota + " calls a second at this instance, but there are more";
      case SKU -> "Expected at most " + quota + " orders a second of this SKU, but there are more";
      case BUYER -> "Expected at most " + quota + " orders a minute of one buyer, but got another";
      case ADDRESS ->
          "Expected at most " + quota + " calls a minute from one address, but got another";
      case SIGNATURE ->
          "Expected at most "
              + quota
              + " wrong signatures a minute of one sender, but there were as many";
    };
  }

  /**
   * The address first: an unknown caller counts for it as well, since it costs time to find out.
   * Only known callers count for the instance. A 503 takes back the count of its own call and no
   * other.
   */
  private @Nullable Problem refusal(
      Exchange call, Guard identity, @Nullable Function<Exchange, String> buyer) {
    Excess excess = limits.countsAddresses() ? ofAddress(call) : null;
    if (excess == null) {
      Problem unknown = identity.refusal(call);
      if (unknown != null) {
        return unknown;
      }
      excess = buyer != null && limits.bansAnybody() ? limits.ofBuyer(buyer.apply(call)) : null;
    }
    if (excess == null) {
      excess = limits.ofInstance();
    }
    return excess == null ? null : problem(excess, call.request().response());
  }

  private @Nullable Excess ofAddress(Exchange call) {
    String address = address(call.request());
    long counted = limits.count(address);
    if (counted > 0) {
      call.undoneBy503(() -> limits.withdrawCall(address, counted));
    }
    return limits.ofAddress(counted);
  }
}
