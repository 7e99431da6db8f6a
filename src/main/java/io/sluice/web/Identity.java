package io.sluice.web;

import io.sluice.config.AuthConfig;
import io.sluice.model.Limits;
import io.sluice.model.Order;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.function.Predicate;

/**
 * Tells who calls the public port: a buyer, by the header that the gateway sets, or the back
 * office.
 */
public final class Identity {
  private final String headerName;
  private final CharSequence header;
  private final BackOffice backOffice;
  private final Problem noBuyer;

  public Identity(AuthConfig config) {
    this.headerName = config.userHeader();
    this.header = HttpHeaders.createOptimized(config.userHeader());
    this.backOffice = new BackOffice(config.serviceToken(), config.userHeader());
    this.noBuyer =
        Problem.of(
            ProblemType.UNAUTHORIZED,
            "Expected the header " + headerName + ", which the gateway sets, but it is missing");
  }

  public BackOffice backOffice() {
    return backOffice;
  }

  /** Lets through what claims to be a buyer's; which one's, {@link #buyer} tells. */
  public Guard buyers() {
    return request -> isBuyers(request) ? null : noBuyer;
  }

  /** Lets the back office through as well. */
  public Guard buyersAndBackOffice() {
    return request -> isBuyers(request) || backOffice.admits(request) ? null : noBuyer;
  }

  private boolean isBuyers(HttpServerRequest request) {
    return request.headers().contains(header);
  }

  /**
   * The buyer's id. Two headers are refused: one of them might be the caller's own, beside the
   * gateway's.
   */
  public String buyer(HttpServerRequest request) {
    List<String> users = request.headers().getAll(header);
    if (users.size() != 1 || !Limits.isUserId(users.get(0))) {
      throw new BadInputException(
          headerName,
          "Expected one "
              + headerName
              + " of 1 to "
              + Limits.USER_ID_MAX
              + " characters of A-Z, a-z, 0-9 and _.@-, but got another");
    }
    return users.get(0);
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
