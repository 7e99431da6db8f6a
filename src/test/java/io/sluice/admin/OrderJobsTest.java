package io.sluice.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.History.HoldPlace;
import io.sluice.ledger.History.Page;
import io.sluice.ledger.History.SalePage;
import io.sluice.ledger.History.SalePlace;
import io.sluice.ledger.OrderJob;
import io.sluice.ledger.OrderJob.Action;
import io.sluice.ledger.OrderJob.State;
import io.sluice.model.Command;
import io.sluice.model.Grants;
import io.sluice.model.Order;
import io.sluice.model.OrderStatus;
import io.sluice.model.OrderToken;
import io.sluice.model.Reason;
import io.sluice.order.CommandAnswer;
import io.sluice.order.OrderAnswer;
import io.sluice.order.OrderCalls;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

class OrderJobsTest {
  private static final long STARTED_MS = FakeStories.CART.createdAtMs();

  private final FakeSales sales = new FakeSales();
  private final FakeStories stories = new FakeStories();
  private final Desk desk = new Desk();
  private final OrderJobs unit = new OrderJobs(sales, stories, desk);

  /** Answers lists of commands. */
  private static final class Desk implements OrderCalls {
    @Override
    public Future<Boolean> mayWithdraw() {
      return Future.succeededFuture(true);
    }

    final List<Command> asked = new ArrayList<>();
    Function<Command, CommandAnswer> answer = command -> new CommandAnswer.NotNow(true);

    @Override
    public Future<Answers> runAll(List<Command> commands) {
      asked.addAll(commands);
      return Future.succeededFuture(new Answers(commands.stream().map(answer).toList(), true));
    }

    @Override
    public Future<OrderAnswer> find(OrderToken token, Predicate<Order> mayAct) {
      throw new AssertionError("Expected lists of commands alone");
    }

    @Override
    public Future<OrderAnswer> findChanged(
        OrderToken token, Duration wait, Predicate<Order> mayAct, Future<Void> left) {
      throw new AssertionError("Expected lists of commands alone");
    }

    @Override
    public Future<CommandAnswer> run(Command command, Predicate<Order> mayAct) {
      throw new AssertionError("Expected lists of commands alone");
    }
  }

  private static Order order(String id, long grantedAtMs) {
    return Order.reserved(
            Grants.of(
                OrderToken.parse("1001.0." + id + "AAAAAAAAAAAAAAAAAAAAA").orElseThrow(),
                "alice",
                1,
                7,
                1,
                grantedAtMs,
                grantedAtMs + 300_000))
        .changed(OrderStatus.PENDING, null, grantedAtMs);
  }

  private void start(Action action, String saleId, long skuId) {
    sales.jobs.put(
        new OrderJob(
            "rain", action, saleId, skuId, "olga", STARTED_MS, State.RUNNING, 0, 0, 0, "", 1));
  }

  private OrderJob job() {
    return sales.jobs.job("rain").result().orElseThrow();
  }

  @Test
  void shouldCancelEachUnpaidOrderThatWasGrantedBeforeItsStart() {
    // given
    Order unpaid = order("A", STARTED_MS);
    Order later = order("B", STARTED_MS + 1);
    Order paid = order("C", STARTED_MS - 1).paid(null, STARTED_MS);
    stories.page = new Page(List.of(unpaid, later, paid), HoldPlace.FIRST, true);
    desk.answer = command -> new CommandAnswer.Done(unpaid);
    start(Action.CANCEL_UNPAID, "", 1001);

    // when
    unit.tick();

    // then
    assertThat(desk.asked).containsExactly(new Command.Cancel(unpaid.token(), Reason.OPERATOR));
    assertThat(job().changed()).isEqualTo(1);
    assertThat(job().state()).isEqualTo(State.RUNNING);
  }

  @Test
  void shouldRefundPageByPageWithinOneTick() {
    // given
    Order one = order("A", STARTED_MS - 2).paid(null, STARTED_MS);
    Order two = order("B", STARTED_MS - 1).paid(null, STARTED_MS);
    stories.salePages =
        call ->
            Future.succeededFuture(
                Optional.of(
                    new SalePage(
                        List.of(call == 1 ? one : two),
                        new SalePlace(1001, new HoldPlace(0, 1, call)),
                        call > 1)));
    desk.answer = command -> new CommandAnswer.Done(one);
    start(Action.REFUND_PAID, "phones-12", 0);

    // when
    unit.tick();

    // then
    assertThat(desk.asked)
        .containsExactly(new Command.Refund(one.token()), new Command.Refund(two.token()));
    assertThat(stories.asked.get(1)).startsWith("page phones-12 1001.0.1.1 ");
    assertThat(job().changed()).isEqualTo(2);
  }

  @Test
  void shouldTakeTheUnitsOutOfTheStockWhenAJobIsWithoutRestock() {
    // given
    Order paid = order("A", STARTED_MS).paid(null, STARTED_MS);
    stories.page = new Page(List.of(paid), HoldPlace.FIRST, true);
    desk.answer = command -> new CommandAnswer.NotYet();
    start(Action.WITHDRAW_PAID, "", 1001);

    // when
    unit.tick();

    // then
    assertThat(desk.asked).containsExactly(new Command.Refund(paid.token(), false));
    assertThat(job().state()).isEqualTo(State.RUNNING);
  }

  @Test
  void shouldSendOneCommandForAnOrderThatIsListedTwice() {
    // given
    stories.page = new Page(List.of(FakeStories.CART, FakeStories.CART), HoldPlace.FIRST, true);
    start(Action.CANCEL_UNPAID, "", 1001);

    // when
    unit.tick();

    // then
    assertThat(desk.asked)
        .containsExactly(new Command.Cancel(FakeStories.PENDING.token(), Reason.OPERATOR));
  }

  @Test
  void shouldEndOnceAPassFindsNothingToDo() {
    // given
    Order stays = order("A", STARTED_MS).paid(null, STARTED_MS);
    stories.page = new Page(List.of(stays), HoldPlace.FIRST, true);
    desk.answer = command -> new CommandAnswer.Conflict(CommandAnswer.ConflictType.ARCHIVED, stays);
    start(Action.REFUND_PAID, "", 1001);

    // when
    unit.tick();

    // then
    assertThat(job().state()).isEqualTo(State.DONE);
    assertThat(job().refused()).isEqualTo(1);
    assertThat(job().changed()).isZero();
  }

  @Test
  void shouldNotEndWhileAnOutcomeIsNotKnown() {
    // given
    stories.page = new Page(List.of(order("A", STARTED_MS)), HoldPlace.FIRST, true);
    start(Action.CANCEL_UNPAID, "", 1001);

    // when
    unit.tick();

    // then
    assertThat(job().state()).isEqualTo(State.RUNNING);
    assertThat(job().changed()).isZero();
  }

  @Test
  void shouldGoOnAfterAFailureOnceNobodyHasTheJob() {
    // given
    Order unpaid = order("A", STARTED_MS);
    desk.answer = command -> new CommandAnswer.Done(unpaid);
    start(Action.CANCEL_UNPAID, "", 1001);
    stories.pages = call -> Future.failedFuture("the database is gone");
    unit.tick();
    stories.pages = null;
    sales.nowMs = STARTED_MS + OrderJobs.LEASE.toMillis();
    stories.page = new Page(List.of(unpaid), HoldPlace.FIRST, true);

    // when
    unit.tick();

    // then
    assertThat(job().changed()).isEqualTo(1);
  }
}
