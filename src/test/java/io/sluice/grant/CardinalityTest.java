package io.sluice.grant;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.sluice.admission.AdmissionLimits;
import io.sluice.admission.BannedBuyers;
import io.sluice.config.Config.AdmissionConfig;
import io.sluice.metrics.Meters;
import io.sluice.metrics.OutboxMeters.Waiting;
import io.sluice.metrics.OwnerMeters;
import io.sluice.metrics.OwnerMeters.PartitionMeters;
import io.sluice.model.BucketId;
import io.sluice.model.SkuSettings;
import io.sluice.orderlog.InMemoryOrderLog;
import io.sluice.stock.InMemoryStock;
import io.sluice.stock.OpenBuckets;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** However much is sold to however many, there are no more series. */
class CardinalityTest {
  private static final int SKUS = 10_000;
  private static final int BUYERS = 20_000;
  private static final int PARTITIONS = 8;
  private static final SkuSettings SETTINGS = new SkuSettings(300, 0, 0, 0);

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final Meters meters = new Meters(registry);
  private final ManualLoop time = new ManualLoop();
  private final long startNanos = time.now();
  private final InMemoryStock stock =
      new InMemoryStock(
          () -> Instant.ofEpochMilli(1_000_000 + (time.now() - startNanos) / 1_000_000), "run");
  private final OwnerMeters owners = new OwnerMeters(registry, PARTITIONS, () -> Instant.EPOCH);
  private final InMemoryOrderLog log = new InMemoryOrderLog();
  private final ScriptedLedger ledger = new ScriptedLedger();
  private final AdmissionLimits limits =
      new AdmissionLimits(
          new AdmissionConfig(0, 3, 2, 20, 3, 600, 1_800, 20),
          List.of(),
          new BannedBuyers(time::now),
          time::now,
          meters);
  private final Reservations reservations =
      Desk.on(ledger.stores(partition -> stock, log), time, 1_000, 20, meters);

  @Test
  void shouldHaveTheSameSeriesHoweverManySkusAndBuyersThereAre() {
    // given
    sell(0, 10, 100);
    Set<String> ofFew = series();

    // when
    int yeses = sell(10, SKUS, BUYERS);

    // then
    assertThat(yeses).isEqualTo(SKUS - 10);
    assertThat(registry.get("sluice_refusals").tag("refusal", "sold-out").counter().count())
        .isGreaterThan(BUYERS / 2.0);
    assertThat(registry.get("sluice_admission_refused").tag("limit", "buyer").counter().count())
        .isPositive();
    assertThat(series()).isEqualTo(ofFew);
  }

  /** Puts these SKUs on sale with a unit each; returns how many of the buyers got one. */
  private int sell(int firstSku, int endSku, int buyers) {
    for (int sku = firstSku; sku < endSku; sku++) {
      open(sku);
    }
    int skus = endSku - firstSku;
    int yeses = 0;
    for (int buyer = 0; buyer < buyers; buyer++) {
      String userId = "buyer-" + firstSku + "-" + buyer;
      yeses += visit(userId, firstSku + buyer % skus) ? 1 : 0;
      deliver(firstSku + (long) buyer);
      time.advanceMs(1);
    }
    return yeses;
  }

  private void open(long skuId) {
    ledger.add(skuId, 1);
    OpenBuckets.open(stock, new BucketId(skuId, 0), 1, SETTINGS);
  }

  /** A buyer who asks more often than a buyer may; true where the first request got a unit. */
  private boolean visit(String userId, long skuId) {
    limits.count(userId);
    for (int again = 0; again < 4; again++) {
      limits.ofOrder(userId, new long[] {skuId}, "key-" + again);
    }
    Future<PlacedOrder> placed =
        reservations.place(Desk.wish(userId, skuId, 1, null), SkuEntry.OPEN);
    return placed.isComplete() && placed.result() instanceof PlacedOrder.Accepted;
  }

  /** What the owner does with an order, as the meters see it. */
  private void deliver(long id) {
    int partition = (int) (id % PARTITIONS);
    meters.booking().booked(1, 0, id);
    meters.booking().deadLettered("flaw", 1);
    meters.timedOut(id);
    PartitionMeters owner = owners.of(partition);
    owner.onSaleAgain(id);
    owner.drifted("missing");
    owner.rebuilt(owner.begin());
    for (String kind : List.of("event", "release", "restock", "dead")) {
      meters.outbox().read(kind, partition, true, List.of(new Waiting(id, 1)));
      meters.outbox().waiting(kind, partition, 1);
      meters.outbox().sent(List.of(id));
    }
  }

  /** Their names and labels. */
  private Set<String> series() {
    return registry
        .scrape()
        .lines()
        .filter(line -> !line.startsWith("#"))
        .map(line -> line.substring(0, line.lastIndexOf(' ')))
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
