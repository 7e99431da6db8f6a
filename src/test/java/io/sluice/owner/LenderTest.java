package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.Move.Borrow;
import io.sluice.ledger.OwnerRequest;
import io.sluice.ledger.SkuLedger;
import io.sluice.ledger.SkuLedger.NewSku;
import io.sluice.ledger.rules.OutboxPayload;
import io.sluice.model.BucketId;
import io.sluice.model.OrderToken;
import io.sluice.model.OrderTokens;
import io.sluice.model.Sku;
import io.sluice.model.SkuSettings;
import io.sluice.stock.BucketCode;
import io.sluice.stock.StockStore;
import io.sluice.stock.StockUnavailableException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * How many units move from buckets of an owner to those that ask for them, and when; also if
 * replies are lost, and requests end, meanwhile.
 */
class LenderTest {
  private static final long SKU = 2_001;
  private static final int BUCKETS = 4;
  private static final StockUnavailableException LOST = new StockUnavailableException("lost", null);

  private final OwnerScene scene = OwnerScene.withStock(10);
  private int buyers;
  private long share;

  /** A SKU on sale of whose buckets others have bought all but these units. */
  private void onSale(int... left) {
    share = Arrays.stream(left).max().orElseThrow();
    SkuSettings settings = new SkuSettings(300, 0, 0, 0);
    scene.ledger.put(new NewSku(SKU, share * BUCKETS, BUCKETS, Sku.Mode.FAST, settings));
    scene.settle();
    for (int bucket = 0; bucket < BUCKETS; bucket++) {
      if (left[bucket] < share) {
        buy(bucket, (int) share - left[bucket]);
      }
    }
  }

  private void oneOfEightIsSoldAndTwoAreWanted() {
    onSale(8, 0, 0, 0);
    buy(0, 1);
    ask(0, 1, 2);
  }

  /** Lets the owner wait for what it looks at until this is completed. */
  private Promise<Void> holdLooks() {
    Promise<Void> held = Promise.promise();
    StoreCalls looks = new StoreCalls();
    looks.instead.put(
        "snapshot",
        arguments ->
            held.future()
                .compose(go -> scene.stock.snapshot((BucketId) arguments[0], List.of(), 0)));
    scene.looked = looks.before(StockStore.class, scene.stock);
    return held;
  }

  private void freeze(int bucket) {
    scene.stock.freeze(id(bucket), scene.stock.snapshot(id(bucket), List.of(), 0).result().term());
  }

  private void buy(int bucket, int qty) {
    String buyer = "buyer-" + buyers++;
    OrderToken token = new OrderTokens(new byte[16]).tokenFor(buyer, id(bucket), null);
    scene.stock.reserve(id(bucket), List.of(new StockStore.Request(token, buyer, qty)));
  }

  private Borrow borrow(int from, int to, long most) {
    Sku sku = scene.ledger.sku(SKU).result().orElseThrow();
    return new Borrow(sku.placed(from), sku.placed(to), 0, 1, most);
  }

  /** Leaves a request of a buyer who wants one unit; returns its id. */
  private long ask(int from, int to, long most) {
    Borrow borrow = borrow(from, to, most);
    assertThat(scene.ledger.borrow(List.of(borrow)).result()).isEmpty();
    return open().stream()
        .filter(request -> request.borrow().orElseThrow().equals(borrow))
        .findFirst()
        .orElseThrow()
        .id();
  }

  private List<OwnerRequest> open() {
    return scene.ledger.openRequests(List.of(OwnerScene.PARTITION), 0, 100).result().stream()
        .filter(request -> request.borrow().isPresent())
        .toList();
  }

  private Optional<String> answer(long request) {
    return scene.ledger.answer(request).result();
  }

  /** By how many units the ledger has changed the allotments. */
  private List<Long> moved() {
    return scene.ledger.bucketsOf(SKU).result().stream()
        .map(row -> row.allotted() - share)
        .toList();
  }

  private List<Long> available() {
    return IntStream.range(0, BUCKETS)
        .mapToObj(bucket -> scene.stock.snapshot(id(bucket), List.of(), 0).result().available())
        .toList();
  }

