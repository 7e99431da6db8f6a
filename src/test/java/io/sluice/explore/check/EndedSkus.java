package io.sluice.explore.check;

import io.sluice.explore.run.Settlement;
import io.sluice.explore.run.World;
import io.sluice.grant.PlacedOrder;
import io.sluice.ledger.BucketRow;
import io.sluice.model.BucketId;
import io.sluice.model.Order;
import io.sluice.model.OrderStatus;
import io.sluice.model.OrderToken;
import io.sluice.model.Refusal;
import io.sluice.model.Sku;
import io.sluice.model.SkuState;
import io.sluice.stock.BucketCode;
import io.sluice.stock.StockStore.Snapshot;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What holds of a SKU whose sale has ended, and of its orders in the next sale. */
final class EndedSkus {
  /** For so long an instance may believe the sale that it has read. */
  private static final long BELIEVED_US = Duration.ofSeconds(1).toNanos() / 1_000;

  private static final Set<Refusal> OF_REDIS =
      EnumSet.of(Refusal.SOLD_OUT, Refusal.LIMIT_REACHED, Refusal.UNKNOWN_SKU);

  private final World world;

  /** The orders of a bucket when it had ended in this sale. */
  private final Map<Ended, Set<OrderToken>> whenEnded = new HashMap<>();

  private final Map<Ended, Long> beganUs = new HashMap<>();

  private Map<BucketId, BucketRow> before = Map.of();

  private record Ended(BucketId bucket, long saleNo) {}

  EndedSkus(World world) {
    this.world = world;
  }

  /** Called after each change, with what the ledger and Redis have of each bucket. */
  void watch(Map<BucketId, BucketRow> rows, Map<BucketId, Snapshot> heads) {
    rows.values().stream()
        .filter(row -> row.state().isEnded())
        .forEach(row -> checkEnded(row, heads.get(row.id())));
    if (rows.equals(before)) {
      return;
    }
    before = rows;
    Map<BucketId, List<Order>> orders =
        Settlement.orders(world).stream()
            .collect(Collectors.groupingBy(order -> order.token().bucketId()));
    rows.forEach((id, row) -> watch(row, orders.getOrDefault(id, List.of())));
  }

  private void watch(BucketRow row, List<Order> orders) {
    Ended now = new Ended(row.id(), row.saleNo());
    beganUs.putIfAbsent(now, world.scheduler().nowUs());
    if (row.state().isEnded()) {
      whenEnded.putIfAbsent(now, tokens(orders));
    }
    whenEnded.forEach(
        (ended, tokens) -> {
          if (ended.bucket().equals(row.id())) {
            checkLater(row, ended, tokens, orders);
          }
        });
  }

  private void checkEnded(BucketRow row, Snapshot seen) {
    if (row.held() != 0) {
      world.breach("nothing is held in an ended bucket", "Expected none, but got " + row);
    }
    if (seen.code() == BucketCode.OK) {
      world.breach("an ended bucket is shut", "Expected " + row + ", but Redis has " + seen);
    }
  }

  private void checkLater(BucketRow row, Ended ended, Set<OrderToken> tokens, List<Order> orders) {
    Set<OrderToken> earlier =
        row.saleNo() == ended.saleNo()
            ? tokens(orders)
            : tokens(orders.stream().filter(order -> order.saleNo() <= ended.saleNo()).toList());
    if (!earlier.equals(tokens)) {
      world.breach(
          "nothing is booked in a sale that has ended",
          "Expected " + tokens + " in " + row + ", but got " + earlier);
    }
    for (Order order : orders) {
      boolean mixed =
          order.status() != OrderStatus.REJECTED
              && row.isEarlier(order.epoch()) != order.saleNo() < row.saleNo();
      if (mixed) {
        world.breach(
            "a grant counts in its own sale", "Expected it in " + row + ", but got " + order);
      }
    }
  }

  private static Set<OrderToken> tokens(List<Order> orders) {
    return orders.stream().map(Order::token).collect(Collectors.toSet());
  }

  /** Checks the answer to a request for SKUs that have ended, or are in their next sale. */
  static void check(Asked asked, PlacedOrder answer, World world) {
    if (!asked.isOfNow(world)) {
      return;
    }
    if (answer instanceof PlacedOrder.Accepted accepted) {
      if (accepted.fresh() && asked.wanted().skuIds().stream().anyMatch(asked::hasEnded)) {
        world.breach("nothing is granted after the end", "Expected no order, but got " + accepted);
      }
      return;
    }
    PlacedOrder.Refused no = (PlacedOrder.Refused) answer;
    long skuId = no.skuId() == 0 ? asked.wanted().skuIds().get(0) : no.skuId();
    if (asked.hasEnded(skuId) && OF_REDIS.contains(no.refusal())) {
      world.breach(
          "an ended SKU answers the final refusal",
          "Expected that " + asked.wanted() + " is told so, but it got " + no);
    }
    if (isOfState(no.refusal()) && !world.invariants().areNew(asked) && sell(asked, world)) {
      world.breach(
          "P7 a no is honest", "Expected " + asked.wanted() + " while it is open, but got " + no);
    }
  }

  private static boolean isOfState(Refusal refusal) {
    return refusal == Refusal.NOT_OPEN || refusal == Refusal.NOT_TOGETHER;
  }

  /** Whether its SKUs are open, as they were then, in one sale. */
  private static boolean sell(Asked asked, World world) {
    List<Sku> now = Asked.skus(asked.wanted(), world);
    return Stream.concat(now.stream(), asked.skus().stream())
            .allMatch(sku -> sku.state() == SkuState.OPEN)
        && now.stream()
                .map(sku -> Optional.ofNullable(sku.membership().saleId()))
                .distinct()
                .count()
            == 1;
  }

  /** Whether the sale of some has begun so late that an instance may not know it. */
  boolean areNew(Asked asked) {
    return asked.skus().stream()
        .map(sku -> beganUs.get(new Ended(new BucketId(sku.skuId(), 0), sku.saleNo())))
        .anyMatch(atUs -> atUs == null || atUs > asked.atUs() - BELIEVED_US);
  }
}
