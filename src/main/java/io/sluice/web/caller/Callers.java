package io.sluice.web.caller;

import io.sluice.config.AuthConfig;
import io.sluice.jwt.JwtVerifier;
import io.sluice.model.Order;
import io.sluice.web.Guard;
import io.sluice.web.GuardedCall;
import io.sluice.web.problem.Problem;
import io.sluice.web.problem.ProblemType;
import io.vertx.core.http.HttpServerRequest;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Identifies the callers of the public port: a buyer, or the back office. Used by one event loop.
 */
public final class Callers {
  private final Identity identity;
  private final BackOffice backOffice;

  /**
   * @param host that the public port listens on
   * @param verifier of tokens; null if no key is configured
   * @param senders of tokens, if buyers carry them
   */
  public Callers(
      AuthConfig config, String host, @Nullable JwtVerifier verifier, TokenSenders senders) {
    this.identity =
        config.isJwt()
            ? new JwtIdentity(config, Objects.requireNonNull(verifier), senders)
            : new HeaderIdentity(config);
    this.backOffice = new BackOffice(config, host);
  }

  public Guard backOffice() {
    return backOffice;
  }

  /** Admits calls with a buyer's identity; {@link #buyer} then reads it. */
  public Guard buyers() {
    return identity;
  }

  /**
   * Admits buyers and the back office, whose token is looked at first: if both travel as a bearer
   * token, it is no buyer's.
   */
  public Guard buyersAndBackOffice() {
    return new Guard() {
      @Override
      public @Nullable Problem refusal(GuardedCall call) {
        return refusalOfBoth(call);
      }

      @Override
      public void answered(GuardedCall call, int status) {
        identity.answered(call, status);
      }
    };
  }

  private @Nullable Problem refusalOfBoth(GuardedCall call) {
    Problem noOffice = backOffice.refusal(call);
    Problem noBuyer = noOffice == null ? null : identity.refusal(call);
    if (noBuyer == null || noOffice == null) {
      return null;
    }
    return noBuyer.type() == ProblemType.UNAUTHORIZED
        ? Problem.of(ProblemType.UNAUTHORIZED, noBuyer.detail() + ". Or: " + noOffice.detail())
        : noBuyer;
  }

  /** The buyer's id. The call must have been admitted by {@link #buyers}. */
  public String buyer(HttpServerRequest request) {
    return identity.buyer(request);
  }

  /** Whether a call that was admitted is the back office's. */
  public boolean isBackOffice(HttpServerRequest request) {
    return backOffice.admits(request);
  }

  /**
   * Who acts on an order.
   *
   * @param buyer null for the back office, which may see and change all orders
   */
  public record Actor(@Nullable String buyer) {

    public boolean isBackOffice() {
      return buyer == null;
    }

    /** Whether the actor may see and change this order. */
    public boolean mayAct(Order order) {
      return buyer == null || order.userId().equals(buyer);
    }
  }

  /** The actor of a call that {@link #buyersAndBackOffice} has admitted. */
  public Actor actor(HttpServerRequest request) {
    return new Actor(isBackOffice(request) ? null : buyer(request));
  }
}
