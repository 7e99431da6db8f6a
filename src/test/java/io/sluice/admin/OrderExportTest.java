package io.sluice.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.ledger.History.HoldPlace;
import io.sluice.ledger.History.Page;
import io.sluice.ledger.History.SalePage;
import io.sluice.ledger.History.SalePlace;
import io.sluice.ledger.LedgerUnavailableException;
import io.sluice.model.Order;
import io.sluice.web.HttpProbe;
import io.sluice.web.HttpProbe.Answer;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The orders of a SKU or a sale as lines, page by page. */
class OrderExportTest {
  private static final String TOKEN = "token-of-the-operators";
  private static final String EXPORT = "/admin/orders?sku_id=1001&format=ndjson";
  private static final String EXPORT_OF_SALE = "/admin/orders?sale_id=phones-12&format=ndjson";
  private static final int PAGE = 500;
  private static final int PAGES_MAX = 200;

  @AutoClose private final AdminPortFixture fixture = new AdminPortFixture(TOKEN).serving();

  private static Future<Page> page(int number, boolean last) {
    return Future.succeededFuture(
        new Page(
            Collections.nCopies(PAGE, FakeStories.PENDING), new HoldPlace(0, 1, number), last));
  }

  private Answer export(String more) {
    return fixture.probe.get(EXPORT + more, "Authorization", "Bearer " + TOKEN);
  }

  @Test
  void shouldSendAllPagesAsLines() {
    // given
    fixture.stories.pages = number -> page(number, number == 3);

    // when
    Answer answer = export("&after=0.1.0");

    // then
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.header("content-type")).isEqualTo("application/x-ndjson");
    List<String> lines = answer.text().lines().toList();
    assertThat(lines).hasSize(3 * PAGE);
    assertThat(new JsonObject(lines.get(0)).getString("user_id")).isEqualTo("alice");
    assertThat(fixture.stories.asked)
        .containsExactly("page 1001 0.1.0 500", "page 1001 0.1.1 500", "page 1001 0.1.2 500");
  }

  @Test
  void shouldGoOnWhenNothingOfAPagePassesTheFilter() {
    // given
    fixture.stories.pages = number -> page(number, number == 2);

    // when
    Answer answer = export("&status=CANCELED");

    // then
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.text()).isEmpty();
    assertThat(fixture.stories.asked).hasSize(2);
  }

  @Test
  void shouldSendAllPagesAsRowsBelowTheNamesOfTheirColumns() {
    // given
    fixture.stories.pages = number -> page(number, number == 2);

    // when
    Answer answer =
        fixture.probe.get(EXPORT.replace("ndjson", "csv"), "Authorization", "Bearer " + TOKEN);

    // then
    assertThat(answer.header("content-type")).isEqualTo("text/csv; charset=utf-8; header=present");
    String[] rows = answer.text().split("\r\n");
    assertThat(rows).hasSize(1 + 2 * PAGE);
    assertThat(rows[0] + "\r\n").isEqualTo(OrderCsv.HEAD);
    assertThat(rows[1]).isEqualTo(rows[2 * PAGE]);
  }

  private static Future<Optional<SalePage>> ofSale(long skuId, int orders, boolean last) {
    List<Order> all = Collections.nCopies(orders, FakeStories.PENDING);
    return Future.succeededFuture(
        Optional.of(new SalePage(all, new SalePlace(skuId, new HoldPlace(0, 1, 9)), last)));
  }

  /** Its SKUs in the middle have sold nothing. */
  @Test
  void shouldSendAllOrdersOfASale() {
    // given
    fixture.stories.salePages =
        number ->
            switch (number) {
              case 1 -> ofSale(1001, 3, false);
              case 2 -> ofSale(1101, 0, false);
              default -> ofSale(1102, 2, true);
            };

    // when
    Answer answer = fixture.probe.get(EXPORT_OF_SALE, "Authorization", "Bearer " + TOKEN);

    // then
    assertThat(answer.text().lines()).hasSize(5);
    assertThat(fixture.stories.asked)
        .containsExactly(
            "page phones-12 1.0.0.0 500",
            "page phones-12 1001.0.1.9 500",
            "page phones-12 1101.0.1.9 500");
  }

  @Test
  void shouldCutTheAnswerOffWhenALaterPageOfASaleCannotBeRead() {
    // given
    fixture.stories.salePages = number -> number < 3 ? ofSale(1000 + number, 1, false) : down();

    // when / then
    assertThatThrownBy(() -> fixture.probe.get(EXPORT_OF_SALE, "Authorization", "Bearer " + TOKEN))
        .satisfies(thrown -> assertThat(thrown).hasRootCauseInstanceOf(IOException.class));
    assertThat(fixture.stories.asked).hasSize(3);
  }

  @Test
  void shouldAnswer503WhenTheFirstPageCannotBeRead() {
    // given
    fixture.stories.pages = number -> down();

    // when
    Answer answer = export("");

    // then
    assertThat(answer.problem()).isEqualTo("unavailable");
  }

  @Test
  void shouldReadNoFurtherWhenOnlyTheHeadIsAskedFor() {
    // given
    fixture.stories.pages = number -> page(number, number == 3);

    // when
    Answer answer =
        fixture.probe.send(
            "HEAD", EXPORT, BodyPublishers.noBody(), "Authorization", "Bearer " + TOKEN);

    // then
    assertThat(answer.status()).isEqualTo(200);
    assertThat(fixture.stories.asked).hasSize(1);
  }

  /** Half of an export must not look like a whole one. */
  @Test
  void shouldCutTheAnswerOffWhenALaterPageCannotBeRead() {
    // given
    fixture.stories.pages = number -> number < 3 ? page(number, false) : down();

    // when / then
    assertThatThrownBy(() -> export(""))
        .satisfies(thrown -> assertThat(thrown).hasRootCauseInstanceOf(IOException.class));
    assertThat(fixture.stories.asked).hasSize(3);
  }

  /** What a slow caller has not taken is not read from the ledger either. */
  @Test
  void shouldReadNoFurtherWhenTheCallerTakesNothing() throws IOException {
    // given
    fixture.stories.pages = number -> page(number, number == 10 * PAGES_MAX);

    try (Socket slow = fixture.connection()) {
      // when
      ask(slow, EXPORT);
      HttpProbe.eventually(this::rests);

      // then
      assertThat(fixture.stories.asked).hasSizeBetween(1, PAGES_MAX);
    }
  }

  /** Where no order passes the filter nothing is written, so only the connection tells. */
  @Test
  void shouldReadNoFurtherWhenTheCallerHasLeft() throws IOException {
    // given
    fixture.stories.pages = number -> fixture.vertx.timer(1).compose(later -> page(number, false));

    // when
    try (Socket leaving = fixture.connection()) {
      ask(leaving, EXPORT + "&status=CANCELED");
      HttpProbe.eventually(() -> fixture.stories.asked.size() > 2);
    }

    // then
    HttpProbe.eventually(this::rests);
  }

  private static void ask(Socket connection, String path) throws IOException {
    connection
        .getOutputStream()
        .write(
            ("GET %s HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n\r\n")
                .formatted(path, TOKEN)
                .getBytes(StandardCharsets.US_ASCII));
  }

  /** Whether no page was asked for in a while. */
  private boolean rests() {
    int before = fixture.stories.asked.size();
    HttpProbe.await(fixture.vertx.timer(300));
    return before > 0 && fixture.stories.asked.size() == before;
  }

  private static <T> Future<T> down() {
    return Future.failedFuture(new LedgerUnavailableException("down", new IOException("down")));
  }
}
