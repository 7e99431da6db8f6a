package io.sluice.stock;

import io.sluice.model.BucketId;
import io.sluice.model.Cart;
import io.sluice.model.Grant;
import io.sluice.model.Grants;
import io.sluice.model.Limits;
import io.sluice.model.Refusal;
import io.sluice.model.SkuState;
import io.sluice.stock.StockStore.Request;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/** Carts over the buckets of a stock in memory, with the rules of reserve_carts.lua. */
final class InMemoryCarts {
  private final Map<BucketId, InMemoryBucket> buckets;
  private final Function<BucketId, BucketCode> codeOf;
  private final long nowMs;
  private final Set<BucketId> dry = new TreeSet<>();
  private final Map<BucketId, List<GrantOutcome>> granted = new HashMap<>();

  InMemoryCarts(
      Map<BucketId, InMemoryBucket> buckets, Function<BucketId, BucketCode> codeOf, long nowMs) {
    this.buckets = buckets;
    this.codeOf = codeOf;
    this.nowMs = nowMs;
  }

  static boolean areValid(List<StockStore.Request> carts) {
    Map<BucketId, Long> sales = new HashMap<>();
    return !carts.isEmpty()
        && carts.size() <= StockStore.CARTS_MAX
        && carts.stream().allMatch(cart -> !cart.userId().isEmpty() && areValid(cart, sales));
  }

  private static boolean areValid(StockStore.Request cart, Map<BucketId, Long> sales) {
    return cart.lines().size() >= 2
        && cart.lines().size() <= 20
        && cart.lines().stream().map(StockStore.Line::bucket).distinct().count()
            == cart.lines().size()
        && cart.lines().stream()
            .allMatch(
                line ->
                    line.qty() >= 1
                        && line.qty() <= 1_000
                        && sales.merge(line.bucket(), line.saleNo(), Long::min) == line.saleNo());
  }

  ReserveReply decide(List<StockStore.Request> carts) {
    List<GrantOutcome> outcomes = carts.stream().map(this::decide).toList();
    dry.forEach(bucket -> ranDry(buckets.get(bucket)));
    Map<BucketId, ReserveReply> replies = new LinkedHashMap<>();
    String run = "";
    for (StockStore.Request cart : carts) {
      for (StockStore.Line line : cart.lines()) {
        ReserveReply reply = reply(line);
        replies.put(line.bucket(), reply);
        run = reply.run().isEmpty() ? run : reply.run();
      }
    }
    return ReserveReply.ofCarts(outcomes, replies, run);
  }

  private ReserveReply reply(StockStore.Line line) {
    BucketCode code = code(line);
    return code == BucketCode.OK
        ? reply(buckets.get(line.bucket()), granted.getOrDefault(line.bucket(), List.of()))
        : new ReserveReply(code, 0, List.of());
  }

  private BucketCode code(StockStore.Line line) {
    BucketCode code = codeOf.apply(line.bucket());
    return code == BucketCode.OK && buckets.get(line.bucket()).saleNo != line.saleNo()
        ? BucketCode.OTHER_SALE
        : code;
  }

  private GrantOutcome decide(StockStore.Request cart) {
    for (StockStore.Line line : cart.lines()) {
      BucketCode code = code(line);
      if (code != BucketCode.OK) {
        return new GrantOutcome.Away(code, line.bucket());
      }
    }
    List<Recorded> recorded = new ArrayList<>();
    for (StockStore.Line line : cart.lines()) {
      recorded.add(buckets.get(line.bucket()).records.get(cart.token().in(line.bucket())));
    }
    return recorded.stream().anyMatch(known -> known != null)
        ? repeated(cart, recorded)
        : fresh(cart);
  }

  private static GrantOutcome repeated(StockStore.Request cart, List<Recorded> recorded) {
    Recorded lead = recorded.get(0);
    if (lead != null && !isOf(cart, lead.grant())) {
      return new GrantOutcome.Refused(Refusal.KEY_MISMATCH, GrantOutcome.Refused.NO_LINE);
    }
    boolean whole =
        lead != null
            && recorded.stream()
                .allMatch(
                    known ->
                        known != null
                            && known.grant().cart() != null
                            && lead.grant().cart().text().equals(known.grant().cart().text()));
    if (!whole) {
      return new GrantOutcome.Torn();
    }
    if (recorded.stream().anyMatch(known -> !known.live())) {
      return new GrantOutcome.Refused(Refusal.ORDER_ENDED, GrantOutcome.Refused.NO_LINE);
    }
    return new GrantOutcome.Already(lead.grant(), recorded.stream().anyMatch(Recorded::unbooked));
  }

