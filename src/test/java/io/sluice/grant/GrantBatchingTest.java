package io.sluice.grant;

import static io.sluice.grant.Desk.answer;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.grant.PlacedOrder.Accepted;
import io.sluice.grant.PlacedOrder.Refused;
import io.sluice.model.Command;
import io.sluice.model.Refusal;
import io.sluice.stock.BucketCode;
import io.sluice.stock.GrantOutcome;
import io.sluice.stock.ReserveReply;
import io.sluice.stock.StockStore.Request;
import io.sluice.stock.StockUnavailableException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.redis.client.impl.types.ErrorType;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class GrantBatchingTest {
  private final Desk unit = new Desk();

  @Test
  void shouldCountInTheBacklogWhatItBeganToAppend() {
    // given
    unit.place("alice");

    // when
    unit.stock.last().grantAll();

    // then
    assertThat(unit.registry.get("sluice_log_backlog_orders").gauge().value()).isEqualTo(1);
  }

  @Test
  void shouldBeBusyWhenTheMemoryOfRedisIsFull() {
    // given
    Future<PlacedOrder> placed = unit.place("alice");
    var oom = ErrorType.create("OOM command not allowed when used memory > 'maxmemory'.");

    // when
    unit.stock.last().reply().fail(new StockUnavailableException("reserve.lua", oom, true));

    // then
    assertThat(((Refused) answer(placed)).refusal()).isEqualTo(Refusal.BUSY);
  }

  @Test
  void shouldSendAtOnceWhenNothingIsInFlight() {
    // given
    Future<PlacedOrder> placed = unit.place("alice");

    // when
    List<Request> sent = unit.stock.last().requests();

    // then
    assertThat(placed.isComplete()).isFalse();
    assertThat(sent).containsExactly(new Request(unit.token("alice"), "alice", 1));
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
  void shouldKeepTheBatchBoundedWhenManyWait() {
    // given
    place(1 + GrantBatcher.BATCH_MAX + 3);

    // when
    unit.stock.reserves.get(0).grantAll();
    unit.stock.reserves.get(1).grantAll();
    unit.log.ackAll();

    // then
    assertThat(unit.stock.reserves)
        .extracting(call -> call.requests().size())
        .containsExactly(1, 256, 3);
    assertThat(unit.registry.get("sluice_grant_batch_size").summary().max()).isEqualTo(256);
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
    assertThat(((Refused) answer(carol)).refusal()).isEqualTo(Refusal.SOLD_OUT);
    assertThat(unit.log.last().commands()).hasSize(1);
  }

  @Test
  void shouldRecordOnceAndAnswerBothWhenTwinsShareABatch() {
    // given
    unit.place("first");
    Future<PlacedOrder> one = unit.place("alice");
    Future<PlacedOrder> twin = unit.place("alice");
    unit.stock.last().grantAll();
    List<Request> seen = new ArrayList<>();

    // when
    unit.stock
        .last()
        .reply(
            6,
            request -> {
              seen.add(request);
              return seen.size() == 1
                  ? new GrantOutcome.Granted(ScriptedStock.grant(request))
                  : new GrantOutcome.Already(ScriptedStock.grant(request), true);
            });
    unit.log.ack(8);

    // then
    assertThat(unit.log.last().commands()).hasSize(1).first().isInstanceOf(Command.Reserve.class);
    Accepted first = (Accepted) answer(one);
    Accepted second = (Accepted) answer(twin);
    assertThat(first.fresh()).isTrue();
    assertThat(second.fresh()).isFalse();
    assertThat(second.order()).isEqualTo(first.order());
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

  @Test
  void shouldAnswerAtTheDeadlineAndServeTheNextWhenTheReplyDoesNotMatch() {
    // given
    Future<PlacedOrder> broken = unit.place("alice");
    Future<PlacedOrder> next = unit.place("bob");
    unit.stock.last().reply().complete(new ReserveReply(BucketCode.OK, 1, List.of()));

    // when
    unit.stock.last().grantAll();
    unit.log.ack(7);
    unit.time.advanceMs(2_000);

    // then
    assertThat(answer(next)).isInstanceOf(Accepted.class);
    assertThat(((Refused) answer(broken)).refusal()).isEqualTo(Refusal.UNAVAILABLE);
  }

  private List<Future<PlacedOrder>> place(int count) {
    List<Future<PlacedOrder>> placed = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      placed.add(unit.place("buyer" + i));
    }
    return placed;
  }
}
