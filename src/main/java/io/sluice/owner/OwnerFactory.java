package io.sluice.owner;

import io.sluice.async.LoopContext.Timers;
import io.sluice.config.Config.ReservationConfig;
import io.sluice.config.Config.SaleConfig;
import io.sluice.ledger.DirectLedger;
import io.sluice.ledger.Fence;
import io.sluice.ledger.Ledger;
import io.sluice.metrics.OwnerMeters;
import io.sluice.model.Order;
import io.sluice.orderlog.EventPublisher;
import io.sluice.orderlog.OrderLog;
import io.sluice.stock.StockConnection;
import io.sluice.stock.StockStore;
import io.sluice.tracing.Traces;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Collection;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Creates the owners of an instance. They share the ledger, the order log and the producer of
 * events; each has its own connection to Redis.
 *
 * @param sameLog fails if the ledger does not name the log that is read
 * @param stock creates a connection to Redis that is not started yet
 * @param rounds in which they book
 * @param eventsGathered completes, for all that have asked, when their events are to be sent
 * @param stampede whether grants and their booking have priority now over what nobody waits for;
 *     called on any event loop
 * @param commits is told of each commit of an owner, and of the orders as it has left them
 */
public record OwnerFactory(
    Ledger ledger,
    DirectLedger direct,
    Supplier<Future<Void>> sameLog,
    Supplier<StockConnection> stock,
    OrderLog orderLog,
    EventPublisher events,
    BookingRounds rounds,
    Supplier<Future<Void>> eventsGathered,
    BooleanSupplier stampede,
    BiConsumer<Fence, Collection<Order>> commits,
    ReservationConfig config,
    SaleConfig sales,
    OwnerMeters meters,
    Traces traces) {
  public OwnerFactory {
    meters.driftKinds(BucketDiff.DriftKind.words());
  }

  /**
   * Takes the partition over in the ledger, under a term higher than any known one. Its offset is
   * then of the log that is read: a ledger that is restored to another one from now on has another
   * term, too.
   */
  Future<Fence> takeOver(int partition, KnownFences known) {
    return ledger
        .takeOver(partition, known.termSeen(partition))
        .compose(fence -> sameLog.get().map(fence));
  }

  /** Creates the owner of a partition that was just taken over. */
  PartitionOwner make(
      Ownership ownership, StockStore stock, Timers timers, PartitionOwner.Host host) {
    return new PartitionOwner(
        OwnerContext.of(
            ownership,
            ledger,
            stock,
            orderLog,
            events,
            timers,
            meters.of(ownership.partition()),
            traces),
        config,
        sales,
        host);
  }

  /** The work of the owner of the first partition for SKUs that sell in the ledger alone. */
  DirectDuties directDuties(BackgroundTasks tasks, Timers timers) {
    return new DirectDuties(
        ledger,
        direct,
        tasks,
        timers,
        Duration.ofMillis(config.timeoutScanMs()),
        Duration.ofSeconds(sales.endAfterS()));
  }
}
