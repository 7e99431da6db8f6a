package io.sluice.owner;

import io.sluice.async.BackgroundTask;
import io.sluice.async.Timers;
import io.sluice.config.Config.ReservationConfig;
import io.sluice.config.Config.SaleConfig;
import io.sluice.ledger.DirectLedger;
import io.sluice.ledger.Fence;
import io.sluice.ledger.Ledger;
import io.sluice.ledger.OwnerRequests;
import io.sluice.metrics.OwnerMeters;
import io.sluice.orderlog.EventPublisher;
import io.sluice.orderlog.OrderLog;
import io.sluice.owner.booking.BookingThrottle;
import io.sluice.owner.direct.DirectDuties;
import io.sluice.owner.fencing.KnownFences;
import io.sluice.owner.fencing.OwnerContext;
import io.sluice.owner.fencing.Ownership;
import io.sluice.owner.reconcile.DriftKind;
import io.sluice.stock.StockConnection;
import io.sluice.stock.StockStore;
import io.sluice.tracing.Traces;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Creates the owners of an instance. They share the ledger, the order log and the producer of
 * events; each has its own connection to Redis.
 */
public final class OwnerFactory {
  private final Ledger ledger;
  private final DirectLedger direct;
  private final Supplier<Future<Void>> sameLog;
  private final Supplier<StockConnection> stock;
  private final OrderLog orderLog;
  private final EventPublisher events;
  private final BookingThrottle throttle;
  private final ReservationConfig config;
  private final SaleConfig sales;
  private final OwnerMeters meters;
  private final Traces traces;

  /**
   * @param sameLog fails if the ledger does not name the log that is read
   * @param stock creates a connection to Redis that is not started yet
   * @param throttle delays booking while grants have priority
   */
  public OwnerFactory(
      Ledger ledger,
      DirectLedger direct,
      Supplier<Future<Void>> sameLog,
      Supplier<StockConnection> stock,
      OrderLog orderLog,
      EventPublisher events,
      BookingThrottle throttle,
      ReservationConfig config,
      SaleConfig sales,
      OwnerMeters meters,
      Traces traces) {
    this.ledger = ledger;
    this.direct = direct;
    this.sameLog = sameLog;
    this.stock = stock;
    this.orderLog = orderLog;
    this.events = events;
    this.throttle = throttle;
    this.config = config;
    this.sales = sales;
    this.meters = meters;
    this.traces = traces;
    meters.driftKinds(DriftKind.words());
  }

  BookingThrottle throttle() {
    return throttle;
  }

  void strayed(int grants) {
    meters.strayGrantsDropped(grants);
  }

  /** The requests from instances to owners. */
  OwnerRequests requests() {
    return ledger;
  }

  /** A connection to Redis for one owner, not started yet. */
  StockConnection newStock() {
    return stock.get();
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
  Optional<DirectDuties> directDuties(int partition, BackgroundTask.Maker tasks, Timers timers) {
    return Ownership.isFirst(partition)
        ? Optional.of(
            new DirectDuties(
                ledger,
                direct,
                tasks,
                timers,
                Duration.ofMillis(config.timeoutScanMs()),
                Duration.ofSeconds(sales.endAfterS())))
        : Optional.empty();
  }
}
