package io.sluice.owner;

import io.sluice.config.ReservationConfig;
import io.sluice.ledger.Ledger.OwnerRequest;
import io.sluice.orderlog.LogBatch;
import io.sluice.orderlog.OrderLogConsumer;
import io.sluice.orderlog.PartitionListener;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one {@link PartitionOwnerVerticle} deployed for each partition that the group has given to
 * this instance, and hands it the partition's records and requests.
 */
public final class OwnerSupervisor extends VerticleBase
    implements PartitionListener, PartitionOwnerVerticle.Supervisor {
  static final Duration REQUESTS_EVERY = Duration.ofMillis(200);
  static final Duration RETRY_AFTER = Duration.ofSeconds(2);
  static final int REQUESTS_MAX = 200;
  private static final Logger log = LoggerFactory.getLogger(OwnerSupervisor.class);

  private record Deployed(PartitionOwnerVerticle verticle, Future<String> deployment) {}

  private final OrderLogConsumer consumer;
  private final OwnerParts parts;
  private final ReservationConfig config;
  private final Map<Integer, Deployed> owners = new HashMap<>();
  private final Pass requests = new Pass("requests", -1, this::serveRequests);

  public OwnerSupervisor(OrderLogConsumer consumer, OwnerParts parts, ReservationConfig config) {
    this.consumer = consumer;
    this.parts = parts;
    this.config = config;
  }

  @Override
  public Future<?> start() {
    vertx.setPeriodic(REQUESTS_EVERY.toMillis(), id -> requests.wake());
    return consumer.start(this);
  }

  @Override
  public void assigned(Set<Integer> partitions) {
    partitions.forEach(this::deploy);
  }

  @Override
  public void revoked(Set<Integer> partitions) {
    partitions.forEach(this::undeploy);
  }

  @Override
  public void polled(LogBatch batch) {
    Deployed owner = owners.get(batch.partition());
    if (owner != null) {
      owner.verticle().polled(batch);
    }
  }

  @Override
  public void failed(int partition, Throwable cause) {
    log.atError()
        .addKeyValue("partition", partition)
        .addKeyValue("cause", cause.toString())
        .log("ALARM: partition cannot be read where the ledger says; it stands still");
  }

  private void deploy(int partition) {
    if (owners.containsKey(partition)) {
      return;
    }
    PartitionOwnerVerticle verticle = new PartitionOwnerVerticle(partition, parts, config, this);
    owners.put(partition, new Deployed(verticle, vertx.deployVerticle(verticle)));
  }

  @Override
  public void ready(PartitionOwnerVerticle who, long offset) {
    context.runOnContext(now -> read(who, offset));
  }

  @Override
  public void pause(PartitionOwnerVerticle who) {
    context.runOnContext(now -> ifCurrent(who, () -> consumer.pause(Set.of(who.partition()))));
  }

  @Override
  public void resume(PartitionOwnerVerticle who) {
    context.runOnContext(now -> ifCurrent(who, () -> consumer.resume(Set.of(who.partition()))));
  }

  @Override
  public void lost(PartitionOwnerVerticle who) {
    context.runOnContext(now -> ifCurrent(who, () -> startOver(who.partition())));
  }

  private void ifCurrent(PartitionOwnerVerticle who, Runnable action) {
    Deployed owner = owners.get(who.partition());
    if (owner != null && owner.verticle() == who) {
      action.run();
    }
  }

  private void read(PartitionOwnerVerticle who, long offset) {
    ifCurrent(
        who,
        () ->
            consumer
                .startAt(who.partition(), offset)
                .onFailure(cause -> tryAgain(who, offset, cause)));
  }

  private void tryAgain(PartitionOwnerVerticle who, long offset, Throwable cause) {
    failed(who.partition(), cause);
    vertx.setTimer(RETRY_AFTER.toMillis(), id -> read(who, offset));
  }

  /**
   * The fence says that another owner was there. If the group still says that the partition is
   * ours, begin anew.
   */
  private void startOver(int partition) {
    log.atWarn().addKeyValue("partition", partition).log("fence lost; this owner steps down");
    undeploy(partition)
        .compose(gone -> consumer.assignedAfterNextPoll())
        .onSuccess(
            assigned -> {
              if (assigned.contains(partition)) {
                deploy(partition);
              }
            });
  }

  private Future<Void> undeploy(int partition) {
    Deployed owner = owners.remove(partition);
    return owner == null
        ? Future.succeededFuture()
        : owner.deployment().compose(vertx::undeploy).transform(gone -> Future.succeededFuture());
  }

  private Future<Boolean> serveRequests() {
    if (owners.isEmpty()) {
      return Future.succeededFuture(false);
    }
    return parts
        .ledger()
        .openRequests(Set.copyOf(owners.keySet()), REQUESTS_MAX)
        .map(
            open -> {
              open.forEach(this::serve);
              return false;
            });
  }

  private void serve(OwnerRequest request) {
    Deployed owner = owners.get(request.partition());
    if (owner != null) {
      owner.verticle().serve(request);
    }
  }

  @Override
  public Future<?> stop() {
    List<Future<Void>> stopped = new ArrayList<>();
    List.copyOf(owners.keySet()).forEach(partition -> stopped.add(undeploy(partition)));
    return requests
        .stop()
        .compose(idle -> Future.join(stopped))
        .transform(ended -> consumer.close());
  }
}
