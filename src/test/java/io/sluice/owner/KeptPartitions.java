package io.sluice.owner;

import io.sluice.orderlog.OrderLogConsumer.PartitionListener;
import io.vertx.core.Future;
import java.util.Set;

/**
 * A host whose partitions stay as they are, and can always be read. It notes what an owner tells
 * it.
 */
abstract class KeptPartitions implements PartitionListener, PartitionOwner.Host {
  public boolean logCut;
  public boolean paused;
  public int strays;

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

  @Override
  public void strayed(int grants) {
    strays += grants;
  }

  @Override
  public void pause() {
    paused = true;
  }

  @Override
  public void resume() {
    paused = false;
  }

  @Override
  public void logCut(Throwable cause) {
    logCut = true;
  }
}
