package io.sluice.grant;

import static io.sluice.grant.Desk.accepted;
import static io.sluice.grant.Desk.answer;
import static io.sluice.grant.Desk.refusal;
import static io.sluice.grant.Desk.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.grant.PlacedOrder.Accepted;
import io.sluice.grant.PlacedOrder.Refused;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.Order;
import io.sluice.model.Refusal;
import io.sluice.stock.BucketCode;
import io.sluice.stock.GrantOutcome;
import io.sluice.stock.ReserveReply;
import io.sluice.stock.StockStore;
import io.sluice.stock.StockStore.Request;
import io.sluice.stock.StockUnavailableException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.redis.client.impl.types.ErrorType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GrantBatchingTest extends CartPlacingScene {

  @Test
  void shouldCountInTheBacklogWhatItBeganToAppend() {
    // given
    unit.place("alice");

    // when
    unit.stock.last().grantAll();

    // then
    assertThat(unit.registry.get("sluice_log_backlog_orders").gauge().value()).isEqualTo(1);
  }

  @ParameterizedTest(name = "{0} SKUs")
  @ValueSource(ints = {1, 2})
  void shouldBeBusyWhenTheMemoryOfRedisIsFull(int skus) {
    // given
    Future<PlacedOrder> placed = place("alice", skus);
    var oom = ErrorType.create("OOM command not allowed when used memory > 'maxmemory'.");

    // when
    last().reply().fail(new StockUnavailableException("reserve.lua", oom, true));

    // then
    assertThat(refused(placed)).isEqualTo(Refusals.FULL);
  }

  @ParameterizedTest
  @CsvSource({"1, " + GrantBatcher.BATCH_MAX, "2, " + StockStore.CARTS_MAX})
  void shouldKeepTheBatchBoundedWhenManyWait(int skus, int most) {
    // given
    placeMany(1 + most + 3, skus);

    // when
    calls.get(0).grantAll();
    calls.get(1).grantAll();
    unit.log.ackAll();

    // then
    assertThat(calls).extracting(call -> call.requests().size()).containsExactly(1, most, 3);
    assertThat(unit.registry.get("sluice_grant_batch_size").summary().max()).isEqualTo(most);
  }

  @ParameterizedTest(name = "{0} SKUs")
  @ValueSource(ints = {1, 2})
  void shouldRecordOnceAndAnswerBothWhenTwinsShareABatch(int skus) {
    // given
    place("first", skus);
    Future<PlacedOrder> one = place("alice", skus);
    Future<PlacedOrder> twin = place("alice", skus);
    last().grantAll();
    Grant granted = ScriptedStock.grant(last().requests().get(0));
    List<Request> seen = new ArrayList<>();

    // when
    last()
        .reply(
            6,
            request -> {
              seen.add(request);
              return seen.size() == 1
                  ? new GrantOutcome.Granted(granted)
                  : new GrantOutcome.Already(granted, true);
            });
    unit.log.ackAll();

    // then
    assertThat(unit.log.last().commands()).hasSize(1).first().isInstanceOf(Command.Reserve.class);
    assertThat(accepted(one)).isEqualTo(new Accepted(Order.reserved(granted), true));
    assertThat(accepted(twin)).isEqualTo(new Accepted(Order.reserved(granted), false));
  }

  @ParameterizedTest(name = "{0} SKUs")
  @ValueSource(ints = {1, 2})
  void shouldAnswerAtTheDeadlineAndServeTheNextWhenTheReplyDoesNotMatch(int skus) {
    // given
    Future<PlacedOrder> broken = place("alice", skus);
    Future<PlacedOrder> next = place("bob", skus);
    last()
        .reply()
        .complete(
            skus == 1
                ? new ReserveReply(BucketCode.OK, 1, List.of())
                : ReserveReply.ofCarts(List.of(), Map.of(), ScriptedStock.RUN));

    // when
    last().grantAll();
    unit.log.ackAll();
    unit.time.advanceMs(2_000);

    // then
    assertThat(accepted(next).fresh()).isTrue();
    assertThat(refusal(broken)).isEqualTo(Refusal.UNAVAILABLE);
  }

  @Test
  void shouldSendAtOnceWhenNothingIsInFlight() {
    // given
    Desk alone = new Desk();
    Future<PlacedOrder> placed = alone.place("alice");

    // when
    List<Request> sent = alone.stock.last().requests();

    // then
    assertThat(placed.isComplete()).isFalse();
    assertThat(sent).containsExactly(new Request(alone.token("alice"), "alice", 1));
  }

  /** Fewer, larger calls, and fewer grants that no record has. */
  @Test
  void shouldAskRedisAgainOnlyWhenTheLogHasRoom() {
    // given
    Promise<Void> room = Promise.promise();
    unit.log.room = room.future();
    unit.place("alice");
    unit.place("bob");
    unit.stock.last().grantAll();
    int before = unit.stock.reserves.size();

    // when
    room.complete();

    // then
    assertThat(before).isEqualTo(1);
    assertThat(unit.stock.reserves).hasSize(2);
  }

  @Test
  void shouldNotWaitLongForRoomInTheLog() {
    // given
    unit.log.room = Promise.<Void>promise().future();
    unit.place("alice");
    unit.place("bob");
    unit.stock.last().grantAll();

    // when
    unit.time.advance(GrantRecorder.ROOM_WAIT_MAX);

    // then
    assertThat(unit.stock.reserves).hasSize(2);
  }

  @Test
  void shouldSendTogetherWhatArrivedWhenTheLastScriptReturns() {
    // given
    unit.place("alice");
    unit.place("bob");
    unit.place("carol");
    assertThat(unit.stock.reserves).hasSize(1);

    // when
    unit.stock.last().grantAll();

    // then
    assertThat(unit.stock.reserves).hasSize(2);
    assertThat(unit.stock.last().requests())
        .extracting(Request::userId)
        .containsExactly("bob", "carol");
  }

  @Test
  void shouldNotWaitForTheLogWhenTheNextBatchGoesOut() {
    // given
    unit.place("alice");
    unit.stock.last().grantAll();

    // when
    unit.place("bob");

    // then
    assertThat(unit.stock.reserves).hasSize(2);
  }

  @Test
  void shouldSendFullBatchesBesideOneInFlightButNotEndlesslyMany() {
    // when
    place(1 + 10 * GrantBatcher.BATCH_MAX);

    // then
    assertThat(unit.stock.reserves)
        .extracting(call -> call.requests().size())
        .containsExactly(1, 256, 256, 256);
  }

  @Test
  void shouldAskBucketsSideBySideWhenBuyersDiffer() {
    // given
    Desk desk = new Desk(2);

    // when
    desk.place(desk.buyerOf(0));
    desk.place(desk.buyerOf(1));

    // then
    assertThat(desk.stock.reserves)
        .extracting(call -> call.bucket().bucket())
        .containsExactly(0, 1);
  }

  @Test
  void shouldAppendTheGrantsOfABatchAsOneRecord() {
    // given
    unit.place("alice");
    List<Future<PlacedOrder>> placed = List.of(unit.place("bob"), unit.place("carol"));
    unit.stock.last().grantAll();

    // when
    unit.stock.last().grantAll();
    unit.log.ack(8);

    // then
    assertThat(unit.log.appends).hasSize(2);
    assertThat(unit.log.last().commands()).hasSize(2);
    assertThat(placed).allSatisfy(each -> assertThat(answer(each)).isInstanceOf(Accepted.class));
    assertThat(unit.registry.get("sluice_log_append").timer().count()).isEqualTo(1);
  }

  @Test
  void shouldRefuseSomeAndGrantOthersWhenStockEndsInTheBatch() {
    // given
    unit.place("first");
    Future<PlacedOrder> bob = unit.place("bob");
    Future<PlacedOrder> carol = unit.place("carol");
    unit.stock.last().grantAll();

    // when
    unit.stock
        .last()
        .reply(
            0,
            request ->
                request.userId().equals("bob")
                    ? new GrantOutcome.Granted(ScriptedStock.grant(request))
                    : new GrantOutcome.Refused(Refusal.SOLD_OUT));
    unit.log.ack(8);

    // then
    assertThat(answer(bob)).isInstanceOf(Accepted.class);
    assertThat(refusal(carol)).isEqualTo(Refusal.SOLD_OUT);
    assertThat(unit.log.last().commands()).hasSize(1);
  }

  @Test
  void shouldBeBusyWhenTooManyAreUnderWay() {
    // given
    place(Desk.UNDER_WAY_MAX);

    // when
    Refused over = (Refused) answer(unit.place("one too many"));

    // then
    assertThat(over.refusal()).isEqualTo(Refusal.BUSY);
    assertThat(over.retryAfterS()).isEqualTo(1);
    assertThat(unit.registry.get("sluice_refusals").tag("refusal", "busy").counter().count())
        .isEqualTo(1);
  }

  @Test
  void shouldTakeRequestsAgainWhenOthersWereAnswered() {
    // given
    place(Desk.UNDER_WAY_MAX);
    unit.stock.last().grantAll();
    unit.log.ack(7);

    // when
    Future<PlacedOrder> next = unit.place("next");

    // then
    assertThat(next.isComplete()).isFalse();
  }

  private List<Future<PlacedOrder>> place(int count) {
    return placeMany(count, 1);
  }

  private List<Future<PlacedOrder>> placeMany(int count, int skus) {
    return IntStream.range(0, count).mapToObj(i -> place("buyer" + i, skus)).toList();
  }
}
