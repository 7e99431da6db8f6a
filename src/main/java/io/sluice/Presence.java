package io.sluice;

import io.sluice.config.ReservationConfig;
import io.sluice.ledger.Instances;
import io.sluice.ledger.Instances.InstanceSettings;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The registration of this instance in the ledger, with the deadlines that other instances must
 * respect.
 */
final class Presence {
  private static final Logger log = LoggerFactory.getLogger(Presence.class);

  /** A shutdown waits no longer than this for an unavailable ledger. */
  private static final Duration LEAVE_MAX = Duration.ofMillis(500);

  private final Instances instances;
  private final InstanceSettings settings;
  private final Supplier<Future<Void>> identity;

  /** Whether the ledger has been this instance's since its row was new. */
  private volatile boolean known;

  private final String id = UUID.randomUUID().toString();

  /**
   * @param identity fails if the ledger is not the one that this instance has started with
   */
  Presence(Instances instances, ReservationConfig config, Supplier<Future<Void>> identity) {
    this.instances = instances;
    this.identity = identity;
    this.settings = new InstanceSettings(config.grantDeadlineMs(), config.sweepAfterMs());
    log.atInfo().addKeyValue("instance", id).log("the ledger knows this instance by its id");
  }

  /** The id of this instance, by which the ledger and the order log know it. */
  String id() {
    return id;
  }

  /**
   * Called before the first grant and then periodically. Also shows whether the ledger accepts
   * writes. If its row is gone, the ledger was restored to before this instance started: it may
   * have lost what tells it from others, or be another one.
   */
  Future<Void> write() {
    return instances
        .keep(id, settings)
        .compose(
            isNew -> {
              known &= !isNew;
              return known
                  ? Future.succeededFuture()
                  : identity.get().onSuccess(same -> known = true);
            });
  }

  /** Called after the last answer to a buyer. */
  Future<Void> leave(Vertx vertx) {
    return Future.any(
            instances.remove(id), vertx.timer(LEAVE_MAX.toMillis(), TimeUnit.MILLISECONDS))
        .transform(left -> Future.succeededFuture());
  }
}
