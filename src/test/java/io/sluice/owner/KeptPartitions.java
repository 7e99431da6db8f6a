package io.sluice.owner;

import io.sluice.orderlog.PartitionListener;
import io.vertx.core.Future;
import java.util.Set;

/** A listener whose partitions stay as they are, and can always be read. */
abstract class KeptPartitions implements PartitionListener {
  @Override
  public void assigned(Set<Integer> partitions) {}

  @Override
  public Future<Void> revoked(Set<Integer> partitions) {
    return Future.succeededFuture();
  }

  @Override
  public void failed(int partition, Throwable cause) {
    throw new AssertionError(cause);
  }
}
