package io.sluice.webhook;

import io.sluice.async.StallDetector;
import io.sluice.async.TimeLimit;
import io.sluice.feed.EventWaits;
import io.sluice.ledger.Webhooks;
import io.sluice.metrics.Meters;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;

/** Sends events to targets, on an event loop of its own. */
public final class WebhookVerticle extends VerticleBase {
  /** Of a request. */
  private static final Duration REQUEST_MAX = Duration.ofSeconds(10);

  /** What is under way at the end of an instance may take no longer. */
  private static final Duration STOP_MAX = Duration.ofSeconds(2);

  private final Webhooks ledger;
  private final EventWaits events;
  private final AddressGuard guard;
  private final String caFile;
  private final String owner;
  private final Meters meters;
  private Supplier<Future<Void>> ends = Future::succeededFuture;

  /**
   * @param caFile PEM file of the authorities that may have signed the certificate of a target;
   *     empty: those that the JVM trusts
   * @param owner the id of this instance
   */
  public WebhookVerticle(
      Webhooks ledger,
      EventWaits events,
      AddressGuard guard,
      String caFile,
      String owner,
      Meters meters) {
    this.ledger = ledger;
    this.events = events;
    this.guard = guard;
    this.caFile = caFile;
    this.owner = owner;
    this.meters = meters;
  }

  @Override
  public Future<?> start() {
    WebhookSender sender =
        new WebhookSender(vertx, guard, caFile, REQUEST_MAX, InstantSource.system());
    Deliveries deliveries =
        new Deliveries(
            new TargetDelivery.Shared(
                ledger,
                events,
                sender::send,
                new RetrySchedule(() -> ThreadLocalRandom.current().nextDouble()),
                owner,
                System::nanoTime,
                meters));
    vertx.setPeriodic(Deliveries.TICK.toMillis(), timer -> deliveries.tick());
    vertx.setPeriodic(StallDetector.TICK.toMillis(), timer -> deliveries.watch());
    ends = () -> deliveries.stop(sender::close);
    return Future.succeededFuture();
  }

  /** Requests under way are dropped: their events are sent again by the next instance. */
  @Override
  public Future<?> stop() {
    return TimeLimit.of(STOP_MAX.toMillis(), ends.get())
        .transform(ended -> Future.succeededFuture());
  }
}
