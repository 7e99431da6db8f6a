package io.sluice.order;

import static io.sluice.grant.Desk.answer;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.grant.Desk;
import io.sluice.grant.ManualLoop;
import io.sluice.ledger.DirectLedger;
import io.sluice.model.Command;
import io.sluice.model.Order;
import io.sluice.model.OrderStatus;
import io.sluice.model.OrderToken;
import io.sluice.order.CommandAnswer.Done;
import io.sluice.order.CommandAnswer.NotNow;
import io.sluice.testkit.Ports;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DirectCommandsTest {
  private static final Duration WAIT = Duration.ofSeconds(2);

  private final Desk desk = new Desk();
  private final OrderToken token = desk.token("alice");
  private final Order confirmed = desk.order("alice", OrderStatus.CONFIRMED, 2);
  private final Command confirm = new Command.Confirm(token);
  private final ManualLoop time = new ManualLoop();
  private final OrderCache cache = new OrderCache(8, time::now, (madeAtMs, than) -> true);
  private final List<List<Command>> applied = new ArrayList<>();
  private final List<Promise<Map<OrderToken, Order>>> ends = new ArrayList<>();
  private final DirectCommands unit =
      new DirectCommands(
          Ports.answering(
              DirectLedger.class, (self, method, arguments) -> applied(method, arguments[0])),
          cache,
          time.loop(),
          WAIT);

  @Test
  void shouldTellTheOutcomeAndKeepTheOrderWhenTheLedgerHasAppliedIt() {
    // given
    Future<CommandAnswer> answer = run();

    // when
    ends.get(0).complete(Map.of(token, confirmed));

    // then
    assertThat(applied).containsExactly(List.of(confirm));
    assertThat(answer(answer)).isEqualTo(new Done(confirmed));
    assertThat(cache.lastKnown(token)).isEqualTo(confirmed);
  }

  @Test
  void shouldApplyTogetherWhatComesMeanwhileForABucket() {
    // given
    run();
    Future<CommandAnswer> second = run();
    Future<CommandAnswer> third = run();

    // when
    ends.get(0).complete(Map.of(token, confirmed));
    ends.get(1).complete(Map.of(token, confirmed));

    // then
    assertThat(applied).containsExactly(List.of(confirm), List.of(confirm, confirm));
    assertThat(List.of(answer(second), answer(third))).containsOnly(new Done(confirmed));
  }

  @Test
  void shouldAskToTryAgainWhenTheLedgerDoesNotKnowTheOrder() {
    // given
    Future<CommandAnswer> answer = run();

    // when
    ends.get(0).complete(Map.of());

    // then
    assertThat(answer(answer)).isEqualTo(new NotNow(true));
  }

  @Test
  void shouldNotTakeAFailureForAnOutcome() {
    // given
    Future<CommandAnswer> answer = run();

    // when
    ends.get(0).fail("the database is away");

    // then
    assertThat(answer(answer)).isEqualTo(new NotNow(false));
  }

  @Test
  void shouldAnswerWhenTheLedgerDoesNot() {
    // given
    Future<CommandAnswer> answer = run();
    time.advance(WAIT.minusMillis(1));
    boolean early = answer.isComplete();

    // when
    time.advanceMs(1);

    // then
    assertThat(early).isFalse();
    assertThat(answer(answer)).isEqualTo(new NotNow(false));
  }

  @Test
  void shouldTakeNoMoreThanItCanWaitFor() {
    // given
    IntStream.range(0, CommandOutcomes.COMMANDS_MAX - 1).forEach(i -> run());
    Future<CommandAnswer> last = run();

    // when
    Future<CommandAnswer> tooMany = run();
    ends.get(0).complete(Map.of(token, confirmed));
    Future<CommandAnswer> later = run();

    // then
    assertThat(answer(tooMany)).isEqualTo(new NotNow(true));
    assertThat(last.isComplete()).isFalse();
    assertThat(later.isComplete()).as("there is room again").isFalse();
  }

  @SuppressWarnings("unchecked")
  private Future<Map<OrderToken, Order>> applied(Method method, Object commands) {
    assertThat(method.getName()).isEqualTo("apply");
    applied.add((List<Command>) commands);
    ends.add(Promise.promise());
    return ends.get(ends.size() - 1).future();
  }

  private Future<CommandAnswer> run() {
    return unit.run(CommandGoal.of(confirm), token, confirm);
  }
}
