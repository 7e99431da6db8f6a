package io.sluice.reservation;

import io.micrometer.core.instrument.Timer;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.orderlog.OrderLog;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Makes grants durable, as one record of the order log. What it does where the log refuses is up to
 * it alone: its callers only learn whether the grants are durable now.
 */
final class GrantRecorder {
  private final OrderLog log;
  private final int partitions;
  private final Loop loop;
  private final Timer appendLatency;

  GrantRecorder(OrderLog log, int partitions, Loop loop, Timer appendLatency) {
    this.log = log;
    this.partitions = partitions;
    this.loop = loop;
    this.appendLatency = appendLatency;
  }

  /** Completes when all of them are durable; failed means that this is unknown. */
  Future<Void> record(BucketId bucket, Collection<Grant> grants) {
    List<Command> commands =
        grants.stream().<Command>map(grant -> new Command.Reserve(grant, null)).toList();
    long startNanos = loop.now();
    return Future.succeededFuture(commands)
        .compose(all -> log.append(bucket.partition(partitions), all))
        .onComplete(ack -> appendLatency.record(loop.now() - startNanos, TimeUnit.NANOSECONDS))
        .mapEmpty();
  }
}
