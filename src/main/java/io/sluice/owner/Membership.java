package io.sluice.owner;

import io.sluice.monitor.Alarm;
import io.sluice.orderlog.LogBatch;
import io.sluice.orderlog.OrderLogConsumer;
import io.sluice.orderlog.OrderLogConsumer.LogOffsetException;
import io.sluice.orderlog.OrderLogConsumer.PartitionListener;
import io.vertx.core.Future;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** From joining the group to leaving it. Callbacks of an earlier membership are ignored. */
final class Membership implements PartitionListener {
  private static final Logger log = LoggerFactory.getLogger(Membership.class);

  final OrderLogConsumer consumer;
  final BlockedPartitions blocked = new BlockedPartitions();
  boolean joined;
  boolean outdated;
  private final DeployedOwners owners;
  private final Predicate<Membership> isCurrent;
  private final Consumer<Runnable> later;

  /**
   * @param later runs a task after some time
   */
  Membership(
      OrderLogConsumer consumer,
      DeployedOwners owners,
      Predicate<Membership> isCurrent,
      Consumer<Runnable> later) {
    this.consumer = consumer;
    this.owners = owners;
    this.isCurrent = isCurrent;
    this.later = later;
  }

  Future<Void> join() {
    joined = true;
    return consumer.start(this);
  }

  @Override
  public void assigned(Set<Integer> partitions) {
    if (isCurrent.test(this)) {
      partitions.forEach(owners::deploy);
    }
  }

  @Override
  public Future<Void> revoked(Set<Integer> partitions) {
    return isCurrent.test(this) ? owners.undeploy(partitions) : Future.succeededFuture();
  }

  @Override
  public void polled(LogBatch batch) {
    if (isCurrent.test(this)) {
      owners.tell(batch.partition(), owner -> owner.polled(batch));
    }
  }

  @Override
  public void failed(int partition, Throwable cause) {
    if (isCurrent.test(this)) {
      blocked.failed(partition, cause);
      later.accept(() -> owners.tell(partition, PartitionOwnerVerticle::readAgain));
    }
  }

  /**
   * The partitions that are blocked because their log cannot be read at the ledger's next offset.
   * Each is logged once, until it is read again.
   */
  static final class BlockedPartitions {

    private final Set<Integer> failedOnce = new HashSet<>();
    private final Set<Integer> waiting = new HashSet<>();

    /** Partitions whose log begins after the ledger's next offset. */
    private final Set<Integer> lost = new HashSet<>();

    /** Partitions whose log ends before the ledger's next offset. */
    private final Set<Integer> cut = new HashSet<>();

    /**
     * The log cannot be read now; it is retried. A single failure is not logged, since the
     * partition may be moving to another instance.
     */
    void waits(int partition, Throwable cause) {
      if (!failedOnce.add(partition) && waiting.add(partition)) {
        log.atWarn()
            .addKeyValue("partition", partition)
            .addKeyValue("cause", cause.toString())
            .log("partition cannot be read; retried until it succeeds");
      }
    }

    /** The log cannot be read on; it is retried, whether its records are gone or nobody can say. */
    void failed(int partition, Throwable cause) {
      if (cause instanceof LogOffsetException) {
        alarm(partition, cause);
      } else {
        waits(partition, cause);
      }
    }

    /** Only an operator can unblock the partition, or a restore of the topic. */
    void alarm(int partition, Throwable cause) {
      if (cause instanceof LogOffsetException gap && gap.begin() > gap.wanted()) {
        alarmOfLoss(gap);
      } else if (cut.add(partition)) {
        Alarm.LOG_CUT.raise(
            log.atError()
                .addKeyValue("partition", partition)
                .addKeyValue("cause", cause.toString()));
      }
    }

    private void alarmOfLoss(LogOffsetException gap) {
      if (lost.add(gap.partition())) {
        Alarm.LOG_RECORDS_LOST.raise(
            log.atError()
                .addKeyValue("partition", gap.partition())
                .addKeyValue("from", gap.wanted())
                .addKeyValue("to", gap.begin() - 1)
                .addKeyValue("records", gap.begin() - gap.wanted()));
      }
    }

    /**
     * The partition is read again. Returns whether it needs a new consumer: one that has seen a
     * newer leader epoch rejects the metadata of a restored log, and reads nothing.
     */
    boolean isReadAgain(int partition) {
      failedOnce.remove(partition);
      waiting.remove(partition);
      lost.remove(partition);
      return cut.remove(partition);
    }
  }
}