  private static BucketId id(int bucket) {
    return new BucketId(SKU, bucket);
  }

  /** What buckets have, whether the first sells itself, how many units the second wants. */
  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "all of a bucket in which nobody buys, 40, 0, 5, 0, 40",
    "what the buyers take in a second when it sells itself, 40, 1, 5, 34, 5",
    "half when it sells itself and the buyers want more, 41, 1, 1000, 20, 20",
    "the last unit of a bucket that sells itself, 2, 1, 1, 0, 1"
  })
  void shouldMove(String what, int has, int bought, long wanted, long left, long given) {
    // given
    onSale(has, 0, 0, 0);
    IntStream.range(0, bought).forEach(n -> buy(0, 1));
    long request = ask(0, 1, wanted);

    // when
    scene.serveRequests();

    // then
    assertThat(available()).containsExactly(left, given, 0L, 0L);
    assertThat(moved()).containsExactly(-given, given, 0L, 0L);
    assertThat(answer(request)).contains(OutboxPayload.moved(given));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "the bucket that asks has units, 1, -1, 0, 1",
    "the bucket that asks is not served, 0, 1, 0, 1",
    "the bucket that is asked is not served, 0, 0, 0, 1",
    "the bucket that is asked is empty, 0, -1, 2, 3"
  })
  void shouldRefuseWhen(String what, int second, int frozen, int from, int to) {
    // given
    onSale(9, second, 0, 0);
    if (frozen >= 0) {
      freeze(frozen);
    }
    long request = ask(from, to, 100);

    // when
    scene.serveRequests();

    // then
    assertThat(answer(request)).contains(OutboxPayload.refused("no units"));
    assertThat(moved()).containsOnly(0L);
  }

  @Test
  void shouldServeAllWhoWaitForABucketByOneIntent() {
    // given
    onSale(9, 0, 0, 0);
    Promise<Void> read = holdLooks();
    List.of(1, 2, 3).forEach(to -> ask(0, to, 1));
    scene.serveRequests();

    // when
    read.complete();

    // then
    assertThat(available()).containsExactly(0L, 3L, 3L, 3L);
    assertThat(scene.calls.of("lend")).hasSize(1);
    assertThat(scene.calls.of("take")).hasSize(1);
  }

  /** All that ask share the half, and the bucket keeps the other one. */
  @Test
  void shouldKeepHalfOfABucketThatSellsItselfWhenSeveralAsk() {
    // given
    onSale(41, 0, 0, 0);
    buy(0, 1);
    Promise<Void> read = holdLooks();
    List.of(1, 2).forEach(to -> ask(0, to, 1_000));
    scene.serveRequests();

    // when
    read.complete();

    // then
    assertThat(available()).containsExactly(20L, 10L, 10L, 0L);
  }

  /** Else the last unit would wander between two buckets, and nobody would get it. */
  @Test
  void shouldKeepUnitsForAWhileThatHaveJustCome() {
    // given
    onSale(1, 0, 0, 0);
    ask(0, 1, 1);
    scene.serveRequests();
    ask(1, 2, 1);

    // when
    scene.serveRequests();
    List<Long> atFirst = available();
    scene.advance(Lender.KEEP);

    // then
    assertThat(atFirst).containsExactly(0L, 1L, 0L, 0L);
    assertThat(available()).containsExactly(0L, 0L, 1L, 0L);
  }

  /** Half of them, although nobody has bought any there: its buyers ask for the others. */
  @Test
  void shouldMoveSomeOfManyUnitsThatHaveJustCome() {
    // given
    int many = Lender.KEEP_MOST + 2;
    onSale(many, 0, 0, 0);
    ask(1, 3, 1);
    scene.serveRequests();
    ask(0, 1, 1);
    scene.serveRequests();
    ask(1, 2, many);

    // when
    scene.serveRequests();

    // then
    assertThat(available()).containsExactly(0L, many / 2L, many / 2L, 0L);
  }

  /** Redis may still show the units of the intent before. */
  @Test
  void shouldServeTheNextAfterTheIntentBefore() {
    // given
    onSale(8, 0, 0, 0);
    buy(0, 1);
    scene.calls.answer("take", BucketCode.STALE_TERM);
    ask(0, 1, 2);
    scene.serveRequests();
    ask(0, 2, 2);

    // when
    scene.serveRequests();
    int intents = scene.calls.of("lend").size();
    scene.calls.instead.clear();
    scene.owner.relayOutbox();

    // then
    assertThat(intents).isEqualTo(1);
    assertThat(available()).containsExactly(0L, 2L, 5L, 0L);
  }

  /** It asks another bucket then. */
  @Test
  void shouldRefuseAtOnceWhenTheIntentBeforeTakesAll() {
    // given
    onSale(8, 0, 0, 0);
    scene.calls.answer("take", BucketCode.STALE_TERM);
    ask(0, 1, 2);
    scene.serveRequests();
    long second = ask(0, 2, 2);

    // when
    scene.serveRequests();

    // then
    assertThat(answer(second)).contains(OutboxPayload.refused("no units"));
  }

  @Test
  void shouldLendNothingWhenTheSkuDoesNotSell() {
    // given
    onSale(8, 0, 0, 0);
    ask(0, 1, 2);
    scene.ledger.change(SKU, SkuLedger.StateChange.CLOSE);

    // when
    scene.serveRequests();

    // then
    assertThat(scene.calls.of("take")).isEmpty();
    assertThat(moved()).containsOnly(0L);
  }

  // ---- replies that are lost, and requests that end

  @Test
  void shouldMoveOnceWhenTheRequestIsReadTwice() {
    // given
    oneOfEightIsSoldAndTwoAreWanted();
    List<OwnerRequest> read = open();
    scene.calls.answer("take", BucketCode.STALE_TERM);
    read.forEach(scene.owner::serve);

    // when
    read.forEach(scene.owner::serve);
    scene.calls.instead.clear();
    scene.owner.relayOutbox();
    read.forEach(scene.owner::serve);

    // then
    assertThat(moved()).containsExactly(-2L, 2L, 0L, 0L);
  }

  /** The owner goes on after a restore if it has booked nothing since the backup. */
  @Test
  void shouldServeWhatIsAskedAgainWhenARestoredLedgerHasLostTheIntent() {
    // given
    onSale(8, 0, 0, 0);
    buy(0, 1);
    Runnable restore = scene.ledger.backup();
    ask(0, 1, 2);
    scene.calls.answer("take", BucketCode.STALE_TERM);
    scene.serveRequests();
    restore.run();
    scene.calls.instead.clear();
    long request = ask(0, 1, 2);
    scene.serveRequests();
    boolean servedAtOnce = answer(request).isPresent();

    // when
    scene.advance(Lender.LENT_KEPT);
    scene.serveRequests();
    scene.owner.relayOutbox();

    // then
    assertThat(servedAtOnce).isFalse();
    assertThat(answer(request)).isPresent();
    assertThat(moved().get(1)).isPositive();
  }

  @Test
  void shouldMoveNothingWhenTheRequestIsWithdrawnBeforeItIsServed() {
    // given
    onSale(8, 0, 0, 0);
    long request = ask(0, 1, 2);
    List<OwnerRequest> read = open();
    scene.ledger.age(request, SkuLedger.UNSERVED_MAX);
    assertThat(scene.ledger.borrow(List.of(borrow(2, 1, 2))).result()).hasSize(1);

    // when
    read.forEach(scene.owner::serve);

    // then
    assertThat(moved()).containsOnly(0L);
    assertThat(answer(request)).contains(OutboxPayload.refused("withdrawn"));
    assertThat(scene.calls.of("take")).isEmpty();
  }

  /** The owner looks at Redis, and an instance withdraws the request meanwhile. */
  @Test
  void shouldMoveNothingWhenTheRequestIsWithdrawnWhileItIsServed() {
    // given
    onSale(8, 0, 0, 0);
    long request = ask(0, 1, 2);
    scene.ledger.age(request, SkuLedger.UNSERVED_MAX);
    scene.calls.once(
        "lend",
        arguments -> {
          scene.ledger.borrow(List.of(borrow(2, 1, 2)));
          return null;
        });

    // when
    scene.serveRequests();

    // then
    assertThat(scene.calls.of("lend")).isNotEmpty();
    assertThat(moved()).containsOnly(0L);
    assertThat(answer(request)).contains(OutboxPayload.refused("withdrawn"));
  }

  /** It would not ask another bucket for as long as this one is shut. */
  @Test
  void shouldAnswerTheRequestWhenTheBucketIsShutBeforeItGivesUnits() {
    // given
    onSale(8, 0, 0, 0);
    long request = ask(0, 1, 2);
    scene.calls.once(
        "take",
        arguments -> {
          freeze(0);
          return Future.succeededFuture(BucketCode.LOADING);
        });

    // when
    scene.serveRequests();

    // then
    assertThat(answer(request)).isPresent();
    assertThat(moved()).containsOnly(0L);
    assertThat(open()).isEmpty();
  }

  @Test
  void shouldAnswerTheRequestWhenARestockThatWaitsIsBeforeTheMove() {
    // given
    onSale(8, 0, 0, 0);
    long request = ask(0, 1, 2);
    scene.calls.answer("restock", BucketCode.LOADING);
    scene.calls.once(
        "lend",
        arguments -> {
          scene.ledger.restock(SKU, "r1", 40);
          freeze(0);
          return null;
        });

    // when
    scene.serveRequests();
    scene.owner.relayOutbox();

    // then
    assertThat(answer(request)).isPresent();
    assertThat(open()).isEmpty();
  }

  @Test
  void shouldStepDownWhenTheFenceIsLost() {
    // given
    onSale(8, 0, 0, 0);
    ask(0, 1, 2);
    scene.ledger.takeOver(OwnerScene.PARTITION, 0);

    // when
    scene.serveRequests();

    // then
    assertThat(scene.lost).isTrue();
    assertThat(moved()).containsOnly(0L);
  }

  @Test
  void shouldMoveWhatItsPredecessorHasIntended() {
    // given
    onSale(8, 0, 0, 0);
    ask(0, 1, 2);
    scene.calls.answer("take", BucketCode.STALE_TERM);
    scene.serveRequests();
    List<Long> atFirst = moved();
    scene.calls.instead.clear();

    // when
    scene.takeOver();
    scene.settle();

    // then
    assertThat(atFirst).containsOnly(0L);
    assertThat(available()).containsExactly(0L, 8L, 0L, 0L);
  }

  @Test
  void shouldTakeOnceWhenTheReplyOfRedisIsLost() {
    // given
    oneOfEightIsSoldAndTwoAreWanted();
    scene.calls.loseReply("take", LOST);

    // when
    scene.serveRequests();
    scene.owner.relayOutbox();

    // then
    assertThat(scene.calls.of("take")).hasSize(2);
    assertThat(available()).containsExactly(5L, 2L, 0L, 0L);
  }

  @Test
  void shouldMoveOnceWhenTheReplyToTheIntentIsLost() {
    // given
    oneOfEightIsSoldAndTwoAreWanted();
    scene.calls.loseReply("lend", LOST);

    // when
    scene.serveRequests();
    scene.serveRequests();

    // then
    assertThat(available()).containsExactly(5L, 2L, 0L, 0L);
  }

  /** Its row is done then, and no pass reads it again. */
  @Test
  void shouldGoOnLendingWhenTheReplyToTheEndOfAMoveIsLost() {
    // given
    oneOfEightIsSoldAndTwoAreWanted();
    scene.calls.loseReply("finishTake", LOST);
    scene.serveRequests();
    scene.owner.relayOutbox();
    ask(0, 2, 2);

    // when
    scene.serveRequests();
    scene.owner.relayOutbox();

    // then
    assertThat(available()).containsExactly(0L, 2L, 5L, 0L);
  }
}
