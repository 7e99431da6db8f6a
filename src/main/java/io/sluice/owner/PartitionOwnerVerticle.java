package io.sluice.owner;

import io.sluice.async.Backoff;
import io.sluice.async.LoopContext.Timers;
import io.sluice.async.StallDetector;
import io.sluice.config.Config.ReservationConfig;
import io.sluice.ledger.Fence;
import io.sluice.ledger.OwnerRequest;
import io.sluice.model.Order;
import io.sluice.monitor.Part;
import io.sluice.orderlog.LogBatch;
import io.sluice.stock.Stock;
import io.sluice.stock.StockConnection;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.util.Collection;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The life cycle of one {@link PartitionOwner}: takes the partition over, retried until it
 * succeeds, then runs its timers. The public methods may be called from any thread.
 */
final class PartitionOwnerVerticle extends VerticleBase implements PartitionOwner.Host {
  static final Duration OUTBOX_EVERY = Duration.ofMillis(500);
  static final Duration WATCH_EVERY = Duration.ofMillis(500);
  static final Duration FENCE_EVERY = Duration.ofSeconds(1);
  static final Duration PURGE_EVERY = Duration.ofSeconds(10);
  static final Duration ENDS_EVERY = Duration.ofMinutes(1);
  static final Duration MARKS_EVERY = Duration.ofSeconds(1);
  static final Duration ARCHIVE_EVERY = Duration.ofSeconds(2);
  static final Duration STOP_MAX = Duration.ofSeconds(5);

  /** Its multiples spread evenly, modulo 1, and so do those of every n-th number. */
  private static final double GOLDEN_RATIO = 0.618_034;

  private static final Logger log = LoggerFactory.getLogger(PartitionOwnerVerticle.class);

  /** The deployer of this verticle. Called from the verticle's event loop. */
  interface Supervisor {
    /** The partition is taken over; its log must be read from this offset. */
    void ready(PartitionOwnerVerticle who, long offset);

    void pause(PartitionOwnerVerticle who);

    void resume(PartitionOwnerVerticle who);

    /** Another owner has the fence. */
    void lost(PartitionOwnerVerticle who);

    /**
     * The log of the partition ends before the ledger's next offset. Called again for as long as
     * that is so.
     */
    void logCut(PartitionOwnerVerticle who, Throwable cause);

    /** Units have moved to buckets of these partitions, whose owners are to raise them. */
    void moved(Set<Integer> partitions);
  }

  private final int partition;
  private final KnownFences known;
  private final OwnerFactory owners;
  private final Duration reconcileEvery;
  private final ReservationConfig config;
  private final Supervisor supervisor;
  private final Backoff backoff = new Backoff();
  private @Nullable Context home;
  private @Nullable PartitionOwner owner;
  private final BackgroundTasks directTasks = new BackgroundTasks();
  private @Nullable StockConnection stock;
  private Future<?> takeOver = Future.succeededFuture();
  private boolean triedToConnect;
  private boolean stopped;
  private boolean leftOut;
  private @Nullable Long takeOverFailsSinceNanos;
  private volatile boolean takenOver;

  PartitionOwnerVerticle(
      int partition,
      KnownFences known,
      OwnerFactory owners,
      ReservationConfig config,
      Duration reconcileEvery,
      Supervisor supervisor) {
    this.partition = partition;
    this.known = known;
    this.owners = owners;
    this.config = config;
    this.reconcileEvery = reconcileEvery;
    this.supervisor = supervisor;
  }

  int partition() {
    return partition;
  }

  /** Whether the partition was taken over. */
  boolean hasTakenOver() {
    return takenOver;
  }

  @Override
  public Future<?> start() {
    home = context;
    StockConnection ownStock = owners.stock().get();
    stock = ownStock;
    // Connecting is retried by itself. Until it succeeds, background tasks fail and are retried.
    // The watch always asks Redis, so it waits for the end of the first attempt.
    ownStock.startFor(partition).onComplete(ended -> triedToConnect = true);
    takeOver();
    every(Duration.ofMillis(config.timeoutScanMs()), PartitionOwner::scanTimeouts);
    every(WATCH_EVERY, this::watchBuckets);
    everyInTurn(reconcileEvery, PartitionOwner::reconcile);
    every(OUTBOX_EVERY, PartitionOwner::relayOutbox);
    every(StallDetector.TICK, this::watchWork);
    every(FENCE_EVERY, PartitionOwner::watchFence);
    every(PURGE_EVERY, PartitionOwner::purgeOutbox);
    every(ENDS_EVERY, PartitionOwner::watchEnds);
    every(MARKS_EVERY, PartitionOwner::watchMarks);
    every(ARCHIVE_EVERY, PartitionOwner::archive);
    return Future.succeededFuture();
  }

