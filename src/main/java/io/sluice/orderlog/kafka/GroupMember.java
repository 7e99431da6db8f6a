package io.sluice.orderlog.kafka;

import io.sluice.async.AsyncLoop;
import io.sluice.orderlog.LogBatch;
import io.sluice.orderlog.LogBatch.LogRecord;
import io.sluice.orderlog.LogOffsetException;
import io.sluice.orderlog.OrderLogCodec;
import io.sluice.orderlog.OrderLogCodec.Decoded;
import io.sluice.orderlog.PartitionListener;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;

/**
 * A member of the group, from joining to leaving: it turns polls into calls of the listener. Runs
 * on the context that created it, except the two callbacks of the poll thread.
 */
final class GroupMember implements PollLoop.Driver<Decoded>, RebalanceRelay.Listener {
  private static final int ASK_AGAIN_MS = 200;

  /** Much longer than one transaction; no rebalance is delayed for longer than this. */
  private static final Duration HAND_OVER_MAX = Duration.ofSeconds(2);

  /**
   * @param partitions of the topic that are used; the group may assign more
   */
  record Group(String name, String topic, int partitions) {}

  private final Vertx vertx;
  private final Group group;
  private final KafkaAdmin admin;
  private final Consumer<String, Decoded> consumer;
  private final PartitionListener listener;
  private final Runnable pollFailed;
  private final RebalanceRelay rebalances;
  private final PollLoop<Decoded> loop;
  private final PollFaults faults;
  private final AssignedPartitions partitions = new AssignedPartitions();

  GroupMember(
      Vertx vertx,
      Group group,
      KafkaAdmin admin,
      Consumer<String, Decoded> consumer,
      PartitionListener listener,
      Runnable pollFailed) {
    this.vertx = vertx;
    this.group = group;
    this.admin = admin;
    this.consumer = consumer;
    this.listener = listener;
    this.pollFailed = pollFailed;
    this.faults = new PollFaults(group.topic());
    this.rebalances = new RebalanceRelay(consumer, this);
    this.loop = new PollLoop<>(vertx, "sluice-log-poll", consumer, PollPacer.ofOrders(), this);
  }

  /** This member's id in the group; empty before the first assignment. From any thread. */
  String id() {
    return rebalances.memberId();
  }

  Future<Void> join() {
    return loop.start(() -> consumer.subscribe(Set.of(group.topic()), rebalances));
  }

  @Override
  public void assigned(Set<Integer> all) {
    Set<Integer> assigned =
        all.stream()
            .filter(partition -> partition < group.partitions())
            .collect(Collectors.toUnmodifiableSet());
    loop.report(
        () -> {
          partitions.assigned(assigned);
          loop.stir();
          listener.assigned(assigned);
        });
  }

  @Override
  public void revoked(Set<Integer> revoked) {
    loop.reportAndWait(() -> giveUp(revoked), HAND_OVER_MAX);
  }

  @Override
  public void lost(Set<Integer> lost) {
    loop.report(() -> giveUp(lost));
  }

  private Future<Void> giveUp(Set<Integer> revoked) {
    partitions.revoked(revoked);
    // The rebalance goes on in the next polls.
    loop.stir();
    return listener.revoked(revoked);
  }

  Future<Void> startAt(int partition, long offset) {
    long generation = partitions.prepareStart(partition);
    if (generation == 0) {
      return Future.failedFuture(notStartable(partition));
    }
    return admin
        .range(group.topic(), partition)
        .compose(
            range -> {
              if (!partitions.isCurrent(partition, generation)) {
                return Future.failedFuture(notStartable(partition));
              }
              if (!range.holds(offset)) {
                return Future.failedFuture(
                    new LogOffsetException(partition, offset, range.begin(), range.end()));
              }
              partitions.start(partition, offset, loop.nextPoll());
              loop.wake();
              return Future.succeededFuture();
            });
  }

  private static IllegalStateException notStartable(int partition) {
    return new IllegalStateException(
        "Expected partition %d to be assigned and started once, but it is not"
            .formatted(partition));
  }

  /** Whether its polls rest because nothing comes; from any thread. */
  boolean isIdle() {
    return loop.isIdle();
  }

