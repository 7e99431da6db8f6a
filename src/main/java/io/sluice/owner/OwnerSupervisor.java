package io.sluice.owner;

import io.sluice.async.BackgroundTask;
import io.sluice.async.StallDetector;
import io.sluice.config.Config.ReservationConfig;
import io.sluice.ledger.Ledger;
import io.sluice.ledger.OwnerRequest;
import io.sluice.ledger.OwnerRequest.RequestKind;
import io.sluice.orderlog.OrderLogConsumer;
import io.sluice.stock.StockConnection;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
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
  private final BackgroundTasks tasks = new BackgroundTasks();
  private final BackgroundTask requests;
  private final Haste haste;
  private final BackgroundTask watch = tasks.make("reach", this::watchReach);
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
    OpenRequests open = new OpenRequests(factory.ledger(), owners::partitions, this::serve);
    this.requests = tasks.make("requests", open::step);
    this.haste = new Haste(nanoTime, this::lookForMoves);
    this.stock = factory.stock().get();
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
    vertx.setPeriodic(StallDetector.TICK.toMillis(), id -> tasks.tick());
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
    ifCurrent(who, () -> membership.blocked.alarm(who.partition(), cause));
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
    ifCurrent(who, () -> read(membership, who, offset));
  }

  @Override
  public void pause(PartitionOwnerVerticle who) {
    ifCurrent(who, () -> membership.consumer.pause(Set.of(who.partition())));
  }

  @Override
  public void resume(PartitionOwnerVerticle who) {
    ifCurrent(who, () -> membership.consumer.resume(Set.of(who.partition())));
  }

  @Override
  public void lost(PartitionOwnerVerticle who) {
    ifCurrent(who, () -> startOver(who.partition()));
  }

  /** Called from the event loop of the verticle, which may have been replaced here meanwhile. */
  private void ifCurrent(PartitionOwnerVerticle who, Runnable action) {
    context.runOnContext(
        now -> {
          if (owners.isCurrent(who)) {
            action.run();
          }
        });
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
    vertx.setTimer(RETRY_AFTER.toMillis(), id -> ready(who, offset));
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
    return tasks
        .stop()
        .compose(idle -> undeployed)
        .transform(ended -> membership.consumer.close())
        .eventually(stock::close);
  }

  /** Probes the two stores that the owners of this instance need, Redis and the ledger. */
  static final class ConnectivityMonitor {
    /**
     * Longer than a store takes to restart. With what follows (a look each second, the group's
     * answer, the end of work in flight) the partitions are given up within 15 s.
     */
    static final Duration CUT_OFF_AFTER = Duration.ofSeconds(9);

    private final Store ledger;
    private final Store redis;
    private final LongSupplier nanoTime;

    /**
     * @param ledger a probe that fails if the ledger cannot be reached
     * @param redis a probe that fails if Redis cannot be reached
     * @param nanoTime a monotonic clock
     */
    ConnectivityMonitor(
        Supplier<Future<?>> ledger, Supplier<Future<?>> redis, LongSupplier nanoTime) {
      this.nanoTime = nanoTime;
      this.ledger = new Store(ledger);
      this.redis = new Store(redis);
    }

    /** Probes both stores. The Future never fails; it is true if both have answered. */
    Future<Boolean> look() {
      return Future.join(ledger.look(), redis.look())
          .transform(asked -> Future.succeededFuture(asked.succeeded()));
    }

    /** Whether one of the stores has not answered for {@link #CUT_OFF_AFTER}. */
    boolean isCutOff() {
      return ledger.isCutOff() || redis.isCutOff();
    }

    /** Restarts the time since the last answers. */
    void restart() {
      ledger.answeredAt = nanoTime.getAsLong();
      redis.answeredAt = nanoTime.getAsLong();
    }

    private final class Store {
      private final Supplier<Future<?>> question;
      private long answeredAt = nanoTime.getAsLong();

      Store(Supplier<Future<?>> question) {
        this.question = question;
      }

      Future<?> look() {
        return question.get().onSuccess(answer -> answeredAt = nanoTime.getAsLong());
      }

      boolean isCutOff() {
        return nanoTime.getAsLong() - answeredAt >= CUT_OFF_AFTER.toNanos();
      }
    }
  }

  /**
   * Reads the requests for the owners of this instance, one page per step, and starts again after
   * the last page. So requests that cannot be served now, however many and however old, delay
   * others only until they are paged past.
   */
  static final class OpenRequests {
    static final int PAGE_MAX = 200;

    private final Ledger ledger;
    private final Supplier<Set<Integer>> owned;
    private final Consumer<OwnerRequest> serve;
    private long afterId;

    /**
     * @param owned the partitions with owners on this instance
     * @param serve may be called several times with the same request
     */
    OpenRequests(Ledger ledger, Supplier<Set<Integer>> owned, Consumer<OwnerRequest> serve) {
      this.ledger = ledger;
      this.owned = owned;
      this.serve = serve;
    }

    /**
     * Reads one page. The next page is left to the next timer tick, so that owners are not flooded.
     */
    Future<Boolean> step() {
      Set<Integer> partitions = owned.get();
      if (partitions.isEmpty()) {
        return Future.succeededFuture(false);
      }
      return ledger
          .openRequests(partitions, afterId, PAGE_MAX)
          .map(
              open -> {
                afterId = open.size() < PAGE_MAX ? 0 : open.get(open.size() - 1).id();
                open.forEach(serve);
                return false;
              });
    }
  }

  /**
   * Looks often for a while, after units have moved between buckets or were asked for: rows that
   * another instance has left in the ledger are then found soon. On the event loop of its verticle.
   */
  static final class Haste {
    static final Duration LOOK_EVERY = Duration.ofMillis(20);
    static final Duration LASTS = Duration.ofSeconds(2);

    private final LongSupplier nanoTime;
    private final Runnable look;
    private long endNanos;
    private boolean running;

    Haste(LongSupplier nanoTime, Runnable look) {
      this.nanoTime = nanoTime;
      this.look = look;
    }

    /** Looks often from now on. */
    void begin(Vertx vertx) {
      endNanos = nanoTime.getAsLong() + LASTS.toNanos();
      if (!running) {
        running = true;
        vertx.setPeriodic(LOOK_EVERY.toMillis(), id -> again(vertx, id));
      }
    }

    private void again(Vertx vertx, long timer) {
      running = endNanos - nanoTime.getAsLong() > 0;
      if (running) {
        look.run();
      } else {
        vertx.cancelTimer(timer);
      }
    }
  }

  /**
   * Whether an instance that has just started may report ready: the group has assigned every
   * partition, and the owners of those assigned to this instance have taken over. Before that,
   * operations that need an owner (a new SKU, a restock) would have to wait.
   *
   * <p>Once true, it stays true: a later rebalance or an unavailable ledger stops no grant. The
   * wait is bounded, since grants need no owner: a group that keeps rebalancing must not prevent an
   * instance from selling.
   */
  static final class Settling {
    static final Duration LOOK_EVERY = Duration.ofMillis(100);

    /** Longer than the group takes to notice a dead member and to assign its partitions. */
    static final Duration WAIT_MAX = Duration.ofSeconds(30);

    private final Supplier<Future<Optional<Set<Integer>>>> share;
    private final Predicate<Set<Integer>> haveOwners;
    private final LongSupplier nanoTime;
    private final long startNanos;
    private boolean looking;
    private volatile boolean settled;

    /**
     * Starts the clock of {@link #WAIT_MAX}.
     *
     * @param share the partitions that the group assigns to this instance; empty during a rebalance
     * @param haveOwners whether the owners of all these have taken over
     */
    Settling(
        Supplier<Future<Optional<Set<Integer>>>> share,
        Predicate<Set<Integer>> haveOwners,
        LongSupplier nanoTime) {
      this.share = share;
      this.haveOwners = haveOwners;
      this.nanoTime = nanoTime;
      this.startNanos = nanoTime.getAsLong();
    }

    /** From any thread; once true, always true. */
    boolean isSettled() {
      return settled;
    }

    /** Called by a timer, on one context. Asks the group, one question at a time. */
    void look() {
      if (settled) {
        return;
      }
      if (nanoTime.getAsLong() - startNanos >= WAIT_MAX.toNanos()) {
        log.atWarn()
            .addKeyValue("waitedS", WAIT_MAX.toSeconds())
            .log("some partitions have no owner yet; this instance is ready without them");
        settled = true;
      } else if (!looking) {
        looking = true;
        share
            .get()
            .onComplete(
                (given, unknown) -> {
                  looking = false;
                  settled |= unknown == null && given.filter(haveOwners).isPresent();
                });
      }
    }
  }
}
