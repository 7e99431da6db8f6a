package io.sluice.explore.check;

import io.sluice.explore.run.World;
import io.sluice.explore.store.Redis;
import io.sluice.model.Order;
import io.sluice.model.OrderToken;
import io.sluice.model.Reason;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Checks that every buyer gets the time to pay, whatever the clocks of the stores show. */
final class PaymentTimes {
  /** The ledger counts in milliseconds. */
  private static final long ROUNDED_US = 1_000;

  private final World world;
  private final Set<OrderToken> ended = new HashSet<>();

  PaymentTimes(World world) {
    this.world = world;
  }

  /** Called after each change of orders in the ledger. */
  void check() {
    Map<OrderToken, Long> askedUs = world.told().freshSinceUs();
    List<OrderToken> open = askedUs.keySet().stream().filter(t -> !ended.contains(t)).toList();
    if (open.isEmpty()) {
      return;
    }
    Map<OrderToken, Order> orders = world.ledger().orders(open).result();
    for (OrderToken token : open) {
      Order order = orders.get(token);
      boolean hasEnded = order != null && !order.status().isLive();
      if (hasEnded && ended.add(token) && !world.restored().excuses(token, askedUs.get(token))) {
        check(order, askedUs.get(token));
      }
    }
  }

  private void check(Order order, long askedUs) {
    long hadMs = (world.scheduler().nowUs() - askedUs) / 1_000;
    long windowMs = world.scenario().paymentWindowS() * 1_000L;
    if (order.reason() == Reason.TIMEOUT
        && hadMs < windowMs - Redis.SKEW_MAX_MS - world.restored().earlyMs()) {
      world.breach(
          "no order times out early",
          "Expected %d ms to pay, but after %d ms it is %s".formatted(windowMs, hadMs, order));
    }
    long untilUs = world.told().payableUntilUs(order.token());
    if (order.reason() == Reason.TIMEOUT && world.scheduler().nowUs() < untilUs - ROUNDED_US) {
      world.breach(
          "no order times out before the time that it was given",
          "Expected time to pay until %d us, but it is %s".formatted(untilUs, order));
    }
  }
}
