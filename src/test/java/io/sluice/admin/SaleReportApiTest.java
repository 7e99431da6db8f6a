package io.sluice.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.Audit;
import io.sluice.ledger.History.Counts;
import io.sluice.ledger.History.Group;
import io.sluice.ledger.History.Incident;
import io.sluice.ledger.History.Interval;
import io.sluice.ledger.History.Kind;
import io.sluice.ledger.LedgerUnavailableException;
import io.sluice.ledger.SaleLedger.Seen;
import io.sluice.model.Sales;
import io.sluice.web.HttpProbe.Answer;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code GET /admin/sales/{sale_id}/report}. */
class SaleReportApiTest {
  private static final String HOSTILE = "<script>alert(1)</script>\"'&<img src=x onerror=y>";
  private static final int SKUS = 10_000;

  /** A browser shows this much at once. */
  private static final int PAGE_CHARS_MAX = 100_000;

  private static final long OPENED_MS = FakeHistory.OPENED_MS;

  @AutoClose
  private final AdminPortFixture fixture = new AdminPortFixture(AdminCalls.CONFIG).serving();

  @BeforeEach
  void sell() {
    SaleExamples.report(fixture);
  }

  private Answer get(String query, String accept) {
    return fixture.probe.get(
        "/admin/sales/phones-12/report" + query,
        "Authorization",
        "Bearer " + AdminCalls.RITA,
        "Accept",
        accept);
  }

  private String page() {
    Answer answer = get("?format=html", "*/*");
    assertThat(answer.status()).isEqualTo(200);
    return answer.text();
  }

  private JsonObject json() {
    Answer answer = get("", "*/*");
    assertThat(answer.status()).isEqualTo(200);
    return answer.json();
  }

  private void name(String name) {
    fixture.sales.seen =
        Optional.of(new Seen(Sales.named(name, FakeSales.SALE), OPENED_MS + 3_600_000));
  }

