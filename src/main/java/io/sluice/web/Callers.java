package io.sluice.web;

import io.sluice.config.AuthConfig;
import io.sluice.model.Order;
import io.vertx.core.http.HttpServerRequest;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Tells who calls the public port: a buyer, or the back office. Used by one event loop. */
public final class Callers {
  private final Identity identity;
  private final BackOffice backOffice;

  /**
   * Knows how to tell.
   *
   * @param host that the public port listens on
   */
  public Callers(AuthConfig config, String host) {
    this.identity = new HeaderIdentity(config);
    this.backOffice = new BackOffice(config, host);
  }

  public Guard backOffice() {
    return backOffice;
  }

  /** Lets through what claims to be a buyer's; which one's, {@link #buyer} tells. */
  public Guard buyers() {
    return identity;
  }

  /** Lets the back office through as well. */
  public Guard buyersAndBackOffice() {
    return this::refusalOfBoth;
  }

  private @Nullable Problem refusalOfBoth(HttpServerRequest request) {
    Problem noBuyer = identity.refusal(request);
    Problem noOffice = noBuyer == null ? null : backOffice.refusal(request);
    return noBuyer == null || noOffice == null
        ? null
        : Problem.of(ProblemType.UNAUTHORIZED, noBuyer.detail() + ". Or: " + noOffice.detail());
  }

  /** The buyer's id; expects a call that {@link #buyers} lets through. */
  public String buyer(HttpServerRequest request) {
    return identity.buyer(request);
  }

  /**
   * Who acts on an order.
   *
   * @param isBackOffice whether it may act on everybody's
   * @param mayAct whether it may see and change this order
   */
  public record Actor(boolean isBackOffice, Predicate<Order> mayAct) {}

  /** Who acts; expects a call that is a buyer's or the back office's. */
  public Actor actor(HttpServerRequest request) {
    if (backOffice.admits(request)) {
      return new Actor(true, order -> true);
    }
    String buyer = buyer(request);
    return new Actor(false, order -> order.userId().equals(buyer));
  }
}
