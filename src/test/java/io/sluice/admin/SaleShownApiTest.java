package io.sluice.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.SaleLedger.Seen;
import io.sluice.ledger.SaleLedger.StateTotals;
import io.sluice.model.Sale;
import io.sluice.model.Sale.SaleTerms;
import io.sluice.model.SkuState;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How sales are shown to operators. */
class SaleShownApiTest {
  private static final long CLOSES_AT_MS = 1_796_119_300_000L;

  @AutoClose private final AdminPortFixture fixture = new AdminPortFixture("").serving();

  private JsonObject shown(SkuState state, boolean frozen, boolean isArchiving) {
    Sale of = FakeSales.SALE;
    Sale sale =
        new Sale(
            of.saleId(),
            of.name(),
            of.carts(),
            new SaleTerms(of.terms().opensAtMs(), CLOSES_AT_MS, 300, false),
            state,
            frozen,
            isArchiving ? 2 : 1,
            1,
            of.createdAtMs());
    fixture.sales.seen = Optional.of(new Seen(sale, AdminPortFixture.NOW.toEpochMilli()));
    return fixture.probe.get("/admin/sales/" + of.saleId()).json();
  }

  private void has(StateTotals... totals) {
    fixture.sales.totals = List.of(totals);
  }

  @Test
  void shouldTellWhatAnEndWaitsForWhenItsSkusWaitForSeveralThings() {
    // given
    has(
        new StateTotals(SkuState.ENDED, 5, 0, 50, 0, 50),
        new StateTotals(SkuState.FROZEN, 2, 0, 20, 3, 4),
        new StateTotals(SkuState.ENDING, 1, 0, 10, 6, 0));

    // when
    JsonObject sale = shown(SkuState.ENDING, false, false);

    // then
    assertThat(sale.getJsonArray("waits_for"))
        .isEqualTo(
            new JsonArray(
                """
                [{"what": "unfreeze", "skus": 2, "held": 3}, {"what": "payment", "skus": 1, "held": 6}]
                """));
    assertThat(sale.getString("ends_at")).isNull();
  }

  @Test
  void shouldTellWhatAnArchiveWaitsFor() {
    // given
    has(
        new StateTotals(SkuState.ARCHIVED, 5, 0, 50, 0, 50),
        new StateTotals(SkuState.ENDED, 2, 0, 20, 0, 4));

    // when
    JsonObject sale = shown(SkuState.ENDED, false, true);

    // then
    assertThat(sale.getJsonArray("waits_for"))
        .isEqualTo(new JsonArray("[{\"what\": \"archive\", \"skus\": 2, \"held\": 0}]"));
  }

  @ParameterizedTest
  @CsvSource({
    "SCHEDULED, false, 2026-12-02T10:01:40.000Z",
    "OPEN,      false, 2026-12-02T10:01:40.000Z",
    "CLOSED,    false, 2026-12-02T10:01:40.000Z",
    "OPEN,      true,",
    "ENDED,     false,",
    "ARCHIVED,  false,",
  })
  void shouldTellWhenASaleEndsByItself(SkuState state, boolean frozen, String endsAt) {
    // when
    JsonObject sale = shown(state, frozen, false);

    // then
    assertThat(sale.getString("ends_at")).isEqualTo(endsAt);
    assertThat(sale.getJsonArray("waits_for")).isEmpty();
  }
}