  private void takeOver() {
    if (stopped) {
      return;
    }
    Future<Fence> attempt = owners.takeOver(partition, known);
    takeOver = attempt.otherwiseEmpty();
    attempt
        .onSuccess(
            fence -> {
              if (!stopped) {
                log.atInfo()
                    .addKeyValue("partition", partition)
                    .addKeyValue("term", fence.term())
                    .addKeyValue("offset", fence.nextOffset())
                    .log("partition taken over");
                owner = ownerOf(fence);
                startDirect();
                takenOver = true;
                supervisor.ready(this, fence.nextOffset());
              }
            })
        .onFailure(
            failure -> {
              tell(failure);
              Timers.of(vertx).after(backoff.next()).onSuccess(now -> takeOver());
            });
  }

  /** No partition can be taken over while a part is away, which is reported once for all. */
  private void tell(Throwable failure) {
    long now = System.nanoTime();
    if (takeOverFailsSinceNanos == null) {
      takeOverFailsSinceNanos = now;
    }
    if (!Part.explains(failure, takeOverFailsSinceNanos, now)) {
      log.atWarn()
          .addKeyValue("partition", partition)
          .addKeyValue("cause", failure.toString())
          .log("partition cannot be taken over; retried until it succeeds");
    }
  }

  private PartitionOwner ownerOf(Fence fence) {
    Ownership ownership = new Ownership(fence, known, () -> supervisor.lost(this));
    return owners.make(
        ownership, Objects.requireNonNull(stock).at(partition), Timers.of(vertx), this);
  }

  private void startDirect() {
    if (Ownership.isFirst(partition)) {
      owners.directDuties(directTasks, Timers.of(vertx)).start(vertx, reconcileEvery);
    }
  }

  private void every(Duration period, Consumer<PartitionOwner> duty) {
    vertx.setPeriodic(period.toMillis(), id -> withOwner(duty));
  }

  /** For a long duty: those of other partitions, whichever these are, begin at other times. */
  private void everyInTurn(Duration period, Consumer<PartitionOwner> duty) {
    double share = (partition + 1) * GOLDEN_RATIO % 1;
    long firstMs = 1 + (long) (share * period.toMillis());
    vertx.setPeriodic(firstMs, period.toMillis(), id -> withOwner(duty));
  }

  /** Nothing else waits for these tasks, so one that is stuck is only reported. */
  private void watchWork(PartitionOwner now) {
    now.watchWork();
    directTasks.tick();
  }

  /** While it is idle, one of two looks is enough to notice the next process of Redis. */
  private void watchBuckets(PartitionOwner now) {
    leftOut = !triedToConnect || (now.isIdle() && !leftOut);
    if (!leftOut) {
      now.watchBuckets();
    }
  }

  private void withOwner(Consumer<PartitionOwner> duty) {
    PartitionOwner now = owner;
    if (now != null) {
      duty.accept(now);
    }
  }

  /** Receives the next records of the partition. */
  void polled(LogBatch batch) {
    onHome(() -> withOwner(now -> now.polled(batch)));
  }

  /** The consumer has stopped reading the partition: starts it again where this owner stands. */
  void readAgain() {
    onHome(() -> withOwner(now -> supervisor.ready(this, now.readAgain())));
  }

  /** Receives a request from another instance. */
  void serve(OwnerRequest request) {
    onHome(() -> withOwner(now -> now.serve(request)));
  }

  private void onHome(Runnable task) {
    Context where = home;
    if (where != null) {
      where.runOnContext(nothing -> task.run());
    }
  }

  @Override
  public BookingRounds rounds() {
    return owners.rounds();
  }

  @Override
  public Future<Void> eventsGathered() {
    return owners.eventsGathered().get();
  }

  @Override
  public boolean isStampede() {
    return owners.stampede().getAsBoolean();
  }

  @Override
  public void committed(Fence fence, Collection<Order> orders) {
    owners.commits().accept(fence, orders);
  }

  @Override
  public void strayed(int grants) {
    owners.meters().strayGrantsDropped(grants);
  }

  /** Raises the buckets to which units have moved. */
  void raiseBuckets() {
    onHome(() -> withOwner(PartitionOwner::raiseBuckets));
  }

  /** Looks for buckets to which units have moved. */
  void lookForRestocks() {
    onHome(() -> withOwner(PartitionOwner::lookForRestocks));
  }

  @Override
  public Stock stocks() {
    return Objects.requireNonNull(stock);
  }

  @Override
  public void moved(Set<Integer> partitions) {
    supervisor.moved(partitions);
  }

  @Override
  public void pause() {
    supervisor.pause(this);
  }

  @Override
  public void resume() {
    supervisor.resume(this);
  }

  @Override
  public void logCut(Throwable cause) {
    supervisor.logCut(this, cause);
  }

  @Override
  public Future<?> stop() {
    stopped = true;
    PartitionOwner now = owner;
    owner = null;
    // A take-over that ended after that of the next owner would take the fence from it.
    Future<?> ended = Future.join(directTasks.stop(), now == null ? takeOver : now.stop());
    return Future.any(ended, Timers.of(vertx).after(STOP_MAX)).eventually(this::closeStock);
  }

  private Future<Void> closeStock() {
    return stock == null ? Future.succeededFuture() : stock.close();
  }
}
