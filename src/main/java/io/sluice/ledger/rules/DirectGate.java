package io.sluice.ledger.rules;

import io.sluice.ledger.DirectLedger.Line;
import io.sluice.ledger.DirectLedger.Outcome;
import io.sluice.ledger.DirectLedger.Wish;
import io.sluice.ledger.rules.BatchSnapshot.Bucket;
import io.sluice.model.BucketId;
import io.sluice.model.Cart;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.Grant.Units;
import io.sluice.model.Order;
import io.sluice.model.OrderToken;
import io.sluice.model.Refusal;
import io.sluice.model.SkuSettings;
import io.sluice.model.SkuState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Decides requests for SKUs that sell in the ledger alone, as Redis decides those of the others:
 * all lines of a request or none. Pure, except that it is used once: each request sees what the
 * ones before it have left.
 */
public final class DirectGate {

  /**
   * A SKU and its locked buckets.
   *
   * @param free units of all its buckets that nobody holds or has bought
   * @param lastSeqs of each locked bucket, in its epoch; 0 if it has no order there
   */
  public record State(
      SkuState state, SkuSettings settings, long saleNo, long free, Map<BucketId, Long> lastSeqs) {}

  /** A buyer in a bucket. */
  public record Holder(BucketId bucket, String userId) {}

  private record Choice(OrderToken token, @Nullable Outcome refused, boolean fresh) {}

  private final Map<Long, State> skus;
  private final long nowMs;
  private final Map<OrderToken, Order> orders;
  private final Map<OrderToken, Grant> granted = new HashMap<>();
  private final Map<BucketId, Bucket> buckets;
  private final Map<BucketId, Long> seqs = new HashMap<>();
  private final Map<Holder, Long> units;
  private final Map<Long, Long> free = new HashMap<>();
  private final List<Command> commands = new ArrayList<>();
  private final List<Choice> choices = new ArrayList<>();

  /**
   * @param skus by their ids
   * @param units that buyers have of the locked buckets; only if there is a limit
   * @param snapshot the locked buckets, and those of the orders that exist
   */
  public DirectGate(Map<Long, State> skus, Map<Holder, Long> units, BatchSnapshot snapshot) {
    this.skus = skus;
    this.units = new HashMap<>(units);
    this.nowMs = snapshot.nowMs();
    this.orders = Wholes.of(snapshot.orders());
    this.buckets = new HashMap<>(snapshot.buckets());
    skus.forEach(
        (id, sku) -> {
          seqs.putAll(sku.lastSeqs());
          free.put(id, sku.free());
        });
  }

  /** Decides them in order; returns the commands that book what is granted. */
  public List<Command> decide(List<Wish> wishes) {
    wishes.forEach(this::decide);
    return List.copyOf(commands);
  }

  /** The outcomes of the requests, once the commands are applied. */
  public List<Outcome> outcomes(Map<OrderToken, Order> after) {
    return choices.stream().map(choice -> outcome(choice, after)).toList();
  }

  private static Outcome outcome(Choice choice, Map<OrderToken, Order> after) {
    return choice.refused() != null
        ? choice.refused()
        : new Outcome.Booked(Objects.requireNonNull(after.get(choice.token())), choice.fresh());
  }

  private void decide(Wish wish) {
    Order known = orders.get(wish.token());
    Grant fresh = granted.get(wish.token());
    if (known != null) {
      boolean isSame = wish.isFor(known.userId(), known.qty(), known.cart());
      again(wish, isSame, known.status().isLive());
    } else if (fresh != null) {
      again(wish, wish.isFor(fresh.userId(), fresh.qty(), fresh.cart()), true);
    } else {
      begin(wish);
    }
  }

  private void again(Wish wish, boolean isSame, boolean isLive) {
    if (isSame && isLive) {
      choices.add(new Choice(wish.token(), null, false));
    } else {
      Refusal refusal = isSame ? Refusal.ORDER_ENDED : Refusal.KEY_MISMATCH;
      refuse(wish, new Outcome.Refused(refusal, bucket(wish.lines().get(0)).free()));
    }
  }

  private void begin(Wish wish) {
    int elsewhere = -1;
    for (int i = 0; i < wish.lines().size(); i++) {
      Line line = wish.lines().get(i);
      Refusal refusal = refusal(wish.userId(), line);
      if (refusal != null) {
        long left = refusal == Refusal.SOLD_OUT ? free(line.bucket().skuId()) : bucket(line).free();
        refuse(wish, new Outcome.Refused(refusal, i, left));
        return;
      }
      if (elsewhere < 0 && bucket(line).free() < line.qty()) {
        elsewhere = i;
      }
    }
    if (elsewhere < 0) {
      grant(wish);
    } else {
      refuse(wish, new Outcome.Elsewhere(elsewhere));
    }
  }

  /** Why the buyer gets none of these units, wherever they are; null if there is no reason. */
  private @Nullable Refusal refusal(String userId, Line line) {
    long skuId = line.bucket().skuId();
    State sku = sku(skuId);
    SkuSettings settings = sku.settings();
    SkuState state = sku.state().at(nowMs, settings.opensAtMs(), settings.closesAtMs());
    if (state == SkuState.FROZEN) {
      return Refusal.BUSY;
    }
    if (state != SkuState.OPEN) {
      return Refusal.NOT_OPEN;
    }
    long has = units.getOrDefault(new Holder(line.bucket(), userId), 0L);
    if (settings.limitPerUser() > 0 && has + line.qty() > settings.limitPerUser()) {
      return Refusal.LIMIT_REACHED;
    }
    return free(skuId) < line.qty() ? Refusal.SOLD_OUT : null;
  }

  private long free(long skuId) {
    return free.getOrDefault(skuId, 0L);
  }

  private State sku(long skuId) {
    return Objects.requireNonNull(skus.get(skuId));
  }

  private Bucket bucket(Line line) {
    return Objects.requireNonNull(buckets.get(line.bucket()));
  }

  private void refuse(Wish wish, Outcome why) {
    choices.add(new Choice(wish.token(), why, false));
  }

  private void grant(Wish wish) {
    List<Cart.Line> lines = wish.lines().stream().map(line -> take(wish.userId(), line)).toList();
    Cart.Line lead = lines.get(0);
    long windowS = sku(lead.bucket().skuId()).settings().paymentWindowS();
    Units units = Units.of(lead, nowMs, nowMs + windowS * 1_000);
    Cart cart = lines.size() == 1 ? null : new Cart(lines);
    Grant grant = new Grant(wish.token(), wish.userId(), units, wish.reference(), cart);
    granted.put(wish.token(), grant);
    commands.add(new Command.Reserve(grant, null));
    choices.add(new Choice(wish.token(), null, true));
  }

  private Cart.Line take(String userId, Line line) {
    BucketId id = line.bucket();
    Bucket bucket = bucket(line);
    int qty = line.qty();
    long seq = seqs.merge(id, (long) qty, Long::sum);
    buckets.put(id, bucket.plus(qty, 0));
    units.merge(new Holder(id, userId), (long) qty, Long::sum);
    free.merge(id.skuId(), (long) -qty, Long::sum);
    return new Cart.Line(id, qty, bucket.epoch(), seq, sku(id.skuId()).saleNo());
  }
}