  private static boolean isOf(StockStore.Request cart, Grant lead) {
    return lead.userId().equals(cart.userId())
        && lead.cart() != null
        && lead.cart().lines().stream()
            .map(line -> List.of(line.bucket(), line.qty()))
            .toList()
            .equals(cart.lines().stream().map(line -> List.of(line.bucket(), line.qty())).toList());
  }

  private GrantOutcome fresh(StockStore.Request cart) {
    for (int i = 0; i < cart.lines().size(); i++) {
      Request line = cart.line(i);
      BucketId id = line.token().bucketId();
      Refusal refusal = refusal(buckets.get(id), line);
      if (refusal == Refusal.SOLD_OUT && buckets.get(id).available() <= 0) {
        dry.add(id);
      }
      if (refusal != null) {
        return new GrantOutcome.Refused(refusal, i);
      }
    }
    return new GrantOutcome.Granted(grant(cart));
  }

  private Grant grant(StockStore.Request cart) {
    List<Cart.Line> lines = new ArrayList<>();
    for (int i = 0; i < cart.lines().size(); i++) {
      StockStore.Line line = cart.lines().get(i);
      InMemoryBucket bucket = buckets.get(line.bucket());
      long seq = claim(bucket, cart.line(i));
      lines.add(new Cart.Line(line.bucket(), line.qty(), bucket.epoch, seq, line.saleNo()));
    }
    Cart all = new Cart(lines);
    long windowMs = buckets.get(all.lead().bucket()).settings.paymentWindowS() * 1_000;
    Grant lead =
        Grants.ofLead(all, cart.token(), cart.userId(), nowMs, nowMs + windowMs, cart.reference());
    for (Grant line : lead.lines()) {
      buckets
          .get(line.token().bucketId())
          .records
          .put(line.token(), new Recorded(line, true, true));
      granted
          .computeIfAbsent(line.token().bucketId(), none -> new ArrayList<>())
          .add(new GrantOutcome.Granted(line));
    }
    lead.lines().forEach(line -> buckets.get(line.token().bucketId()).count());
    return lead;
  }

  // ---- what reserve.lua does for a request, for a line

  private long soldOutMs(InMemoryBucket bucket) {
    long leftMs = bucket.stateAt(nowMs) == SkuState.OPEN ? bucket.soldOutUntilMs - nowMs : 0;
    return leftMs > 0 && leftMs <= StockStore.SOLD_OUT_MAX_MS ? leftMs : 0;
  }

  private Refusal refusal(InMemoryBucket bucket, Request line) {
    GrantOutcome outcome = bucket.unless(line, nowMs, soldOutMs(bucket) > 0);
    return outcome instanceof GrantOutcome.Refused refused ? refused.refusal() : null;
  }

  private void ranDry(InMemoryBucket bucket) {
    if (soldOutMs(bucket) == 0 && bucket.available() <= 0 && bucket.skuTotal.isEmpty()) {
      bucket.soldOutUntilMs = nowMs + StockStore.SOLD_OUT_MAX_MS;
    }
  }

  private static long claim(InMemoryBucket bucket, Request line) {
    bucket.claimed += line.qty();
    bucket.countUnits(line.userId(), line.qty());
    return bucket.claimed;
  }

  private ReserveReply reply(InMemoryBucket bucket, List<GrantOutcome> outcomes) {
    long soldOutMs = soldOutMs(bucket);
    String run = bucket.history;
    return new ReserveReply(
        BucketCode.OK,
        soldOutMs > 0 ? Math.min(0, bucket.available()) : bucket.available(),
        outcomes,
        bucket.contents(),
        (int) soldOutMs,
        run.substring(0, Math.min(Limits.RUN_LENGTH, run.length())));
  }
}
