package io.sluice.stock.redis;

import io.sluice.model.BucketId;
import io.sluice.model.Grant;
import io.sluice.model.OrderToken;
import io.sluice.model.Refusal;
import io.sluice.stock.BucketCode;
import io.sluice.stock.GrantOutcome;
import io.sluice.stock.ReserveReply;
import io.sluice.stock.ReserveReply.Contents;
import io.sluice.stock.StockStore;
import io.sluice.stock.StockStore.Request;
import io.vertx.redis.client.Response;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** One call of {@code reserve_carts.lua}: its arguments, and what its reply means. */
final class CartCall {
  private static final int HEAD = 2;
  private static final int BUCKET_FIELDS = 6;
  private static final int CART_FIELDS = 4;

  // The cart codes that are no token codes.
  private static final int TORN = 8;
  private static final int AWAY = 9;

  private final List<Request> carts;

  /** The sale that is believed of each bucket, in the order of the keys. */
  private final Map<BucketId, Long> sales = new LinkedHashMap<>();

  /** The number of each bucket in that order, from 1. */
  private final Map<BucketId, Integer> numbers = new HashMap<>();

  private int lines;

  /** Fails if a call must not have such carts. */
  CartCall(List<Request> carts) {
    this.carts = carts;
    if (carts.isEmpty() || carts.size() > StockStore.CARTS_MAX) {
      throw new IllegalArgumentException(
          "Expected 1 to " + StockStore.CARTS_MAX + " carts, but got " + carts.size());
    }
    for (Request cart : carts) {
      lines += cart.lines().size();
      for (StockStore.Line line : cart.lines()) {
        Long believed = sales.putIfAbsent(line.bucket(), line.saleNo());
        if (believed != null && believed != line.saleNo()) {
          throw new IllegalArgumentException(
              "Expected requests for one sale of bucket " + line.bucket() + ", but got two");
        }
        numbers.computeIfAbsent(line.bucket(), first -> numbers.size() + 1);
      }
    }
    if (sales.size() > StockStore.CART_BUCKETS_MAX) {
      throw new IllegalArgumentException(
          "Expected at most " + StockStore.CART_BUCKETS_MAX + " buckets, but got " + sales.size());
    }
  }

  LuaCall call(Function<BucketId, StockKeys> keys) {
    List<StockKeys> all = sales.keySet().stream().map(keys).toList();
    int arguments = 2 * all.size() + 4 * carts.size() + 2 * lines;
    LuaCall call = new LuaCall(LuaScript.RESERVE_CARTS, all, arguments).expecting(lines);
    sales.keySet().forEach(bucket -> call.add(bucket.skuId() + "." + bucket.bucket()));
    sales.values().forEach(call::add);
    for (Request cart : carts) {
      String token = cart.token().value();
      call.add(token.substring(token.lastIndexOf('.') + 1)).add(cart.userId());
      call.add(GrantRecord.encoded(cart.reference())).add(cart.lines().size());
      for (StockStore.Line line : cart.lines()) {
        call.add(numbers.getOrDefault(line.bucket(), 0)).add(line.qty());
      }
    }
    return call;
  }

  ReserveReply reply(Response reply) {
    Map<BucketId, List<GrantOutcome>> ofBuckets = new HashMap<>();
    sales.keySet().forEach(bucket -> ofBuckets.put(bucket, new ArrayList<>()));
    List<GrantOutcome> outcomes = new ArrayList<>(carts.size());
    int at = HEAD + BUCKET_FIELDS * sales.size();
    for (Request cart : carts) {
      GrantOutcome outcome = outcome(cart, reply, at);
      outcomes.add(outcome);
      if (outcome instanceof GrantOutcome.Granted granted) {
        for (Grant line : granted.grant().lines()) {
          ofBuckets
              .getOrDefault(line.token().bucketId(), new ArrayList<>())
              .add(new GrantOutcome.Granted(line));
        }
      }
      at += CART_FIELDS;
    }
    String run = reply.get(1).toString();
    Map<BucketId, ReserveReply> buckets = new HashMap<>();
    int from = HEAD;
    for (BucketId bucket : sales.keySet()) {
      buckets.put(bucket, bucket(reply, from, ofBuckets.getOrDefault(bucket, List.of()), run));
      from += BUCKET_FIELDS;
    }
    return ReserveReply.ofCarts(outcomes, buckets, run);
  }

  private static ReserveReply bucket(
      Response reply, int from, List<GrantOutcome> outcomes, String run) {
    BucketCode code = StockReplies.code(reply.get(from));
    if (code != BucketCode.OK) {
      return new ReserveReply(code, 0, List.of());
    }
    Contents contents =
        new Contents(
            reply.get(from + 2).toLong(),
            reply.get(from + 3).toLong(),
            reply.get(from + 4).toInteger());
    return new ReserveReply(
        code,
        reply.get(from + 1).toLong(),
        outcomes,
        contents,
        reply.get(from + 5).toInteger(),
        run);
  }

  private GrantOutcome outcome(Request cart, Response reply, int at) {
    int code = reply.get(at).toInteger();
    int line = reply.get(at + 1).toInteger() - 1;
    if (code == AWAY) {
      BucketId bucket = cart.lines().get(line).bucket();
      int number = numbers.getOrDefault(bucket, 1);
      Response away = reply.get(HEAD + BUCKET_FIELDS * (number - 1));
      return new GrantOutcome.Away(StockReplies.code(away), bucket);
    }
    if (code == TORN) {
      return new GrantOutcome.Torn();
    }
    TokenCode known = TokenCode.of(code);
    if (known == TokenCode.GRANTED || known == TokenCode.ALREADY) {
      boolean unbooked = reply.get(at + 3).toInteger() == 1;
      OrderToken token = cart.token();
      Grant lead = GrantRecord.parse(token, reply.get(at + 2).toString(), unbooked).grant();
      return known == TokenCode.GRANTED
          ? new GrantOutcome.Granted(lead)
          : new GrantOutcome.Already(lead, unbooked);
    }
    Refusal refusal = known.refused().refusal();
    return new GrantOutcome.Refused(refusal, Math.max(GrantOutcome.Refused.NO_LINE, line));
  }
}
