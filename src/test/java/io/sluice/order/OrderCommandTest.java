package io.sluice.order;

import static io.sluice.grant.Desk.answer;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.grant.Desk;
import io.sluice.grant.ScriptedLog;
import io.sluice.model.Command;
import io.sluice.model.Grants;
import io.sluice.model.Order;
import io.sluice.model.OrderStatus;
import io.sluice.model.OrderToken;
import io.sluice.model.Reason;
import io.sluice.model.Sku;
import io.sluice.order.CommandAnswer.Conflict;
import io.sluice.order.CommandAnswer.ConflictType;
import io.sluice.order.CommandAnswer.Done;
import io.sluice.order.CommandAnswer.NotNow;
import io.sluice.order.CommandAnswer.Unknown;
import io.sluice.stock.BucketCode;
import io.sluice.stock.Recorded;
import io.vertx.core.Future;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands that are answered without the log, and the records of those that go to it. */
class OrderCommandTest {
  private final Desk unit = new Desk();
  private final OrderToken token = unit.token("alice");
  private final Order pending = unit.order("alice", OrderStatus.PENDING, 1);
  private final Order confirmed = unit.order("alice", OrderStatus.CONFIRMED, 2);
  private final Order refunded = unit.order("alice", OrderStatus.REFUNDED, 3);
  private final Order canceled = unit.order("alice", OrderStatus.CANCELED, 2);

  @Test
  void shouldAppendTheCommandToItsPartitionWhenTheOrderIsPending() {
    // given
    unit.ledger.put(pending);

    // when
    confirm();
    unit.orders.run(new Command.Cancel(token, Reason.BUYER), order -> true);
    unit.orders.run(new Command.Refund(token), order -> true);

    // then
    assertThat(unit.log.appends)
        .extracting(ScriptedLog.Append::commands)
        .isEqualTo(
            List.of(
                List.of(new Command.Confirm(token)),
                List.of(new Command.Cancel(token, Reason.BUYER)),
                List.of(new Command.Refund(token))));
    assertThat(unit.log.appends)
        .extracting(ScriptedLog.Append::partition)
        .containsOnly(unit.partition("alice"));
  }

  /** An older instance may own the partition, and would put the units back on sale. */
  @Test
  void shouldWithdrawNothingBeforeEveryInstanceKnowsIt() {
    // given
    unit.ledger.put(confirmed);
    unit.ledger.raised = Future.succeededFuture(false);

    // when
    CommandAnswer refused = answer(unit.orders.run(withdrawal(), order -> true));
    CommandAnswer again = answer(unit.orders.run(withdrawal(), order -> true));
    int raises = unit.ledger.raises;
    unit.orders.run(new Command.Refund(token), order -> true);

    // then
    assertThat(List.of(refused, again)).containsOnly(new CommandAnswer.NotYet());
    assertThat(raises).isEqualTo(1);
    assertThat(unit.log.appends)
        .extracting(ScriptedLog.Append::commands)
        .containsExactly(List.of(new Command.Refund(token)));
  }

  /** A raise is for good: the build before could not be started again. */
  @Test
  void shouldNotRaiseTheLedgerForARefundThatChangesNothing() {
    // given
    unit.ledger.put(confirmed.refunded(confirmed.unitsLeft(), confirmed.notes(), 9));
    Command.Refund unknown = new Command.Refund(unit.token("nobody"), false);

    // when
    CommandAnswer repeated = answer(unit.orders.run(withdrawal(), order -> true));
    CommandAnswer none = answer(unit.orders.run(unknown, order -> true));

    // then
    assertThat(repeated).isInstanceOf(CommandAnswer.Done.class);
    assertThat(none).isEqualTo(new CommandAnswer.Unknown());
    assertThat(unit.ledger.raises).isZero();
  }

  @Test
  void shouldAskAgainWhetherItMayWithdrawWhenTheLedgerDidNotSay() {
    // given
    unit.ledger.put(confirmed);
    unit.ledger.raised = Future.failedFuture("away");
    CommandAnswer unknown = answer(unit.orders.run(withdrawal(), order -> true));

    // when
    unit.ledger.raised = Future.succeededFuture(true);
    unit.orders.run(withdrawal(), order -> true);

    // then
    assertThat(unknown).isEqualTo(new CommandAnswer.NotNow(false));
    assertThat(unit.log.appends)
        .extracting(ScriptedLog.Append::commands)
        .containsExactly(List.of(withdrawal()));
  }

  private Command withdrawal() {
    return new Command.Refund(token, false);
  }

  /** A forged event let a stranger cancel the order of its buyer. */
  @Test
  void shouldNotBelieveAnEventAloneWhoseTheOrderIs() {
    // given
    unit.ledger.put(pending);
    unit.hear(
        Order.reserved(Grants.of(token, "mallory", 1, 3, 1, 10_000, 310_000))
            .changed(OrderStatus.PENDING, null, 10_001));

    // when
    CommandAnswer answer =
        answer(
            unit.orders.run(
                new Command.Cancel(token, Reason.BUYER),
                order -> order.userId().equals("mallory")));

    // then
    assertThat(answer).isEqualTo(new Unknown());
    assertThat(unit.log.appends).isEmpty();
  }

