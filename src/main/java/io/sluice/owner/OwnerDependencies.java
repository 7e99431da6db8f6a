package io.sluice.owner;

import io.sluice.ledger.Ledger;
import io.sluice.orderlog.EventPublisher;
import io.sluice.orderlog.OrderLog;
import io.sluice.owner.booking.BookingThrottle;
import io.sluice.stock.StockConnection;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * What the owners of an instance share, and how each makes its own connection to Redis.
 *
 * @param stock makes a store that is not started
 * @param ledgerProbe writes into the ledger that this instance runs
 * @param reconcileEvery between two comparisons of Redis with the ledger
 * @param throttle delays booking while grants come first
 */
public record OwnerDependencies(
    Ledger ledger,
    Supplier<StockConnection> stock,
    OrderLog orderLog,
    EventPublisher events,
    Supplier<Future<?>> ledgerProbe,
    Duration reconcileEvery,
    BookingThrottle throttle) {}
