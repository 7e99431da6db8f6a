package io.sluice.admin.page;

import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.ledger.Instances;
import io.sluice.ledger.SaleLedger;
import io.sluice.ledger.SkuLedger;
import io.sluice.metrics.MeterReading;
import io.sluice.stock.Stock;
import io.sluice.stock.StockConnection.Memory;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.InstantSource;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Builds frames: before the instance has connected to its stores with less in them. */
public final class LiveFrames implements Supplier<JsonObject> {
  private final MeterRegistry registry;
  private final Supplier<JsonObject> readiness;
  private final Supplier<JsonArray> changes;
  private final InstantSource clock;
  private final LongSupplier nanoTime;
  private @Nullable Reads reads;

  /**
   * The sources of frames once the instance serves.
   *
   * @param instance its id
   * @param backlogMax the limit of the backlog, in orders
   * @param connectionsMax the limit of the public port's connections
   * @param memory reads that of Redis
   * @param heard receives all events
   */
  public record Sources(
      String instance,
      int backlogMax,
      int connectionsMax,
      SkuLedger ledger,
      SaleLedger sales,
      Instances instances,
      Stock stock,
      Supplier<Future<Memory>> memory,
      HeardEvents heard) {}

  private record Reads(Sources sources, StockWatch stock, SaleWatch sales, SharedFacts shared) {}

  /**
   * @param readiness as {@code /readyz} has it
   * @param changes what operators have changed lately
   * @param nanoTime a monotonic clock
   */
  public LiveFrames(
      MeterRegistry registry,
      Supplier<JsonObject> readiness,
      Supplier<JsonArray> changes,
      InstantSource clock,
      LongSupplier nanoTime) {
    this.registry = registry;
    this.readiness = readiness;
    this.changes = changes;
    this.clock = clock;
    this.nanoTime = nanoTime;
  }

  /** The instance has connected to its stores; called on the event loop of the frames. */
  public void serve(Sources sources) {
    reads =
        new Reads(
            sources,
            new StockWatch(sources.ledger(), sources.stock(), clock, nanoTime),
            new SaleWatch(sources.sales(), nanoTime),
            new SharedFacts(sources.ledger(), sources.instances(), sources.memory(), nanoTime));
  }

  @Override
  public JsonObject get() {
    return new LiveFrame(
            clock.millis(), readiness.get(), MeterReading.of(registry), changes.get(), known())
        .json();
  }

  private LiveFrame.@Nullable Known known() {
    Reads from = reads;
    if (from == null) {
      return null;
    }
    from.shared().ask();
    from.sales().ask();
    Sources sources = from.sources();
    return new LiveFrame.Known(
        sources.instance(),
        sources.backlogMax(),
        sources.connectionsMax(),
        from.stock().now(),
        from.stock().isRead(),
        from.stock().hasMore(),
        from.sales(),
        sources.heard(),
        from.shared());
  }
}
