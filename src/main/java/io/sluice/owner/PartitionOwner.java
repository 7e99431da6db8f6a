package io.sluice.owner;

import io.sluice.async.BackgroundTask;
import io.sluice.async.StallDetector;
import io.sluice.config.Config.ReservationConfig;
import io.sluice.config.Config.SaleConfig;
import io.sluice.ledger.Fence;
import io.sluice.ledger.OutboxRow.OutboxKind;
import io.sluice.ledger.OwnerRequest;
import io.sluice.ledger.OwnerRequest.RequestKind;
import io.sluice.ledger.Step.Result;
import io.sluice.model.BucketId;
import io.sluice.model.Order;
import io.sluice.monitor.Alarm;
import io.sluice.orderlog.LogBatch;
import io.sluice.owner.Booking.FlowControl;
import io.sluice.stock.Stock;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Collection;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The owner of one partition for one term: it does everything for its buckets after the grant.
 * Created for a fence that was taken over. After the fence is lost it does nothing more and is
 * discarded.
 */
public final class PartitionOwner {
  private static final Logger log = LoggerFactory.getLogger(PartitionOwner.class);

  /** The environment of an owner. */
  public interface Host extends FlowControl {
    /** The rounds in which the instance books its partitions. */
    BookingRounds rounds();

    /** Completes, for all owners of the instance at once, when their events are to be sent. */
    Future<Void> eventsGathered();

    /** Whether grants and their booking have priority now over what nobody waits for. */
    boolean isStampede();

    /** The log ends before the ledger's next offset, so records were lost. */
    void logCut(Throwable cause);

    /** The buckets of all partitions, to be read. */
    Stock stocks();

    /** Units have moved to buckets of these partitions, whose owners are to raise them. */
    void moved(Set<Integer> partitions);

    /**
     * A transaction of this owner is committed.
     *
     * @param fence after it
     * @param orders as it has left them
     */
    default void committed(Fence fence, Collection<Order> orders) {}
  }

  private final OwnerContext context;
  private final Host host;
  private final BookedTokens bookedTokens;
  private final Booking booking;
  private final Rebuilder rebuilder;
  private final OutboxRelays relays;
  private final WatermarkWatch markWatch;
  private final Reconciler reconciler;
  private final TimeoutScan timeoutScan;
  private final BackgroundTask timeouts;
  private final BucketWatch bucketWatch;
  private final BackgroundTask watch;
  private final LedgerAudit audit;
  private final BackgroundTask fenceWatch;
  private final RequestDesk desk;
  private final EndWatch endWatch;
  private final Archiver archiver;

  /**
   * @param context of a fence that was just taken over; used by this owner alone
   */
  public PartitionOwner(
      OwnerContext context, ReservationConfig config, SaleConfig sales, Host host) {
    this.context = context;
    this.host = host;
    BackgroundTasks tasks = context.tasks();
    this.bookedTokens = new BookedTokens(context.stock(), context.ownership());
    context.owned().afterCommit(this::committed);
    this.rebuilder = new Rebuilder(context, Duration.ofMillis(config.grantDeadlineMs()));
    this.booking = new Booking(context, host.rounds(), host, this::sendEvents);
    this.relays =
        new OutboxRelays(
            context, host::eventsGathered, rebuilder, host.stocks(), host::moved, host::isStampede);
    this.markWatch = new WatermarkWatch(context, this::sendEvents);
    this.bucketWatch = new BucketWatch(context, rebuilder, config.sweepAfterMs(), host::isStampede);
    this.endWatch = new EndWatch(context, rebuilder, Duration.ofSeconds(sales.endAfterS()));
    bucketWatch.onNewHistory(endWatch::wakeForAll);
    this.reconciler = new Reconciler(context, rebuilder, host::isStampede, bucketWatch::stamp);
    this.timeoutScan =
        new TimeoutScan(
            context, booking::join, config.timeoutScanMs(), host::logCut, this::scanTimeouts);
    this.timeouts = tasks.make("timeouts", timeoutScan::step);
    this.watch = tasks.make("watch", bucketWatch::step);
    this.fenceWatch = tasks.make("fence", context.owned()::check);
    this.audit = new LedgerAudit(context, host::isStampede, bucketWatch::stamp);
    this.archiver = new Archiver(context, host::isStampede);
    this.desk =
        new RequestDesk(
            context,
            rebuilder,
            () -> {
              audit.now();
              return reconciler.now();
            });
  }

