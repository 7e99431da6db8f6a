package io.sluice.orderlog.kafka;

import io.sluice.async.AsyncLoop;
import io.sluice.async.ContextDispatcher;
import io.sluice.config.KafkaConfig;
import io.sluice.metrics.Meters;
import io.sluice.orderlog.LogBatch;
import io.sluice.orderlog.LogBatch.LogRecord;
import io.sluice.orderlog.OrderLogCodec;
import io.sluice.orderlog.OrderLogCodec.Decoded;
import io.sluice.orderlog.OrderLogConsumer;
import io.sluice.orderlog.OrderLogConsumer.LogOffsetException;
import io.sluice.orderlog.OrderLogConsumer.PartitionListener;
import io.sluice.orderlog.kafka.AssignedPartitions.PollPlan;
import io.sluice.orderlog.kafka.PollLoop.PollFaults;
import io.sluice.orderlog.kafka.PollLoop.Positions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the order log as a member of the group. Records are decoded on the poll thread; everything
 * else runs on the context that started it, from wherever it is called.
 */
public final class KafkaOrderLogConsumer implements OrderLogConsumer {
  private final Vertx vertx;
  private final KafkaConfig config;
  private final String ledger;
  private final KafkaAdmin admin;
  private final Runnable pollFailed;
  private @Nullable volatile ContextDispatcher home;
  private @Nullable volatile GroupMember member;
  private volatile boolean closed;

  /**
   * The topic must exist: {@link KafkaTopics#ensure}.
   *
   * @param ledger the id of the ledger
   */
  public KafkaOrderLogConsumer(
      Vertx vertx, KafkaConfig config, String ledger, KafkaAdmin admin, Meters meters) {
    this.vertx = vertx;
    this.ledger = ledger;
    this.config = config;
    this.admin = admin;
    this.pollFailed = meters.logPollsFailed()::increment;
  }

  @Override
  public Future<Void> start(PartitionListener listener) {
    if (home != null) {
      return Future.failedFuture(new IllegalStateException("Expected one start, but got another"));
    }
    home = ContextDispatcher.here(vertx);
    return vertx.executeBlocking(this::connect).compose(consumer -> join(consumer, listener));
  }

  /** Called on a worker thread, because it resolves host names and loads many classes. */
  private KafkaConsumer<String, Decoded> connect() {
    return new KafkaConsumer<>(
        ClientSettings.ordersConsumer(config, InstanceName.member(config, ledger)),
        new StringDeserializer(),
        (topic, value) -> OrderLogCodec.decode(value));
  }

  private Future<Void> join(KafkaConsumer<String, Decoded> consumer, PartitionListener listener) {
    if (closed) {
      consumer.close();
      return Future.failedFuture(new IllegalStateException("Expected to join, but got closed"));
    }
    GroupMember joining = new GroupMember(consumer, listener);
    member = joining;
    return joining.join();
  }

  /** A record was appended by this instance: the next fetch reads it. From any thread. */
  public void appended() {
    if (isIdle()) {
      tell(GroupMember::stir);
    }
  }

  /** Whether polls rest because nothing comes. */
  boolean isIdle() {
    GroupMember joined = member;
    return joined != null && joined.isIdle();
  }

  @Override
  public Future<Void> startAt(int partition, long offset) {
    return ask(joined -> joined.startAt(partition, offset));
  }

  @Override
  public void pause(Set<Integer> partitions) {
    tell(joined -> joined.pause(partitions));
  }

  @Override
  public void resume(Set<Integer> partitions) {
    tell(joined -> joined.resume(partitions));
  }

  @Override
  public Future<Set<Integer>> assignedAfterNextPoll() {
    return ask(GroupMember::assignedAfterNextPoll);
  }

  @Override
  public Future<Boolean> hasOthers() {
    GroupMember joined = member;
    String own = joined == null ? "" : joined.id();
    return admin
        .members(config.group())
        .map(members -> members.stream().anyMatch(id -> !id.equals(own)));
  }

  @Override
  public Future<Optional<Set<Integer>>> settledShare() {
    GroupMember joined = member;
    return joined == null || joined.id().isEmpty()
        ? Future.succeededFuture(Optional.empty())
        : admin.settledShare(config.group(), joined.id(), config.partitions());
  }