  @Test
  void shouldAnswerFromTheLedgerWhenItIsDecided() {
    // given
    unit.ledger.put(confirmed);

    // when
    CommandAnswer answer = answer(confirm());

    // then
    assertThat(answer).isEqualTo(new Done(confirmed));
    assertThat(unit.log.appends).isEmpty();
  }

  @Test
  void shouldNotTrustTheCacheWhenConfirmedMayHaveBeenRefunded() {
    // given
    unit.heartbeat("alice", 1);
    unit.hear(confirmed);
    unit.ledger.put(refunded);

    // when
    CommandAnswer answer = answer(confirm());

    // then
    assertThat(answer).isEqualTo(new Conflict(ConflictType.ALREADY_REFUNDED, refunded));
  }

  @Test
  void shouldTrustTheCacheWhenTheOutcomeCannotChangeAndTheLedgerIsDown() {
    // given
    answer(unit.catalog.find(Desk.SKU));
    unit.hear(refunded);
    unit.ledger.down = true;

    // when
    CommandAnswer answer = answer(unit.orders.run(new Command.Refund(token), order -> true));

    // then
    assertThat(answer).isEqualTo(new Done(refunded));
  }

  /** Its absence is remembered for a second. */
  @Test
  void shouldBeBusyWhenTheSkuWasAskedForBeforeItWasThere() {
    // given
    unit.hear(pending);
    Sku sku = unit.ledger.skus.remove(Desk.SKU);
    unit.catalog.find(Desk.SKU);
    unit.ledger.skus.put(Desk.SKU, sku);

    // when
    CommandAnswer answer = answer(confirm());

    // then
    assertThat(answer).isEqualTo(new NotNow(true));
    assertThat(unit.log.appends).isEmpty();
  }

  /** Whether the cache knows the refund or not. */
  @ParameterizedTest
  @EnumSource(
      value = OrderStatus.class,
      names = {"CONFIRMED", "REFUNDED"})
  void shouldNotTrustTheCacheWhenTheOrderMayBeArchived(OrderStatus status) {
    // given
    Order heard = unit.order("alice", status, 3);
    unit.hear(heard);
    unit.ledger.put(heard.inArchive());

    // when
    CommandAnswer answer = answer(unit.orders.run(new Command.Refund(token), order -> true));

    // then
    assertThat(answer).isEqualTo(new Conflict(ConflictType.ARCHIVED, heard.inArchive()));
    assertThat(unit.log.appends).isEmpty();
  }

  /** Where the order was found, if so: in Redis, or an old one in the cache. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldLetTheLogDecideWhenTheOrderIsNotReadFromTheLedger(boolean inRedis) {
    // given
    if (inRedis) {
      unit.stock.recorded.put(token, new Recorded(unit.grant("alice"), true, true));
    } else {
      unit.hear(pending);
      unit.catalog.find(Desk.SKU);
      unit.ledger.down = true;
    }

    // when
    Future<CommandAnswer> answer = confirm();

    // then
    assertThat(answer.isComplete()).isFalse();
    assertThat(unit.log.appends).hasSize(1);
  }

  /** Whether the SKU and the order are known, and what answers instead of the log. */
  @ParameterizedTest
  @CsvSource({"OK, false, false", "LOADING, false, true", "OK, true, true", "OK, true, false"})
  void shouldPassOnThatTheOrderCannotBeFoundNow(BucketCode redis, boolean down, boolean known) {
    // given
    unit.stock.code = redis;
    if (known) {
      unit.catalog.find(Desk.SKU);
    } else if (down) {
      unit.hear(pending);
    }
    unit.ledger.down = down;

    // when
    CommandAnswer answer = answer(confirm());

    // then
    boolean isUnknown = redis == BucketCode.OK && !down;
    assertThat(answer).isEqualTo(isUnknown ? new Unknown() : new NotNow(!down));
    assertThat(unit.log.appends).isEmpty();
  }

  @Test
  void shouldRecordALatePaymentWhenTheOrderIsCanceled() {
    // given
    unit.ledger.put(canceled);

    // when
    Future<CommandAnswer> answer = confirm();

    // then
    assertThat(answer.isComplete()).isFalse();
    assertThat(unit.log.last().commands()).containsExactly(new Command.Confirm(token));
  }

  @Test
  void shouldBeUnknownAndAppendNothingWhenTheCallerMayNotAct() {
    // given
    unit.ledger.put(pending);
    unit.hear(pending);

    // when
    CommandAnswer answer =
        answer(
            unit.orders.run(
                new Command.Cancel(token, Reason.BUYER), order -> order.userId().equals("bob")));

    // then
    assertThat(answer).isEqualTo(new Unknown());
    assertThat(unit.log.appends).isEmpty();
  }

  private Future<CommandAnswer> confirm() {
    return unit.orders.run(new Command.Confirm(token), order -> true);
  }
}
