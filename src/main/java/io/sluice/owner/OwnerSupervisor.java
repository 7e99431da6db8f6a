package io.sluice.owner;

import io.sluice.async.BackgroundTask;
import io.sluice.async.StallDetector;
import io.sluice.config.Config.ReservationConfig;
import io.sluice.ledger.OwnerRequests.OwnerRequest;
import io.sluice.ledger.OwnerRequests.RequestKind;
import io.sluice.orderlog.OrderLogConsumer;
import io.sluice.owner.fencing.KnownFences;
import io.sluice.stock.StockConnection;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one {@link PartitionOwnerVerticle} deployed for each partition that the consumer group has
 * assigned to this instance, and passes the partition's records and requests to it.
 *
 * <p>An instance that cannot reach Redis or the ledger leaves the group to instances that may reach
 * them, and joins again when it reaches both. It stays in the group if no other instance is left,
 * since some of the duties may still succeed.
 */
public final class OwnerSupervisor extends VerticleBase
    implements PartitionOwnerVerticle.Supervisor {
  static final Duration REQUESTS_EVERY = Duration.ofMillis(200);
  static final Duration REACH_EVERY = Duration.ofSeconds(1);
  static final Duration RETRY_AFTER = Duration.ofSeconds(2);
  private static final Logger log = LoggerFactory.getLogger(OwnerSupervisor.class);

  private final Supplier<OrderLogConsumer> consumers;
  private final KnownFences known = new KnownFences();
  private final DeployedOwners owners;
  private final BackgroundTask requests;
  private final Haste haste;
  private final BackgroundTask watch = new BackgroundTask("reach", this::watchReach);
  private final StockConnection stock;
  private final ConnectivityMonitor reach;
  private final Settling settling;
  private Membership membership;

  /**
   * @param consumers creates a consumer each time that this instance joins the group
   * @param ledgerProbe a write to the ledger that renews the row of this instance
   * @param reconcileEvery the time between two comparisons of Redis with the ledger
   */
  public OwnerSupervisor(
      Supplier<OrderLogConsumer> consumers,
      OwnerFactory factory,
      Supplier<Future<?>> ledgerProbe,
      ReservationConfig config,
      Duration reconcileEvery,
      LongSupplier nanoTime) {
    this.consumers = consumers;
    this.owners =
        new DeployedOwners(
            partition ->
                new PartitionOwnerVerticle(partition, known, factory, config, reconcileEvery, this),
            verticle -> vertx.deployVerticle(verticle),
            deployment -> vertx.undeploy(deployment));
    OpenRequests open = new OpenRequests(factory.requests(), owners::partitions, this::serve);
    this.requests = new BackgroundTask("requests", open::step);
    this.haste = new Haste(nanoTime, this::lookForMoves);
    this.stock = factory.newStock();
    this.reach = new ConnectivityMonitor(ledgerProbe, stock::answers, nanoTime);
    this.membership = newMembership();
    this.settling =
        new Settling(() -> membership.consumer.settledShare(), owners::haveTakenOver, nanoTime);
  }

  /** Whether the owners of this instance have settled and can serve requests; from any thread. */
  public boolean isSettled() {
    return settling.isSettled();
  }

  /** The partitions that this instance owns. */
  public int owned() {
    return owners.count();
  }

  @Override
  public Future<?> start() {
    stock.start();
    vertx.setPeriodic(REQUESTS_EVERY.toMillis(), id -> requests.wake());
    vertx.setPeriodic(REACH_EVERY.toMillis(), id -> watch.wake());
    vertx.setPeriodic(StallDetector.TICK.toMillis(), id -> watchPasses());
    vertx.setPeriodic(Settling.LOOK_EVERY.toMillis(), id -> settling.look());
    return membership.join();
  }

  private Membership newMembership() {
    return new Membership(
        consumers.get(),
        owners,
        who -> membership == who,
        task -> vertx.setTimer(RETRY_AFTER.toMillis(), id -> task.run()));
  }

  /** Raises an alarm if one of them is stuck. Nothing else of this instance waits for them. */
  private void watchPasses() {
    requests.isStuck();
    watch.isStuck();
  }

  /** Leaves the group when stores cannot be reached, and joins it again when they can. */
  private Future<Boolean> watchReach() {
    return reach
        .look()
        .compose(
            whole -> {
              if (membership.outdated) {
                return leave("the order log was restored; a new consumer must read it");
              }
              if (membership.joined) {
                return reach.isCutOff() ? leaveIfOthersAreThere() : Future.succeededFuture();
              }
              return whole
                  ? joinAgain("it reaches Redis and the ledger again")
                  : membership
                      .consumer
                      .hasOthers()
                      .compose(
                          others ->
                              others
                                  ? Future.succeededFuture()
                                  : joinAgain("no other is in the group"));
            })
        .map(false);
  }

  private Future<Void> leaveIfOthersAreThere() {
    return membership
        .consumer
        .hasOthers()
        .compose(
            others ->
                others ? leave("cut off from Redis or the ledger") : Future.succeededFuture());
  }

  private Future<Void> leave(String why) {
    log.atWarn().addKeyValue("why", why).log("this instance leaves the group");
    OrderLogConsumer left = membership.consumer;
    membership = newMembership();
    return owners.undeployAll().compose(undeployed -> left.close());
  }

  private Future<Void> joinAgain(String why) {
    log.atInfo().addKeyValue("why", why).log("this instance joins the group again");
    reach.restart();
    Membership next = membership;
    return next.join()
        .onFailure(
            failure -> {
              // A consumer can be started only once.
              membership = newMembership();
              next.consumer.close();
            });
  }

  @Override
  public void logCut(PartitionOwnerVerticle who, Throwable cause) {
    context.runOnContext(
        now -> ifCurrent(who, () -> membership.blocked.alarm(who.partition(), cause)));
  }

  /** After an operator has reset a partition whose log was cut, only a new consumer can read it. */
  private void reading(int partition) {
    if (membership.blocked.isReadAgain(partition)) {
      membership.outdated = true;
      watch.wake();
    }
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
    if (owners.isCurrent(who)) {
      action.run();
    }
  }

  private void read(PartitionOwnerVerticle who, long offset) {
    ifCurrent(who, () -> read(membership, who, offset));
  }

  private void read(Membership asked, PartitionOwnerVerticle who, long offset) {
    asked
        .consumer
        .startAt(who.partition(), offset)
        .onComplete(
            (started, cause) -> {
              if (membership != asked) {
                return;
              }
              if (cause == null) {
                reading(who.partition());
              } else {
                tryAgain(who, offset, cause);
              }
            });
  }

  private void tryAgain(PartitionOwnerVerticle who, long offset, Throwable cause) {
    membership.blocked.failed(who.partition(), cause);
    vertx.setTimer(RETRY_AFTER.toMillis(), id -> read(who, offset));
  }

  /** Takes the partition over again if the group still assigns it to this instance. */
  private void startOver(int partition) {
    log.atWarn().addKeyValue("partition", partition).log("fence lost; this owner steps down");
    // Paused until it is taken over again. The new owner may have to start at a lower offset, and
    // would skip the records in between if it received those that arrive now.
    membership.consumer.pause(Set.of(partition));
    owners
        .undeploy(partition)
        .compose(gone -> membership.consumer.assignedAfterNextPoll())
        .onSuccess(
            assigned -> {
              if (assigned.contains(partition)) {
                owners.deploy(partition);
              }
            });
  }

  private void serve(OwnerRequest request) {
    if (request.kind() == RequestKind.BORROW) {
      haste.begin(vertx);
    }
    owners.tell(request.partition(), owner -> owner.serve(request));
  }

  /** An instance has asked owners for units; from any thread. */
  public void asked() {
    moved(Set.of());
  }

  @Override
  public void moved(Set<Integer> partitions) {
    Context home = context;
    if (home != null) {
      home.runOnContext(
          now -> {
            partitions.forEach(each -> owners.tell(each, PartitionOwnerVerticle::raiseBuckets));
            requests.wake();
            haste.begin(vertx);
          });
    }
  }

  /** The requests of another instance, or its moves to a bucket of this one. */
  private void lookForMoves() {
    requests.wake();
    owners.partitions().forEach(each -> owners.tell(each, PartitionOwnerVerticle::lookForRestocks));
  }

  @Override
  public Future<?> stop() {
    Future<Void> undeployed = owners.undeployAll();
    return Future.join(requests.stop(), watch.stop())
        .compose(idle -> undeployed)
        .transform(ended -> membership.consumer.close())
        .eventually(stock::close);
  }
}