  /** A record is about to come, so its polls do not rest. */
  void stir() {
    loop.stir();
  }

  void pause(Set<Integer> paused) {
    partitions.pause(paused);
  }

  void resume(Set<Integer> resumed) {
    partitions.resume(resumed);
    loop.wake();
    // Not synchronously: the listener may still be processing the records before these.
    loop.report(this::deliverHeld);
  }

  private void deliverHeld() {
    LogBatch held = partitions.takeHeld();
    while (held != null) {
      deliver(held);
      loop.wake();
      held = partitions.takeHeld();
    }
  }

  /**
   * Asks the group's coordinator: a member that was stalled for long still considers its old
   * partitions assigned, and its next poll may not correct that.
   */
  Future<Set<Integer>> assignedAfterNextPoll() {
    return AsyncLoop.untilPresent(
        () -> loop.afterNextPoll().compose(polled -> heldByThis().recover(away -> askLater())));
  }

  private Future<Optional<Set<Integer>>> heldByThis() {
    if (partitions.all().isEmpty()) {
      return Future.succeededFuture(Optional.of(Set.of()));
    }
    return admin
        .heldBy(group.name(), rebalances.memberId(), partitions.all())
        .map(held -> Optional.of(stillAssigned(held)));
  }

  private Future<Optional<Set<Integer>>> askLater() {
    return vertx.timer(ASK_AGAIN_MS, TimeUnit.MILLISECONDS).map(Optional.empty());
  }

  private Set<Integer> stillAssigned(Set<Integer> held) {
    Set<Integer> both = new HashSet<>(held);
    both.retainAll(partitions.all());
    return both;
  }

  @Override
  public PollPlan plan(long poll) {
    return partitions.plan();
  }

  @Override
  public void polled(long poll, PollLoop.Polled<Decoded> polled) {
    faults.polled(polled.records());
    polled
        .moves()
        .forEach(
            (partition, move) -> {
              if (move.to() > move.from()) {
                moved(poll, partition, move, polled.records());
              }
            });
  }

  private void moved(
      long poll, int partition, Positions.Move move, ConsumerRecords<String, Decoded> records) {
    List<LogRecord> read =
        records.records(new TopicPartition(group.topic(), partition)).stream()
            .map(GroupMember::read)
            .toList();
    LogBatch batch = new LogBatch(partition, move.from(), move.to(), read);
    if (partitions.admit(poll, batch)) {
      deliver(batch);
    }
  }

  private static LogRecord read(ConsumerRecord<String, Decoded> record) {
    Decoded value = record.value() == null ? OrderLogCodec.decode(null) : record.value();
    String instance = InstanceHeader.in(record.headers());
    return new LogRecord(
        record.offset(),
        Math.max(0, record.timestamp()),
        // Every release of a higher version names its instance; to wait for another would block.
        value.supported() || instance == null,
        value.commands(),
        instance);
  }

  private void deliver(LogBatch batch) {
    try {
      listener.polled(batch);
    } catch (RuntimeException bug) {
      // Continuing would skip these records, so the partition is stopped instead.
      partitions.stop(batch.partition());
      listener.failed(batch.partition(), bug);
    }
  }

  @Override
  public boolean handled(long poll, Throwable failure) {
    if (failure instanceof OffsetOutOfRangeException gone) {
      gone.offsetOutOfRangePartitions()
          .forEach((from, offset) -> outOfRange(poll, from.partition(), offset, gone));
      return true;
    }
    pollFailed.run();
    faults.failed(failure);
    return false;
  }

  private void outOfRange(long poll, int partition, long offset, Throwable cause) {
    if (!partitions.isRead(partition, poll)) {
      return;
    }
    partitions.stop(partition);
    long generation = partitions.generation(partition);
    admin
        .range(group.topic(), partition)
        .onComplete(
            (range, unknown) -> {
              if (partitions.isCurrent(partition, generation)) {
                listener.failed(
                    partition,
                    range == null
                        ? cause
                        : new LogOffsetException(partition, offset, range.begin(), range.end()));
              }
            });
  }

  Future<Void> leave() {
    partitions.revoked(partitions.all());
    return loop.close();
  }
}
