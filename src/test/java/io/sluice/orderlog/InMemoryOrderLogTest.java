package io.sluice.orderlog;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.OrderLogContract;
import io.sluice.orderlog.InMemoryOrderLog.Fate;
import io.vertx.core.Future;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class InMemoryOrderLogTest extends OrderLogContract {
  private final InMemoryOrderLog unit = new InMemoryOrderLog();
  private final InMemoryOrderLogConsumer consumer = new InMemoryOrderLogConsumer(unit);

  @Override
  protected OrderLog log() {
    return unit;
  }

  @Override
  protected OrderLogConsumer consumer() {
    return consumer;
  }

  @Override
  protected void appendInATransaction(int partition, byte[] value) {
    unit.appendRaw(partition, value);
    unit.appendMarker(partition);
  }

  @Override
  protected <T> T await(Supplier<Future<T>> call) {
    Future<T> outcome = call.get();
    consumer.poll(2);
    if (outcome.cause() instanceof RuntimeException failure) {
      throw failure;
    }
    assertThat(outcome.isComplete()).isTrue();
    return outcome.result();
  }

  @Override
  protected void eventually(ThrowingCallable assertion) {
    consumer.assign(Set.copyOf(missing()));
    while (consumer.poll(20) > 0) {
      // Delivers until nothing is left.
    }
    try {
      assertion.call();
    } catch (RuntimeException | Error failure) {
      throw failure;
    } catch (Throwable failure) {
      throw new AssertionError(failure);
    }
  }

  private List<Integer> missing() {
    Future<Set<Integer>> assigned = consumer.assignedAfterNextPoll();
    consumer.poll(1);
    return List.of(0, 1).stream().filter(one -> !assigned.result().contains(one)).toList();
  }

  @Test
  void shouldFailButKeepTheRecordWhenTheAckIsLost() {
    // given
    unit.next(Fate.ACK_LOST);

    // when
    Future<Long> appended = unit.append(5, List.of(Commands.confirm("ann")));

    // then
    assertThat(appended.failed()).isTrue();
    assertThat(unit.end(5)).isEqualTo(1);
  }

  @Test
  void shouldComeToBeLaterWhenLate() {
    // given
    unit.next(Fate.LATE);

    // when
    Future<Long> appended = unit.append(5, List.of(Commands.confirm("ann")));
    long endBefore = unit.end(5);
    unit.appendLate();

    // then
    assertThat(appended.failed()).isTrue();
    assertThat(endBefore).isZero();
    assertThat(unit.end(5)).isEqualTo(1);
  }

  @Test
  void shouldWaitForTheDecisionWhenPending() {
    // given
    unit.usually(Fate.PENDING);
    Future<Long> first = unit.append(5, List.of(Commands.confirm("ann")));
    Future<Long> second = unit.append(5, List.of(Commands.confirm("bob")));

    // when
    unit.settle(Fate.REFUSED);
    unit.settle(Fate.DUPLICATED);

    // then
    assertThat(first.failed()).isTrue();
    assertThat(second.result()).isZero();
    assertThat(unit.end(5)).isEqualTo(2);
    assertThat(unit.pending()).isZero();
  }
}
