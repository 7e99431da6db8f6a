package io.sluice.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.model.Command;
import io.sluice.orderlog.Commands;
import io.sluice.orderlog.HeardPartitions;
import io.sluice.orderlog.LogBatch;
import io.sluice.orderlog.OrderLog;
import io.sluice.orderlog.OrderLogConsumer;
import io.sluice.orderlog.OrderLogConsumer.LogOffsetException;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The behaviour of every order log and its consumer, the real and the in-memory one. */
public abstract class OrderLogContract {
  private static final int P = 0;
  private static final int Q = 1;

  private final HeardPartitions heard = new HeardPartitions();
  private OrderLog log;
  private OrderLogConsumer consumer;

  protected abstract OrderLog log();

  /** A consumer that is not started; partitions 0 and 1 will be assigned to it alone. */
  protected abstract OrderLogConsumer consumer();

  /** Appends a record as another program does in a transaction, which leaves a marker behind it. */
  protected abstract void appendInATransaction(int partition, byte[] value);

  /** Makes this call as callers do, and waits for the outcome. */
  protected abstract <T> T await(Supplier<Future<T>> call);

  /** Lets time pass until this holds. */
  protected abstract void eventually(ThrowingCallable assertion);

  @BeforeEach
  void start() {
    log = log();
    consumer = consumer();
    await(() -> consumer.start(heard));
    eventually(() -> assertThat(heard.assigned()).contains(P, Q));
  }

  @Test
  void shouldDeliverCommandsInOrderWhenAppended() {
    // given
    await(() -> consumer.startAt(P, 0));

    // when
    long first = append(P, Commands.reserve("ann"), Commands.confirm("ann"));
    long second = append(P, Commands.reserve("bob"));

    // then
    eventually(
        () ->
            assertThat(heard.commands(P))
                .containsExactly(
                    Commands.reserve("ann"), Commands.confirm("ann"), Commands.reserve("bob")));
    assertThat(heard.offsets(P)).containsExactly(first, second);
    assertThat(List.of(first, second)).containsExactly(0L, 1L);
  }

  @Test
  void shouldJoinBatchesWithoutAGapWhenManyAreAppended() {
    // given
    for (int i = 0; i < 50; i++) {
      append(P, Commands.reserve("buyer" + i));
    }

    // when
    await(() -> consumer.startAt(P, 0));

    // then
    eventually(() -> assertThat(heard.offsets(P)).hasSize(50));
    long next = 0;
    for (LogBatch batch : heard.batches()) {
      assertThat(batch.firstOffset()).isEqualTo(next);
      next = batch.endOffset();
    }
    assertThat(next).isEqualTo(50);
  }

  @Test
  void shouldMoveOnToTheEndWhenATransactionHasLeftAMarker() {
    // given
    await(() -> consumer.startAt(P, 0));
    append(P, Commands.reserve("ann"));

    // when
    appendInATransaction(P, "foreign".getBytes(StandardCharsets.UTF_8));
    eventually(() -> assertThat(endOf(P)).as("two records and a marker").isEqualTo(3));
    long end = await(() -> log.endOffset(P));
    append(P, Commands.reserve("bob"));

    // then
    assertThat(end).isEqualTo(3);
    eventually(() -> assertThat(heard.offsets(P)).containsExactly(0L, 1L, 3L));
    long next = 0;
    for (LogBatch batch : heard.batches()) {
      assertThat(batch.firstOffset()).isEqualTo(next);
      next = batch.endOffset();
    }
  }

  private long endOf(int partition) {
    return heard.batches().stream()
        .filter(batch -> batch.partition() == partition)
        .mapToLong(LogBatch::endOffset)
        .max()
        .orElse(0);
  }

  @Test
  void shouldTellTheEndWhenAppended() {
    // given
    long empty = await(() -> log.endOffset(P));
    append(P, Commands.confirm("ann"));
    long last = append(P, Commands.confirm("bob"));

    // when
    long end = await(() -> log.endOffset(P));

    // then
    assertThat(empty).isZero();
    assertThat(end).isEqualTo(last + 1);
    assertThat(await(() -> log.endOffset(Q))).isZero();
  }

  @Test
  void shouldDeliverNothingWhenNobodyNamedAnOffset() {
    // given
    await(() -> consumer.startAt(Q, 0));

    // when
    append(P, Commands.confirm("ann"));
    append(Q, Commands.confirm("bob"));

    // then
    eventually(() -> assertThat(heard.commands(Q)).hasSize(1));
    assertThat(heard.commands(P)).isEmpty();
  }

  @Test
  void shouldDeliverFromTheNamedOffsetWhenStartedInTheMiddle() {
    // given
    append(P, Commands.confirm("ann"));
    append(P, Commands.confirm("bob"));

    // when
    await(() -> consumer.startAt(P, 1));

    // then
    eventually(() -> assertThat(heard.commands(P)).containsExactly(Commands.confirm("bob")));
  }

  @Test
  void shouldDeliverAgainWhenStartedAtAnEarlierOffset() {
    // given
    append(P, Commands.confirm("ann"));
    await(() -> consumer.startAt(P, 0));
    eventually(() -> assertThat(heard.offsets(P)).containsExactly(0L));

    // when
    await(() -> consumer.startAt(P, 0));

    // then
    eventually(() -> assertThat(heard.offsets(P)).containsExactly(0L, 0L));
  }

  @Test
  void shouldRefuseToStartWhenTheLogDoesNotHoldTheOffset() {
    // given
    append(P, Commands.confirm("ann"));

    // when then
    assertThatThrownBy(() -> await(() -> consumer.startAt(P, 2)))
        .isInstanceOfSatisfying(
            LogOffsetException.class,
            out -> {
              assertThat(out.partition()).isEqualTo(P);
              assertThat(out.wanted()).isEqualTo(2);
              assertThat(out.begin()).isZero();
              assertThat(out.end()).isEqualTo(1);
            });
  }

  @Test
  void shouldRefuseToStartWhenThePartitionIsNotAssigned() {
    // when then
    assertThatThrownBy(() -> await(() -> consumer.startAt(77, 0)))
        .isInstanceOf(RuntimeException.class);
  }

  @Test
  void shouldHoldRecordsBackWhenPausedByTheListener() {
    // given
    heard.whenPolled(batch -> consumer.pause(Set.of(batch.partition())));
    await(() -> consumer.startAt(P, 0));
    await(() -> consumer.startAt(Q, 0));
    append(P, Commands.confirm("ann"));
    eventually(() -> assertThat(heard.offsets(P)).containsExactly(0L));

    // when
    append(P, Commands.confirm("bob"));
    append(Q, Commands.confirm("cid"));
    eventually(() -> assertThat(heard.offsets(Q)).containsExactly(0L));
    List<Long> whilePaused = heard.offsets(P);
    await(() -> resume(P));

    // then
    assertThat(whilePaused).containsExactly(0L);
    eventually(() -> assertThat(heard.offsets(P)).containsExactly(0L, 1L));
  }

  @Test
  void shouldTellWhatIsAssignedAfterTheNextPoll() {
    // when
    Set<Integer> assigned = await(consumer::assignedAfterNextPoll);

    // then
    assertThat(assigned).contains(P, Q);
  }

  @Test
  void shouldRevokeEverythingWhenClosed() {
    // when
    await(consumer::close);

    // then
    assertThat(heard.assigned()).isEmpty();
  }

  private Future<Void> resume(int partition) {
    consumer.resume(Set.of(partition));
    return Future.succeededFuture();
  }

  private long append(int partition, Command... commands) {
    return await(() -> log.append(partition, List.of(commands)));
  }
}
