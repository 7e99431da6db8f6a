package io.sluice.grant;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.grant.SoldOutCheck.Finding.SoldOut;
import io.sluice.metrics.Meters;
import io.sluice.model.BucketId;
import io.sluice.model.Grant;
import io.sluice.model.OrderTokens;
import io.sluice.model.Sku;
import io.sluice.model.SkuSettings;
import io.sluice.model.Skus;
import io.sluice.stock.GrantOutcome;
import io.sluice.stock.InMemoryStock;
import io.sluice.stock.OpenBuckets;
import io.sluice.stock.ReserveReply;
import io.sluice.stock.StockStore;
import io.sluice.stock.StockStore.Release;
import io.sluice.stock.StockStore.Request;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which requests an event loop may refuse by itself, and which it must not. */
class SoldOutLeasesTest {
  private static final long SKU = 7;
  private final ManualLoop time = new ManualLoop();
  private final long startNanos = time.now();
  private final InMemoryStock stock =
      new InMemoryStock(
          () -> Instant.ofEpochMilli(1_000_000 + (time.now() - startNanos) / 1_000_000), "run");
  private final OrderTokens tokens = new OrderTokens(new byte[16]);
  private final Meters meters = new Meters(new SimpleMeterRegistry());
  private final SoldOutLeases unit = new SoldOutLeases(partition -> stock, time.loop(), meters);
  private final SoldOutLeases other = new SoldOutLeases(partition -> stock, time.loop(), meters);
  private Sku sku;
  private int asked;

  @BeforeEach
  void openOneUnit() {
    open(SKU, 1, 1, 0);
  }

  @Test
  void shouldRefuseByItselfWhileTheLeaseLasts() {
    // given
    ask(unit, "alice");
    ask(unit, "bob");
    int before = asked;

    // when
    boolean carol = ask(unit, "carol");
    boolean bob = ask(unit, "bob");

    // then
    assertThat(carol || bob).isFalse();
    assertThat(asked).isEqualTo(before);
    assertThat(meters.leases().count()).isEqualTo(1);
    assertThat(meters.leaseRefusals().count()).isEqualTo(2);
  }

  @Test
  void shouldAskAgainWhenTheLeaseIsOver() {
    // given
    ask(unit, "alice");
    ask(unit, "bob");
    int before = asked;

    // when
    time.advanceMs(StockStore.SOLD_OUT_MAX_MS - SoldOutLeases.MARGIN_MS);
    ask(unit, "carol");

    // then
    assertThat(asked).isEqualTo(before + 1);
  }

  @Test
  void shouldCountTheLeaseFromBeforeTheQuestionWasSent() {
    // given
    ask(unit, "alice");
    long sentNanos = time.now();
    ReserveReply reply = reserve("bob");
    time.advanceMs(StockStore.SOLD_OUT_MAX_MS - SoldOutLeases.MARGIN_MS);

    // when
    unit.note(sku, sku.placed(0), sentNanos, reply);

    // then
    assertThat(unit.isSoldOut(sku, request("carol", 1))).isFalse();
  }

  @Test
  void shouldSendAHolderToRedis() {
    // given
    ask(unit, "alice");
    ask(unit, "bob");

    // then
    assertThat(ask(unit, "alice")).isTrue();
  }

  @Test
  void shouldSendAHolderToRedisWhenAnotherInstanceGrantedItAMomentAgo() {
    // given
    ask(other, "alice");
    ask(unit, "bob");

    // then
    assertThat(ask(unit, "alice")).isTrue();
    assertThat(unit.isSoldOut(sku, request("carol", 1))).isTrue();
  }

  @Test
  void shouldNotTrustItsCopyWhenAnotherInstanceGrantedSince() {
    // given
    Grant first = grant(reserve("alice"));
    ask(unit, "bob");
    assertThat(unit.isSoldOut(sku, request("dave", 1))).isTrue();
    release(first);
    time.advanceMs(StockStore.SOLD_OUT_MAX_MS);
    boolean dave = ask(other, "dave");
    ask(other, "erin");

    // when
    ask(unit, "bob");

    // then
    assertThat(dave).isTrue();
    assertThat(unit.isSoldOut(sku, request("dave", 1))).as("dave holds the unit").isFalse();
    assertThat(ask(unit, "dave")).isTrue();
  }

  @Test
  void shouldKeepItsCopyWhenItWasGrantedTheUnitItself() {
    // given
    Grant first = grant(reserve("alice"));
    ask(unit, "bob");
    release(first);
    time.advanceMs(StockStore.SOLD_OUT_MAX_MS);
    ask(unit, "dave");
    ask(unit, "erin");
    int before = asked;

    // when
    boolean frank = ask(unit, "frank");
    boolean dave = ask(unit, "dave");

    // then
    assertThat(frank).isFalse();
    assertThat(dave).isTrue();
    assertThat(asked).as("only dave's request went to Redis").isEqualTo(before + 1);
  }

