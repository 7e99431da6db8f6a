package io.sluice.sale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.mysql.LedgerReader;
import io.sluice.testkit.register.Moves;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a running instance shows of what waits, and of what is wrong. */
class OwnerMetersIT {
  @RegisterExtension
  static final SaleSite site =
      SaleSite.withInstances(1)
          .setting("SLUICE_RECONCILE_INTERVAL_MS", 1_000)
          .withFaults()
          .withRedisBehindProxy();

  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final Duration WINDOW = Duration.ofSeconds(3);
  private static final String FENCES = "SELECT * FROM partition_fence FOR UPDATE";
  private static final Buyer ALICE = Buyer.named("alice");

  /** Of all partitions or kinds, where the name has no labels. */
  private static double shown(String name) {
    return MetricsPage.value(site, name);
  }

  @Test
  @Moves({
    "sluice_log_partition_age_seconds",
    "sluice_log_partition_backlog_records",
    "sluice_unbooked_age_seconds",
    "sluice_ledger_retries_total"
  })
  void shouldShowHowLongOrdersWaitWhileNothingIsBooked() {
    // given
    Sale sale = site.sale().withStock(10).open();
    sale.order(ALICE);
    await().atMost(LIMIT).until(() -> sale.tokens("PENDING").count() == 1);
    double retriesBefore = shown("sluice_ledger_retries_total");

    // when
    try (LedgerReader.Held fences = site.ledger().hold(FENCES)) {
      assertThat(sale.order(Buyer.named("bob")).status()).isEqualTo(201);
      await().atMost(LIMIT).until(() -> shown("sluice_log_partition_age_seconds") > 1);
      await().atMost(LIMIT).until(() -> shown("sluice_unbooked_age_seconds") > 1);
      await().atMost(LIMIT).until(() -> shown("sluice_ledger_retries_total") > retriesBefore);
    }

    // then
    await().atMost(LIMIT).until(() -> sale.tokens("PENDING").count() == 2);
    await().atMost(LIMIT).until(() -> shown("sluice_log_partition_age_seconds") == 0);
    await().atMost(LIMIT).until(() -> shown("sluice_unbooked_age_seconds") == 0);
  }

  @Test
  @Moves({
    "sluice_outbox_backlog_rows",
    "sluice_outbox_age_seconds",
    "sluice_outbox_lag_seconds",
    "sluice_timeout_lag_seconds",
    "sluice_release_lag_seconds",
    "sluice_redis_calls_failed_total",
    "sluice_redis_connections_lost_total"
  })
  void shouldShowWhatTheOutboxHasWhileRedisIsAway() {
    // given
    String rows = "sluice_outbox_backlog_rows{kind=\"release\"}";
    String age = "sluice_outbox_age_seconds{kind=\"release\"}";
    String lags = "sluice_outbox_lag_seconds_count{kind=\"release\"}";
    Sale sale = site.sale().withStock(10).withPaymentWindow(WINDOW).open();
    sale.order(ALICE);
    await().atMost(LIMIT).until(() -> sale.tokens("PENDING").count() == 1);
    double lagsBefore = shown(lags);

    // when
    site.redisProxy().refuse();
    site.redisProxy().cut();
    try {
      await().atMost(LIMIT).until(() -> shown(rows) >= 1 && shown(age) > 1);
    } finally {
      site.redisProxy().heal();
    }

    // then
    await().atMost(LIMIT).until(() -> shown(rows) == 0 && shown(age) == 0);
    assertThat(shown(lags)).isGreaterThan(lagsBefore);
  }

  @Test
  @Moves({"sluice_drift_total", "sluice_ledger_corrections_total", "sluice_rebuild_seconds"})
  void shouldCountDriftAndTimeTheRebuildThatEndsIt() {
    // given
    String drift = "sluice_drift_total{kind=\"withheld\"}";
    Sale sale = site.sale().withStock(10).open();
    sale.order(ALICE);
    await().atMost(LIMIT).until(() -> sale.tokens("PENDING").count() == 1);
    double driftBefore = shown(drift);
    double rebuiltBefore = shown("sluice_rebuild_seconds_count");

    // when
    site.stock().plantClaimed(sale.skuId(), 0, 2);

    // then
    await().atMost(LIMIT).until(() -> shown(drift) == driftBefore + 1);
    await().atMost(LIMIT).until(() -> shown("sluice_rebuild_seconds_count") > rebuiltBefore);
    assertThat(shown("sluice_rebuild_seconds_sum")).isPositive();
  }

  @Test
  @Moves("sluice_skus_frozen")
  void shouldShowHowManySkusAreFrozen() {
    // given
    Sale sale = site.sale().withStock(10).open();
    double before = shown("sluice_skus_frozen");

    // when
    sale.freeze();

    // then
    await().atMost(LIMIT).until(() -> shown("sluice_skus_frozen") == before + 1);
    sale.unfreeze();
    await().atMost(LIMIT).until(() -> shown("sluice_skus_frozen") == before);
  }

  @Test
  @Moves("sluice_stock_units")
  void shouldShowHowManyUnitsAreFreeHeldAndSold() {
    // given
    double free = units("free");
    double sold = units("sold");
    double held = units("held");
    Sale sale = site.sale().withStock(10).open();

    // when
    sale.pay(sale.order(ALICE).token());
    sale.order(Buyer.named("bob"));

    // then
    await().atMost(LIMIT).until(() -> units("sold") == sold + 1 && units("held") == held + 1);
    assertThat(units("free")).isEqualTo(free + 8);
  }

  private static double units(String kind) {
    return shown("sluice_stock_units{kind=\"%s\"}".formatted(kind));
  }
}
