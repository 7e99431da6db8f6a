package io.sluice;

import io.sluice.config.ReservationConfig;
import io.sluice.ledger.Instances;
import io.sluice.ledger.Instances.InstanceSettings;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/** That this instance runs, and with which deadlines, as the others see it in the ledger. */
final class Presence {
  /** A shutdown does not wait longer for a ledger that is away. */
  private static final Duration LEAVE_MAX = Duration.ofMillis(500);

  private final Instances instances;
  private final InstanceSettings settings;
  private final String id = UUID.randomUUID().toString();

  Presence(Instances instances, ReservationConfig config) {
    this.instances = instances;
    this.settings = new InstanceSettings(config.grantDeadlineMs(), config.sweepAfterMs());
  }

  /** Before the first grant, and again and again: it also tells whether the ledger takes writes. */
  Future<Void> write() {
    return instances.keep(id, settings).mapEmpty();
  }

  /** After the last answer to a buyer. */
  Future<Void> leave(Vertx vertx) {
    return Future.any(
            instances.remove(id), vertx.timer(LEAVE_MAX.toMillis(), TimeUnit.MILLISECONDS))
        .transform(left -> Future.succeededFuture());
  }
}