  /** Receives the next records of the log. */
  public void polled(LogBatch batch) {
    booking.polled(batch);
  }

  /** The offset from which the log is to be read for it again, after it could not be. */
  long readAgain() {
    return booking.readAgain();
  }

  /** Called by a timer, each {@link StallDetector#TICK}: finds stuck work. */
  public void watchWork() {
    context.sequencer().tick();
    if (!context.sequencer().hasWaiting()) {
      context.tasks().tick();
    }
    rebuilder.tick();
  }

  /** Called by a timer: cancels orders that were not paid in time. */
  public void scanTimeouts() {
    timeouts.wake();
  }

  /** Called by a timer: sweeps buckets, and finds those that need a rebuild. */
  public void watchBuckets() {
    watch.wake();
    reconciler.wakeOwed();
  }

  /** Whether no bucket needs a look until Redis writes, or is another process. */
  boolean isIdle() {
    return bucketWatch.isIdle();
  }

  /** Called by a timer: checks that the ledger still has what was committed. */
  public void watchFence() {
    fenceWatch.wake();
  }

  /** Called by a timer: looks for what has ended, or is to end. */
  public void watchEnds() {
    endWatch.wake();
  }

  /** Called by a timer: looks for stocks that have crossed a watermark. */
  public void watchMarks() {
    markWatch.wake();
  }

  /** Called by a timer: compares Redis with the ledger, and the ledger's counters with its rows. */
  public void reconcile() {
    reconciler.wake();
    audit.wake();
  }

  /** Called by a timer as a safety net; commits wake the outbox passes as well. */
  public void relayOutbox() {
    relays.wakeAll();
  }

  /** Called by a timer: deletes rows that were sent or answered long ago. */
  public void purgeOutbox() {
    relays.purge();
  }

  /** Called by a timer: goes on with the archive. */
  public void archive() {
    archiver.wake();
  }

  /** Serves and answers a request from another instance. */
  public void serve(OwnerRequest request) {
    if (request.kind() == RequestKind.BORROW) {
      relays.lend(request);
    } else {
      desk.serve(request);
    }
  }

  /** Raises the buckets to which units have moved. */
  public void raiseBuckets() {
    relays.wake(OutboxKind.RESTOCK);
  }

  /** Called often while units move: finds those that other instances have moved to its buckets. */
  public void lookForRestocks() {
    relays.lookForRestocks();
  }

  /** Ends the ownership; completes when none of its work is in flight. */
  public Future<Void> stop() {
    Future<Void> ended = context.tasks().stop();
    context.ownership().end();
    booking.leaveAll();
    context.meters().end();
    return ended;
  }

  private void committed(Result.Applied applied) {
    bookedTokens.add(applied.booked());
    applied.full().forEach(bucket -> rebuild(Alarm.GATE_FULL, bucket, "LEDGER_FULL"));
    applied.ahead().forEach(bucket -> rebuild(Alarm.EPOCH_AHEAD, bucket, "epoch of the log"));
    applied
        .clashing()
        .forEach(bucket -> rebuild(Alarm.SEQ_GRANTED_TWICE, bucket, "seq granted twice"));
    timeoutScan.booked(applied.dueFromMs());
    relays.committed(applied.outbox());
    // Last: it runs what waits for these orders.
    host.committed(context.ownership().fence(), applied.orders());
  }

  private void sendEvents() {
    relays.wake(OutboxKind.EVENT);
  }

  private void rebuild(Alarm alarm, BucketId bucket, String why) {
    alarm.raise(log.atError().addKeyValue("bucket", bucket));
    rebuilder.request(bucket, why);
  }
}