  @ParameterizedTest
  @CsvSource({
    "'', */*, application/json",
    "'', 'text/html,application/xhtml+xml;q=0.9', text/html; charset=utf-8",
    "?format=json, text/html, application/json",
    "?format=html, application/json, text/html; charset=utf-8"
  })
  void shouldAnswerInTheFormatThatIsAskedFor(String query, String accept, String expected) {
    // when
    Answer answer = get(query, accept);

    // then
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.header("content-type")).isEqualTo(expected);
  }

  @Test
  void shouldAllowNoMoreThanItsOwnStyleOnThePage() throws Exception {
    // when
    Answer answer = get("?format=html", "*/*");

    // then
    Matcher style = Pattern.compile("<style>(.*)</style>", Pattern.DOTALL).matcher(answer.text());
    assertThat(style.find()).isTrue();
    byte[] hash =
        MessageDigest.getInstance("SHA-256")
            .digest(style.group(1).getBytes(StandardCharsets.UTF_8));
    assertThat(answer.header("content-security-policy"))
        .startsWith(
            "default-src 'none'; style-src 'sha256-" + Base64.getEncoder().encodeToString(hash))
        .contains("frame-ancestors 'none'");
    assertThat(answer.header("x-content-type-options")).isEqualTo("nosniff");
    assertThat(answer.text()).doesNotContain("<script", "style=\"", "http://", "https://", "src=");
  }

  @Test
  void shouldShowHostileNamesAsText() {
    // given
    name(HOSTILE);
    fixture.sales.skus = List.of(FakeSales.sku(1001).named(HOSTILE));
    fixture.history.keepIncidents(
        List.of(new Incident(OPENED_MS, HOSTILE.substring(0, 20), "a", OPENED_MS, 1, HOSTILE)));
    fixture.history.keep(
        List.of(
            new Interval(
                "phones-12",
                OPENED_MS + 10_000,
                "i",
                10_000,
                new Counts(Map.of(HOSTILE, 3L), Map.of()))));

    // when
    String page = page();

    // then
    assertThat(page).contains("&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;&lt;img");
    assertThat(page).contains("<td>1001 &lt;script");
    assertThat(page).doesNotContain("<script", "<img");
    assertThat(json().getJsonArray("skus").getJsonObject(0).getString("name")).isEqualTo(HOSTILE);
  }

  @Test
  void shouldTellTheResultFirstAndAuditIt() {
    // when
    String page = page();

    // then
    assertThat(page).contains("Sold 20 of 100 units (20 %)");
    assertThat(page).contains("nothing oversold, and all counters equal the rows");
    assertThat(page).contains("30 units are held by orders that may still be paid");
    assertThat(page).contains("sold out", "ALARM: clock skew");
  }

  @Test
  void shouldTellWhichSkuDiffersWhenItsCountersAreNotItsRows() {
    // given
    fixture.history.ended.clear();
    fixture.ledger.auditResult =
        Future.succeededFuture(Optional.of(new Audit(1001, 1, 100, 50, 0, 100, 30, 20)));

    // when
    JsonObject audit = json().getJsonObject("audit");

    // then
    assertThat(audit.getBoolean("clean")).isFalse();
    assertThat(audit.getJsonArray("differing")).containsExactly(1001);
    assertThat(page()).contains("counters and rows differ of SKU 1001");
  }

  @Test
  void shouldTellWhereCountersWereLost() {
    // given
    fixture.history.granted.add(
        new Group(
            1001, 1, Kind.GRANTED, OPENED_MS + 90_000, 0, 5, 5, 0, OPENED_MS + 90_000, OPENED_MS));

    // when
    JsonObject json = json();

    // then
    assertThat(json.getJsonArray("gaps"))
        .containsExactly(
            new JsonObject()
                .put("from", "2026-12-01T10:01:30.000Z")
                .put("until", "2026-12-01T10:01:31.000Z"));
    assertThat(page()).contains("their times were lost");
  }

  @Test
  void shouldKeepWhatCameLongAfterOutOfTheTimeline() {
    // given
    long later = OPENED_MS + 3 * 86_400_000L;
    fixture.history.ended.add(new Group(1001, 1, Kind.REFUNDED, later, 0, 2, 2, 0, later, later));

    // when
    JsonObject json = json();

    // then
    assertThat(json.getLong("interval_s")).isEqualTo(1);
    assertThat(json.getJsonObject("later").getLong("refunded")).isEqualTo(2);
    assertThat(json.getJsonObject("orders").getLong("refunded")).isEqualTo(2);
  }

  @Test
  void shouldCountOnlyOrdersOfThisSale() {
    // given
    fixture.history.granted.add(
        new Group(1001, 0, Kind.GRANTED, OPENED_MS, 0, 9, 9, 0, OPENED_MS, OPENED_MS));

    // when
    JsonObject json = json();

    // then
    assertThat(json.getJsonObject("orders").getLong("granted")).isEqualTo(50);
  }

  @Test
  void shouldCountWhatThisSaleHadWhenASkuIsInALaterOne() {
    // given
    fixture.sales.skus = List.of();
    fixture.sales.left = List.of(FakeSales.left(1001, 50));
    fixture.history.granted.add(
        new Group(1001, 2, Kind.GRANTED, OPENED_MS, 0, 9, 9, 9, OPENED_MS, OPENED_MS));

    // when
    JsonObject json = json();

    // then
    assertThat(json.getJsonObject("orders").getLong("granted")).isEqualTo(50);
    assertThat(json.getJsonObject("units"))
        .isEqualTo(new JsonObject().put("on_sale", 500).put("sold", 20).put("held", 30));
    assertThat(json.getJsonObject("audit").getBoolean("clean")).isTrue();
  }

  @Test
  void shouldLookAgainWhenTheRowsOfASkuInALaterSaleAreNotWhatThisOneSold() {
    // given
    fixture.sales.skus = List.of();
    fixture.sales.left = List.of(FakeSales.left(1001, 49));
    fixture.ledger.auditResult =
        Future.succeededFuture(Optional.of(new Audit(1001, 1, 100, 50, 0, 100, 30, 20)));

    // when
    JsonObject audit = json().getJsonObject("audit");

    // then
    assertThat(audit.getJsonArray("differing")).containsExactly(1001);
  }

  @Test
  void shouldHaveAPageWhenNothingHappened() {
    // given
    fixture.history.granted.clear();
    fixture.history.ended.clear();
    fixture.history.forget(Long.MAX_VALUE);
    fixture.ledger.auditResult = Future.succeededFuture(Optional.empty());

    // when
    String page = page();

    // then
    assertThat(page)
        .contains("nothing happened yet", "No refusal was counted", "No alarm was raised");
  }

  // ---- where something is missing, or too much

  @Test
  void shouldAnswer503WhenTheLedgerIsAwayInTheMiddle() {
    // given
    fixture.ledger.auditResult =
        Future.failedFuture(new LedgerUnavailableException("planted", null));
    fixture.history.ended.clear();

    // when
    Answer answer = get("?format=html", "*/*");

    // then
    assertThat(answer.problem()).isEqualTo("unavailable");
    fixture.ledger.auditResult = new FakeLedger().auditResult;
    assertThat(get("?format=html", "*/*").status()).as("once it is back").isEqualTo(200);
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
        new Group(1001, 1, Kind.GRANTED, OPENED_MS, 0, 30, 30, 30, OPENED_MS, OPENED_MS));

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
    JsonObject json = json();

    // then
    assertThat(page).contains("And 9,970 others.").hasSizeLessThan(PAGE_CHARS_MAX);
    assertThat(page.indexOf("<td>1001</td>")).isPositive();
    assertThat(json.getJsonArray("skus")).hasSize(SKUS);
    assertThat(json.getJsonObject("orders").getLong("granted")).isEqualTo(50);
  }
}
