package io.sluice.owner;

import io.sluice.orderlog.LogBatch;
import io.sluice.orderlog.OrderLogConsumer;
import io.sluice.orderlog.OrderLogConsumer.PartitionListener;
import io.vertx.core.Future;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** From joining the group to leaving it. Callbacks of an earlier membership are ignored. */
final class Membership implements PartitionListener {
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
}
