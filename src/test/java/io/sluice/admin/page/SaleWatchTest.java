package io.sluice.admin.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.admin.FakeSales;
import io.sluice.ledger.SaleLedger;
import io.sluice.ledger.SaleLedger.Seen;
import io.sluice.model.Sale;
import io.sluice.model.SkuState;
import io.sluice.testkit.Ports;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Which sales are shown, and what that costs. */
class SaleWatchTest {
  private final TreeMap<String, Sale> sales = new TreeMap<>();
  private final AtomicLong nanos = new AtomicLong(1);
  private int reads;
  private boolean isAway;
  private final SaleWatch unit = new SaleWatch(Ports.partly(SaleLedger.class, this), nanos::get);

  Future<List<Seen>> sales(String after, int limit) {
    reads++;
    return isAway
        ? Future.failedFuture("the database is gone")
        : Future.succeededFuture(
            sales.tailMap(after, false).values().stream()
                .limit(limit)
                .map(sale -> new Seen(sale, 0))
                .toList());
  }

  private void has(String saleId, SkuState state) {
    Sale of = FakeSales.SALE;
    sales.put(
        saleId,
        new Sale(saleId, of.name(), false, of.terms(), state, false, 1, 1, of.createdAtMs()));
  }

  private List<String> lookedTimes(int times) {
    for (int i = 0; i < times; i++) {
      unit.ask();
      nanos.addAndGet(SaleWatch.EVERY.toNanos());
    }
    return shown(unit.json(0)).stream().map(sale -> sale.getString("sale_id")).toList();
  }

  private static List<JsonObject> shown(JsonArray all) {
    return all.stream().map(JsonObject.class::cast).toList();
  }

  @Test
  void shouldShowThoseThatHaveNotEnded() {
    // given
    has("a", SkuState.ENDED);
    has("b", SkuState.OPEN);
    has("c", SkuState.ARCHIVED);
    has("d", SkuState.ENDING);

    // when
    List<String> seen = lookedTimes(1);

    // then
    assertThat(seen).containsExactly("b", "d");
    assertThat(unit.hasMore()).isFalse();
    assertThat(shown(unit.json(0)).get(0).getMap())
        .containsEntry("name", "Singles' day, phones")
        .containsEntry("state", "OPEN")
        .containsEntry("closes_at", 0L);
  }

  @Test
  void shouldOpenAtItsTimeWithoutBeingReadAgain() {
    // given
    has("a", SkuState.SCHEDULED);
    lookedTimes(1);

    // when
    String before = shown(unit.json(0)).get(0).getString("state");
    String after = shown(unit.json(FakeSales.SALE.terms().opensAtMs())).get(0).getString("state");

    // then
    assertThat(List.of(before, after)).containsExactly("SCHEDULED", "OPEN");
  }

  @Test
  void shouldFindOneBehindManyThatHaveEnded() {
    // given
    for (int i = 0; i < 3 * SaleWatch.PAGE; i++) {
      has("a-%04d".formatted(i), SkuState.ENDED);
    }
    has("z", SkuState.SCHEDULED);

    // when
    List<String> early = lookedTimes(3);
    List<String> seen = lookedTimes(1);

    // then
    assertThat(early).isEmpty();
    assertThat(seen).containsExactly("z");
  }

  @Test
  void shouldForgetWhatHasEndedAndKeepWhatItCannotRead() {
    // given
    has("a", SkuState.OPEN);
    has("b", SkuState.OPEN);
    lookedTimes(1);
    has("a", SkuState.ENDED);

    // when
    List<String> ended = lookedTimes(1);
    isAway = true;
    List<String> away = lookedTimes(2);

    // then
    assertThat(ended).containsExactly("b");
    assertThat(away).containsExactly("b");
  }

  @Test
  void shouldShowABoundedNumber() {
    // given
    for (int i = 0; i < 2 * SaleWatch.PAGE + 1; i++) {
      has("a-%04d".formatted(i), SkuState.OPEN);
    }

    // when
    List<String> seen = lookedTimes(3);

    // then
    assertThat(seen).hasSize(SaleWatch.SHOWN_MAX).startsWith("a-0000");
    assertThat(unit.hasMore()).isTrue();
  }

  @Test
  void shouldReadOnlyWhileItIsAskedAndNotMoreOften() {
    // when
    for (int i = 0; i < 100; i++) {
      unit.ask();
    }

    // then
    assertThat(reads).isEqualTo(1);
  }
}
