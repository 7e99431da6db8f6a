package io.sluice.grant;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.model.BucketId;
import io.sluice.model.Cart;
import io.sluice.model.Grant;
import io.sluice.model.Grants;
import io.sluice.model.OrderToken;
import io.sluice.model.Refusal;
import io.sluice.model.SkuSettings;
import io.sluice.model.SkuState;
import io.sluice.stock.BucketCode;
import io.sluice.stock.GrantOutcome;
import io.sluice.stock.Recorded;
import io.sluice.stock.ReserveReply;
import io.sluice.stock.ReserveReply.Contents;
import io.sluice.stock.StockStore;
import io.sluice.stock.StockStore.BookedMark;
import io.sluice.stock.StockStore.EmptyBucket;
import io.sluice.stock.StockStore.Lookup;
import io.sluice.stock.StockStore.Request;
import io.sluice.stock.StockStore.Snapshot;
import io.sluice.stock.StockStore.TokenPage;
import io.sluice.testkit.Ports;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * A Redis whose answers to {@code reserve} the test gives. Any other call that writes fails the
 * test.
 */
public final class ScriptedStock {

  /** The units of a SKU of three buckets with ten each. */
  public static final long SKU_TOTAL = 30;

  /** What a reply says of the run id. */
  public static final String RUN = "0a1b2c3d";

  /** Requests for one bucket, or carts of one partition, that wait for their answer. */
  public record Reserve(BucketId bucket, List<Request> requests, Promise<ReserveReply> reply) {
    private boolean isOfCarts() {
      return requests.get(0).lines().size() > 1;
    }

    public void reply(BucketCode code) {
      reply.complete(new ReserveReply(code, 0, List.of()));
    }

    public void reply(long available, Function<Request, GrantOutcome> outcome) {
      List<GrantOutcome> outcomes = requests.stream().map(outcome).toList();
      if (isOfCarts()) {
        answer(outcomes, Map.of());
      } else {
        reply.complete(
            new ReserveReply(BucketCode.OK, available, outcomes, Contents.UNKNOWN, 0, RUN));
      }
    }

    /** Answers carts, and says what is so in these buckets. */
    public void answer(List<GrantOutcome> outcomes, Map<BucketId, ReserveReply> buckets) {
      reply.complete(ReserveReply.ofCarts(outcomes, buckets, RUN));
    }

    public void grantAll() {
      reply(7, request -> new GrantOutcome.Granted(grant(request)));
    }

    /** Answers that nothing is available and that no new token is granted for this long. */
    public void soldOut(Contents contents, int soldOutMs) {
      GrantOutcome soldOut = new GrantOutcome.Refused(Refusal.SOLD_OUT);
      List<GrantOutcome> outcomes = requests.stream().map(request -> soldOut).toList();
      reply.complete(new ReserveReply(BucketCode.OK, 0, outcomes, contents, soldOutMs, RUN));
    }

    public void refuseAll(Refusal refusal) {
      reply(0, request -> new GrantOutcome.Refused(refusal));
    }

    public void refuseAll(Refusal refusal, int line) {
      reply(0, request -> new GrantOutcome.Refused(refusal, line));
    }

    public void fail() {
      reply.fail("connection closed");
    }

    /** The only request. */
    public Request only() {
      assertThat(requests).hasSize(1);
      return requests.get(0);
    }

    public List<String> userIds() {
      return requests.stream().map(Request::userId).toList();
    }
  }

  public final List<Reserve> reserves = new ArrayList<>();
  public final List<BucketId> snapshots = new ArrayList<>();
  public final List<List<OrderToken>> lookups = new ArrayList<>();
  public final Map<OrderToken, Recorded> recorded = new HashMap<>();
  public Function<BucketId, Future<Snapshot>> snapshot = bucket -> Future.failedFuture("no answer");
  public Function<BucketId, Future<EmptyBucket>> soldOut =
      bucket -> Future.succeededFuture(emptyBucket(10));
  public Future<TokenPage> tokens = Future.failedFuture("no answer");

  /** Answers carts at once, where the test does not. */
  public Function<List<Request>, Future<ReserveReply>> carts = this::reserveLater;

  public BucketCode code = BucketCode.OK;
  public boolean down;

  StockStore port() {
    return Ports.partly(StockStore.class, this);
  }

  public Reserve last() {
    return reserves.get(reserves.size() - 1);
  }

  Future<ReserveReply> reserve(BucketId bucket, List<Request> requests) {
    Reserve call = new Reserve(bucket, requests, Promise.promise());
    reserves.add(call);
    return call.reply().future();
  }

  private Future<ReserveReply> reserveLater(List<Request> carts) {
    return reserve(carts.get(0).token().bucketId(), carts);
  }

  Future<ReserveReply> reserveCarts(List<StockStore.Request> asked) {
    return carts.apply(asked);
  }

  Future<TokenPage> tokens(BucketId bucket, String from, int limit) {
    return tokens;
  }

  Future<Lookup> lookup(BucketId bucket, List<OrderToken> tokens) {
    lookups.add(tokens);
    if (down) {
      return Future.failedFuture("connection closed");
    }
    return Future.succeededFuture(
        new Lookup(code, code == BucketCode.OK ? Map.copyOf(recorded) : Map.of()));
  }

  Future<Snapshot> snapshot(BucketId bucket, List<OrderToken> tokens, int unbookedMax) {
    snapshots.add(bucket);
    return snapshot.apply(bucket);
  }

  Future<EmptyBucket> soldOut(BucketId bucket) {
    return soldOut.apply(bucket);
  }

  /** As a second reading finds {@code bucketWith(0, total)}, if nothing has changed. */
  public static EmptyBucket emptyBucket(long total) {
    return new EmptyBucket(BucketCode.OK, total, 0, 1, SKU_TOTAL, new Contents(1, total, 0), 250);
  }

  public static Grant grant(Request request) {
    if (request.lines().size() == 1) {
      return Grants.of(request.token(), request.userId(), request.qty(), 1, 1, 10_000, 310_000);
    }
    Cart cart =
        new Cart(
            request.lines().stream()
                .map(line -> new Cart.Line(line.bucket(), line.qty(), 1, 1, line.saleNo()))
                .toList());
    return Grants.ofLead(
        cart, request.token(), request.userId(), 10_000, 310_000, request.reference());
  }

  public static Snapshot bucketWith(long available, long total) {
    return bucketWith(BucketCode.OK, available, total, SkuState.OPEN);
  }

  public static Snapshot bucketWith(BucketCode code, long available, long total, SkuState state) {
    return new Snapshot(
        code,
        total,
        total - available,
        0,
        1,
        1,
        1,
        state,
        new SkuSettings(300, 0, 5_000, 90_000),
        BookedMark.NOTHING,
        20_000,
        0,
        List.of(),
        Map.of(),
        SKU_TOTAL);
  }
}
