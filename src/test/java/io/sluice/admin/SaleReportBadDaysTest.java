package io.sluice.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.History.Group;
import io.sluice.ledger.History.Kind;
import io.sluice.ledger.LedgerUnavailableException;
import io.sluice.web.HttpProbe.Answer;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The report of a sale where something is missing, too much, or not allowed. */
class SaleReportBadDaysTest {
  private static final long OPENED_MS = FakeHistory.OPENED_MS;
  private static final int SKUS = 10_000;

  /** A browser shows this much at once. */
  private static final int PAGE_CHARS_MAX = 100_000;

  @AutoClose
  private final AdminPortFixture fixture = new AdminPortFixture(AdminCalls.CONFIG).serving();

  @BeforeEach
  void sell() {
    SaleExamples.report(fixture);
  }

  private Answer get(String query, String token) {
    return fixture.probe.get(
        "/admin/sales/phones-12/report" + query, "Authorization", "Bearer " + token);
  }

  private String page() {
    return get("?format=html", AdminCalls.RITA).text();
  }

  @Test
  void shouldAnswer503WhenTheLedgerIsAwayInTheMiddle() {
    // given
    fixture.ledger.auditResult =
        Future.failedFuture(new LedgerUnavailableException("planted", null));
    fixture.history.ended.clear();

    // when
    Answer answer = get("?format=html", AdminCalls.RITA);

    // then
    assertThat(answer.problem()).isEqualTo("unavailable");
    fixture.ledger.auditResult = new FakeLedger().auditResult;
    assertThat(get("?format=html", AdminCalls.RITA).status()).as("once it is back").isEqualTo(200);
  }

  @Test
  void shouldSayThatASaleThatIsOpenGoesOn() {
    // when
    String page = page();

    // then
    assertThat(page).contains("The sale is open: this is what happened until 2026-12-01 11:00:00");
  }

  @Test
  void shouldSayWhatIsMissingWhenAnInstanceWasKilledBesideAnother() {
    // given
    fixture.history.granted.add(
        new Group(1001, 1, Kind.GRANTED, OPENED_MS, 0, 30, 30, OPENED_MS, OPENED_MS));

    // when
    String page = page();

    // then
    assertThat(page).contains("Instances counted 50 of 80 grants");
  }

  @Test
  void shouldShowTheBestAndCountAllWhenASaleHasManySkus() {
    // given
    fixture.sales.skus = LongStream.range(1_001, 1_001 + SKUS).mapToObj(FakeSales::sku).toList();

    // when
    String page = page();
    JsonObject json = get("?format=json", AdminCalls.RITA).json();

    // then
    assertThat(page).contains("And 9,970 others.").hasSizeLessThan(PAGE_CHARS_MAX);
    assertThat(page.indexOf("<td>1001</td>")).isPositive();
    assertThat(json.getJsonArray("skus")).hasSize(SKUS);
    assertThat(json.getJsonObject("orders").getLong("granted")).isEqualTo(50);
  }
}
