package io.sluice.ledger.rules;

import io.sluice.ledger.DirectLedger.Outcome;
import io.sluice.ledger.DirectLedger.Wish;
import io.sluice.ledger.rules.BatchSnapshot.Bucket;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.Order;
import io.sluice.model.OrderToken;
import io.sluice.model.Refusal;
import io.sluice.model.SkuSettings;
import io.sluice.model.SkuState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Decides requests for a SKU that sells in the ledger alone, as Redis decides those of the others.
 * Pure, except that it is used once: each request sees what the ones before it have left.
 */
public final class DirectGate {

  /**
   * A SKU and its locked buckets.
   *
   * @param free units of all its buckets that nobody holds or has bought
   * @param lastSeqs of each locked bucket, in its epoch; 0 where it has no order there
   * @param units that buyers have of the locked buckets; only where there is a limit
   */
  public record State(
      SkuState state,
      SkuSettings settings,
      long saleNo,
      long free,
      Map<BucketId, Long> lastSeqs,
      Map<Holder, Long> units) {}

  /** A buyer in a bucket. */
  public record Holder(BucketId bucket, String userId) {}

  private record Choice(OrderToken token, @Nullable Outcome refused, boolean fresh) {}

  private final State sku;
  private final long nowMs;
  private final Map<OrderToken, Order> orders;
  private final Map<OrderToken, Grant> granted = new HashMap<>();
  private final Map<BucketId, Bucket> buckets;
  private final Map<BucketId, Long> seqs;
  private final Map<Holder, Long> units;
  private final List<Command> commands = new ArrayList<>();
  private final List<Choice> choices = new ArrayList<>();
  private long free;

  /**
   * @param snapshot the locked buckets, and those of the orders that exist
   */
  public DirectGate(State sku, BatchSnapshot snapshot) {
    this.sku = sku;
    this.nowMs = snapshot.nowMs();
    this.orders = snapshot.orders();
    this.buckets = new HashMap<>(snapshot.buckets());
    this.seqs = new HashMap<>(sku.lastSeqs());
    this.units = new HashMap<>(sku.units());
    this.free = sku.free();
  }

  /** Decides them in order; returns the commands that book what is granted. */
  public List<Command> decide(List<Wish> wishes) {
    wishes.forEach(this::decide);
    return List.copyOf(commands);
  }

  /** What became of the requests, once the commands are applied. */
  public List<Outcome> outcomes(Map<OrderToken, Order> after) {
    return choices.stream().map(choice -> outcome(choice, after)).toList();
  }

  private static Outcome outcome(Choice choice, Map<OrderToken, Order> after) {
    return choice.refused() != null
        ? choice.refused()
        : new Outcome.Booked(Objects.requireNonNull(after.get(choice.token())), choice.fresh());
  }

  private void decide(Wish wish) {
    Bucket bucket = Objects.requireNonNull(buckets.get(wish.token().bucketId()));
    Order known = orders.get(wish.token());
    Grant fresh = granted.get(wish.token());
    if (known != null) {
      again(wish, known.userId(), known.qty(), known.status().isLive(), bucket);
    } else if (fresh != null) {
      again(wish, fresh.userId(), fresh.qty(), true, bucket);
    } else {
      begin(wish, bucket);
    }
  }

  private void again(Wish wish, String userId, int qty, boolean live, Bucket bucket) {
    if (qty != wish.qty() || !userId.equals(wish.userId())) {
      refuse(wish, Refusal.KEY_MISMATCH, bucket);
    } else if (live) {
      choices.add(new Choice(wish.token(), null, false));
    } else {
      refuse(wish, Refusal.ORDER_ENDED, bucket);
    }
  }

  private void begin(Wish wish, Bucket bucket) {
    SkuSettings settings = sku.settings();
    SkuState state = sku.state().at(nowMs, settings.opensAtMs(), settings.closesAtMs());
    Holder holder = new Holder(bucket.id(), wish.userId());
    long has = units.getOrDefault(holder, 0L);
    if (state == SkuState.FROZEN) {
      refuse(wish, Refusal.BUSY, bucket);
    } else if (state != SkuState.OPEN) {
      refuse(wish, Refusal.NOT_OPEN, bucket);
    } else if (settings.limitPerUser() > 0 && has + wish.qty() > settings.limitPerUser()) {
      refuse(wish, Refusal.LIMIT_REACHED, bucket);
    } else if (bucket.free() >= wish.qty()) {
      units.put(holder, has + wish.qty());
      grant(wish, bucket);
    } else if (free >= wish.qty()) {
      choices.add(new Choice(wish.token(), new Outcome.Elsewhere(), false));
    } else {
      choices.add(new Choice(wish.token(), new Outcome.Refused(Refusal.SOLD_OUT, free), false));
    }
  }

  /**
   * What moves, so that a bucket has {@code qty} free units: half of what the richest of the others
   * has, or as much as it takes. Empty where it has enough, or all together have too few.
   *
   * @param free units of each bucket
   * @return the change of each bucket's allotment
   */
  public static Map<Integer, Long> gathered(long[] free, int target, int qty) {
    List<Integer> others =
        IntStream.range(0, free.length)
            .filter(bucket -> bucket != target && free[bucket] > 0)
            .boxed()
            .sorted(Comparator.comparingLong((Integer bucket) -> -free[bucket]))
            .toList();
    long needed = qty - free[target];
    if (needed <= 0 || LongStream.of(free).sum() < qty) {
      return Map.of();
    }
    long wanted = Math.max(needed, (free[others.get(0)] + 1) / 2);
    Map<Integer, Long> changes = new TreeMap<>();
    long left = wanted;
    for (int bucket : others) {
      long units = Math.min(left, free[bucket]);
      left -= units;
      if (units > 0) {
        changes.put(bucket, -units);
      }
    }
    changes.put(target, wanted);
    return changes;
  }

  private void refuse(Wish wish, Refusal refusal, Bucket bucket) {
    choices.add(new Choice(wish.token(), new Outcome.Refused(refusal, bucket.free()), false));
  }

  private void grant(Wish wish, Bucket bucket) {
    long seq = seqs.getOrDefault(bucket.id(), 0L) + wish.qty();
    Grant grant =
        new Grant(
            wish.token(),
            wish.userId(),
            wish.qty(),
            seq,
            bucket.epoch(),
            nowMs,
            nowMs + sku.settings().paymentWindowS() * 1_000,
            sku.saleNo(),
            wish.reference());
    seqs.put(bucket.id(), seq);
    buckets.put(bucket.id(), bucket.plus(wish.qty(), 0));
    free -= wish.qty();
    granted.put(wish.token(), grant);
    commands.add(new Command.Reserve(grant, null));
    choices.add(new Choice(wish.token(), null, true));
  }
}
