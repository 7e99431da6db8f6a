package io.sluice.owner;

import io.sluice.config.ReservationConfig;
import io.sluice.ledger.Ledger.OwnerRequest;
import io.sluice.orderlog.LogBatch;
import io.sluice.orderlog.OrderLogConsumer;
import io.sluice.orderlog.PartitionListener;
import io.sluice.stock.StockConnection;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one {@link PartitionOwnerVerticle} deployed for each partition that the group has given to
 * this instance, and hands it the partition's records and requests.
 *
 * <p>An instance that is cut off from Redis or the ledger leaves the group to those who may not be,
 * and joins again when it reaches both. It stays where nobody else is left, since a part of the
 * duties may still be done.
 */
public final class OwnerSupervisor extends VerticleBase
    implements PartitionOwnerVerticle.Supervisor {
  static final Duration REQUESTS_EVERY = Duration.ofMillis(200);
  static final Duration REACH_EVERY = Duration.ofSeconds(1);
  static final Duration RETRY_AFTER = Duration.ofSeconds(2);
  static final int REQUESTS_MAX = 200;
  private static final Logger log = LoggerFactory.getLogger(OwnerSupervisor.class);

  private record Deployed(PartitionOwnerVerticle verticle, Future<String> deployment) {}

  private final Supplier<OrderLogConsumer> consumers;
  private final OwnerParts parts;
  private final ReservationConfig config;
  private final Map<Integer, Deployed> owners = new HashMap<>();
  private final Pass requests = new Pass("requests", -1, this::serveRequests);
  private final Pass watch = new Pass("reach", -1, this::watchReach);
  private final StockConnection stock;
  private final Reach reach;
  private Membership membership;

  /** {@code consumers} makes a consumer for each time that this instance joins the group. */
  public OwnerSupervisor(
      Supplier<OrderLogConsumer> consumers, OwnerParts parts, ReservationConfig config) {
    this.consumers = consumers;
    this.parts = parts;
    this.config = config;
    this.stock = parts.stock().get();
    this.reach = new Reach(parts.ledger()::nowMs, stock::runId, System::nanoTime);
    this.membership = new Membership(consumers.get());
  }

  @Override
  public Future<?> start() {
    stock.start();
    vertx.setPeriodic(REQUESTS_EVERY.toMillis(), id -> requests.wake());
    vertx.setPeriodic(REACH_EVERY.toMillis(), id -> watch.wake());
    return membership.join();
  }

  /** From joining the group to leaving it; what is heard of an earlier one is of no meaning. */
  private final class Membership implements PartitionListener {
    private final OrderLogConsumer consumer;
    private boolean joined;

    Membership(OrderLogConsumer consumer) {
      this.consumer = consumer;
    }

    Future<Void> join() {
      joined = true;
      return consumer.start(this);
    }

    @Override
    public void assigned(Set<Integer> partitions) {
      if (membership == this) {
        partitions.forEach(OwnerSupervisor.this::deploy);
      }
    }

    @Override
    public void revoked(Set<Integer> partitions) {
      if (membership == this) {
        partitions.forEach(OwnerSupervisor.this::undeploy);
      }
    }

    @Override
    public void polled(LogBatch batch) {
      Deployed owner = owners.get(batch.partition());
      if (membership == this && owner != null) {
        owner.verticle().polled(batch);
      }
    }

    @Override
    public void failed(int partition, Throwable cause) {
      if (membership == this) {
        alarm(partition, cause);
      }
    }
  }

  /** Leaves the group where it is of no use there, and joins it again where it is. */
  private Future<Boolean> watchReach() {
    return reach
        .look()
        .compose(
            whole -> {
              if (membership.joined) {
                return reach.isCutOff() ? leaveToOthers() : Future.succeededFuture();
              }
              return whole
                  ? joinAgain("it reaches all again")
                  : membership
                      .consumer
                      .hasOthers()
                      .compose(
                          others ->
                              others ? Future.succeededFuture() : joinAgain("nobody else is left"));
            })
        .map(false);
  }

  private Future<Void> leaveToOthers() {
    return membership
        .consumer
        .hasOthers()
        .compose(others -> others ? leave() : Future.succeededFuture());
  }

  private Future<Void> leave() {
    log.atWarn().log("cut off from Redis or the ledger; this instance leaves the group to others");
    OrderLogConsumer left = membership.consumer;
    membership = new Membership(consumers.get());
    return undeployAll().compose(undeployed -> left.close());
  }

  private Future<Void> joinAgain(String why) {
    log.atInfo().addKeyValue("why", why).log("this instance joins the group again");
    reach.restart();
    Membership next = membership;
    return next.join()
        .onFailure(
            failure -> {
              // A consumer starts once.
              membership = new Membership(consumers.get());
              next.consumer.close();
            });
  }

  private void alarm(int partition, Throwable cause) {
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
    context.runOnContext(
        now -> ifCurrent(who, () -> membership.consumer.pause(Set.of(who.partition()))));
  }

  @Override
  public void resume(PartitionOwnerVerticle who) {
    context.runOnContext(
        now -> ifCurrent(who, () -> membership.consumer.resume(Set.of(who.partition()))));
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
            membership
                .consumer
                .startAt(who.partition(), offset)
                .onFailure(cause -> tryAgain(who, offset, cause)));
  }

  private void tryAgain(PartitionOwnerVerticle who, long offset, Throwable cause) {
    alarm(who.partition(), cause);
    vertx.setTimer(RETRY_AFTER.toMillis(), id -> read(who, offset));
  }

  /**
   * The fence says that another owner was there. If the group still says that the partition is
   * ours, begin anew.
   */
  private void startOver(int partition) {
    log.atWarn().addKeyValue("partition", partition).log("fence lost; this owner steps down");
    undeploy(partition)
        .compose(gone -> membership.consumer.assignedAfterNextPoll())
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

  private Future<Void> undeployAll() {
    List<Future<Void>> stopped = new ArrayList<>();
    List.copyOf(owners.keySet()).forEach(partition -> stopped.add(undeploy(partition)));
    return Future.join(stopped).transform(ended -> Future.succeededFuture());
  }

  @Override
  public Future<?> stop() {
    Future<Void> undeployed = undeployAll();
    return Future.join(requests.stop(), watch.stop())
        .compose(idle -> undeployed)
        .transform(ended -> membership.consumer.close())
        .eventually(stock::close);
  }
}