  @Test
  void shouldSellAReturnedUnitWithinASecondOnEveryInstance() {
    // given
    Grant first = grant(reserve("alice"));
    ask(unit, "bob");
    ask(other, "bob");
    release(first);

    // when
    long beforeNanos = time.now();
    boolean carol = ask(unit, "carol");
    while (!carol) {
      time.advanceMs(10);
      carol = ask(unit, "carol");
    }

    // then
    assertThat(time.now() - beforeNanos).isLessThanOrEqualTo(260_000_000);
  }

  @Test
  void shouldSendToRedisWhoMayBeAtTheLimit() {
    // given
    open(SKU, 1, 1, 1);
    ask(unit, "alice");
    ask(unit, "bob");

    // when
    boolean again = unit.isSoldOut(sku, request("alice", "other-key", 1));
    boolean tooMany = unit.isSoldOut(sku, request("carol", 2));

    // then
    assertThat(again).as("alice is at her limit").isFalse();
    assertThat(tooMany).as("two units are over the limit of every buyer").isFalse();
    assertThat(unit.isSoldOut(sku, request("carol", 1))).isTrue();
  }

  @Test
  void shouldRefuseByItselfOnlyAfterACheckOfAllBucketsWhenThereAreSeveral() {
    // given
    open(SKU, 2, 0, 0);
    String ofFirst = buyerOf(0);
    ask(unit, ofFirst);
    ask(unit, buyerOf(1));
    boolean single = unit.isSoldOut(sku, request(ofFirst, 1));
    var buckets = List.of(stock.soldOut(bucket(0)).result(), stock.soldOut(bucket(1)).result());

    // when
    unit.note(sku, sku.placed(0), SoldOut.of(buckets, time.now()));

    // then
    assertThat(List.of(single, unit.isSoldOut(sku, request(ofFirst, 1))))
        .containsExactly(false, true);
  }

  @Test
  void shouldForgetTheOldestWhenThereAreTooMany() {
    // given
    ask(unit, "alice");
    ask(unit, "bob");
    Sku first = sku;
    for (long id = 1_000; id < 1_000 + SoldOutLeases.SKUS_MAX; id++) {
      open(id, 1, 0, 0);
      ask(unit, "bob");
    }

    // when
    BucketId oldest = new BucketId(first.skuId(), 0);
    Request carol = new Request(tokens.tokenFor("carol", oldest, null), "carol", 1);

    // then
    assertThat(unit.isSoldOut(first, carol)).isFalse();
    assertThat(unit.isSoldOut(sku, request("carol", 1))).isTrue();
  }

  // ---- the instance, as it uses the leases

  /** Whether the buyer holds a unit after this request to the instance. */
  private boolean ask(SoldOutLeases leases, String user) {
    Request request = request(user, 1);
    if (leases.isSoldOut(sku, request)) {
      return false;
    }
    long sentNanos = time.now();
    ReserveReply reply = reserve(user);
    leases.note(sku, sku.placed(request.token().bucket()), sentNanos, reply);
    return !(reply.outcomes().get(0) instanceof GrantOutcome.Refused);
  }

  private ReserveReply reserve(String user) {
    asked++;
    Request request = request(user, 1);
    return stock.reserve(request.token().bucketId(), List.of(request)).result();
  }

  private static Grant grant(ReserveReply reply) {
    return ((GrantOutcome.Granted) reply.outcomes().get(0)).grant();
  }

  private void release(Grant grant) {
    Release release = new Release(grant.token(), grant.epoch(), grant.seq(), 0);
    stock.release(grant.token().bucketId(), OpenBuckets.TERM, List.of(release));
  }

  private Request request(String user, int qty) {
    return request(user, null, qty);
  }

  private Request request(String user, String key, int qty) {
    BucketId bucket = BucketId.of(sku.skuId(), user, sku.buckets());
    return new Request(tokens.tokenFor(user, bucket, key), user, qty);
  }

  private String buyerOf(int bucket) {
    int i = 0;
    while (BucketId.of(SKU, "buyer" + i, sku.buckets()).bucket() != bucket) {
      i++;
    }
    return "buyer" + i;
  }

  private BucketId bucket(int number) {
    return new BucketId(sku.skuId(), number);
  }

  private void open(long id, int buckets, long units, int limit) {
    SkuSettings settings = new SkuSettings(300, limit, 0, 0);
    sku = Skus.open(id, units * buckets, buckets, settings);
    IntStream.range(0, buckets)
        .forEach(number -> OpenBuckets.open(stock, bucket(number), units, settings));
  }
}