  @Override
  public Future<Void> close() {
    closed = true;
    return member == null ? Future.succeededFuture() : ask(GroupMember::leave);
  }

  private <T> Future<T> ask(Function<GroupMember, Future<T>> question) {
    GroupMember joined = member;
    ContextDispatcher here = home;
    return joined == null || here == null
        ? Future.failedFuture(new IllegalStateException("Expected to be started, but am not"))
        : here.call(() -> question.apply(joined));
  }

  private void tell(Consumer<GroupMember> order) {
    GroupMember joined = member;
    ContextDispatcher here = home;
    if (joined != null && here != null) {
      here.run(() -> order.accept(joined));
    }
  }

  /**
   * A member of the group, from joining to leaving: it turns polls into calls of the listener. Runs
   * on the context that created it, except the callbacks of rebalances, which come on the poll
   * thread, during a poll.
   */
  private final class GroupMember implements PollLoop.Driver<Decoded>, ConsumerRebalanceListener {
    private static final int ASK_AGAIN_MS = 200;

    /** Has no effect: nothing is read before an offset is set. */
    private static final long PLACEHOLDER_OFFSET = 0;

    /** Much longer than one transaction; no rebalance is delayed for longer than this. */
    private static final Duration HAND_OVER_MAX = Duration.ofSeconds(2);

    private final String topic = config.ordersTopic();
    private final KafkaConsumer<String, Decoded> consumer;
    private final PartitionListener listener;
    private final PollLoop<Decoded> loop;
    private final PollFaults faults = new PollFaults(topic);
    private final AssignedPartitions partitions = new AssignedPartitions();
    private volatile String memberId = "";

    GroupMember(KafkaConsumer<String, Decoded> consumer, PartitionListener listener) {
      this.consumer = consumer;
      this.listener = listener;
      this.loop = new PollLoop<>(vertx, "sluice-log-poll", consumer, PollPacer.ofOrders(), this);
    }

    /** This member's id in the group; empty before the first assignment. From any thread. */
    String id() {
      return memberId;
    }

    Future<Void> join() {
      return loop.start(() -> consumer.subscribe(Set.of(topic), this));
    }

    /**
     * Gives each new partition a position and pauses it before the poll continues; otherwise the
     * poll would look for a committed offset, find none, and throw.
     */
    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> all) {
      memberId = consumer.groupMetadata().memberId();
      consumer.pause(all);
      all.forEach(partition -> consumer.seek(partition, PLACEHOLDER_OFFSET));
      if (all.isEmpty()) {
        return;
      }
      Set<Integer> assigned =
          numbers(all).stream()
              // Those of the topic that are used; the group may assign more.
              .filter(partition -> partition < config.partitions())
              .collect(Collectors.toUnmodifiableSet());
      loop.report(
          () -> {
            partitions.assigned(assigned);
            loop.stir();
            listener.assigned(assigned);
          });
    }

    /** The rebalance continues when this returns. */
    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> revoked) {
      if (!revoked.isEmpty()) {
        loop.reportAndWait(() -> giveUp(numbers(revoked)), HAND_OVER_MAX);
      }
    }

    /** Others may own these partitions already. */
    @Override
    public void onPartitionsLost(Collection<TopicPartition> lost) {
      if (!lost.isEmpty()) {
        loop.report(() -> giveUp(numbers(lost)));
      }
    }

    private static Set<Integer> numbers(Collection<TopicPartition> partitions) {
      return partitions.stream().map(TopicPartition::partition).collect(Collectors.toSet());
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
          .range(topic, partition)
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
          .heldBy(config.group(), memberId, partitions.all())
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
          records.records(new TopicPartition(topic, partition)).stream()
              .map(KafkaOrderLogConsumer::read)
              .toList();
      LogBatch batch = new LogBatch(partition, move.from(), move.to(), read);
      if (partitions.admit(poll, batch)) {
        deliver(batch);
      }
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
          .range(topic, partition)
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

  private static LogRecord read(ConsumerRecord<String, Decoded> record) {
    Decoded value = record.value() == null ? OrderLogCodec.decode(null) : record.value();
    String instance = InstanceName.in(record.headers());
    return new LogRecord(
        record.offset(),
        Math.max(0, record.timestamp()),
        // Every release of a higher version names its instance; to wait for another would block.
        value.supported() || instance == null,
        value.commands(),
        instance);
  }
}
