package io.sluice.order;

import static io.sluice.grant.Desk.answer;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.admin.FakeSales;
import io.sluice.async.BatchReader.QueueFullException;
import io.sluice.grant.ManualLoop;
import io.sluice.ledger.SaleLedger.Seen;
import io.sluice.model.SkuState;
import io.sluice.order.SaleLevels.SaleLevel;
import io.sluice.order.SkuLevels.Level;
import io.sluice.order.SkuLevels.SkuLevel;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class SaleLevelsTest {
  private static final long OPENS_AT_MS = FakeSales.SALE.terms().opensAtMs();

  private final ManualLoop time = new ManualLoop();
  private final FakeSales sales = new FakeSales();
  private final List<Long> asked = new ArrayList<>();
  private Future<Optional<SkuLevel>> instead;
  private final SaleLevels unit = new SaleLevels(sales, this::level, time.loop());

  private Future<Optional<SkuLevel>> level(long skuId) {
    asked.add(skuId);
    return instead != null
        ? instead
        : Future.succeededFuture(
            Optional.of(new SkuLevel(skuId, SkuState.SCHEDULED, Level.PLENTY, 0, 0)));
  }

  @Test
  void shouldTellTheLevelsOfAPage() {
    // given
    has(3, OPENS_AT_MS - 1);

    // when
    SaleLevel first = view(0, 2);
    SaleLevel rest = view(2, 2);

    // then
    assertThat(first.skus()).extracting(SkuLevel::skuId).containsExactly(1L, 2L);
    assertThat(first.nextAfter()).isEqualTo(2);
    assertThat(rest.skus()).extracting(SkuLevel::skuId).containsExactly(3L);
    assertThat(rest.nextAfter()).isNull();
  }

  @Test
  void shouldTellTheLevelOfASkuThatIsInALaterSaleAsItHasLeft() {
    // given
    has(0, OPENS_AT_MS);
    sales.left = List.of(FakeSales.left(1, 500), FakeSales.left(2, 100), FakeSales.left(3, 480));

    // when
    SaleLevel view = view(0, 10);

    // then
    assertThat(view.skus())
        .extracting(SkuLevel::level)
        .containsExactly(Level.SOLD_OUT, Level.PLENTY, Level.LAST);
    assertThat(view.skus()).extracting(SkuLevel::state).containsOnly(SkuState.ENDED);
    assertThat(asked).as("levels of the later sale").isEmpty();
  }

  @Test
  void shouldOpenOnTimeHoweverOldTheLevelsAre() {
    // given
    has(1, OPENS_AT_MS - 500);
    SkuState before = view(0, 1).state();

    // when
    time.advance(Duration.ofMillis(499));
    SkuState shortlyBefore = view(0, 1).state();
    time.advance(Duration.ofMillis(1));
    SkuState then = view(0, 1).state();

    // then
    assertThat(List.of(before, shortlyBefore, then))
        .containsExactly(SkuState.SCHEDULED, SkuState.SCHEDULED, SkuState.OPEN);
    assertThat(asked).as("levels are kept for a second").hasSize(1);
  }

  @Test
  void shouldReadAgainAfterASecond() {
    // given
    has(1, OPENS_AT_MS);
    view(0, 1);

    // when
    time.advance(Duration.ofSeconds(1));
    view(0, 1);

    // then
    assertThat(asked).hasSize(2);
  }

  @Test
  void shouldNotKeepWhatItCouldNotRead() {
    // given
    has(1, OPENS_AT_MS);
    instead = Future.failedFuture("planted");
    assertThat(unit.level("phones-12", 0, 1).failed()).isTrue();

    // when
    instead = null;
    SaleLevel level = view(0, 1);

    // then
    assertThat(level.skus()).hasSize(1);
  }

  @Test
  void shouldSayThatThereIsNoneWhenThereIsNone() {
    assertThat(answer(unit.level("none", 0, 1))).isEmpty();
  }

  @Test
  void shouldReadAFewPagesAtATime() {
    // given
    has(20, OPENS_AT_MS);
    Promise<Optional<SkuLevel>> slow = Promise.promise();
    instead = slow.future();
    for (int after = 0; after < SaleLevels.READS_MAX; after++) {
      unit.level("phones-12", after, 1);
    }

    // when
    Throwable refused = unit.level("phones-12", SaleLevels.READS_MAX, 1).cause();
    slow.complete(Optional.empty());
    Future<Optional<SaleLevel>> later = unit.level("phones-12", SaleLevels.READS_MAX, 1);

    // then
    assertThat(refused).isInstanceOf(QueueFullException.class);
    assertThat(later.succeeded()).isTrue();
  }

  private void has(int skus, long nowMs) {
    sales.seen = Optional.of(new Seen(FakeSales.SALE, nowMs));
    sales.skus = LongStream.rangeClosed(1, skus).mapToObj(FakeSales::sku).toList();
  }

  private SaleLevel view(long after, int limit) {
    return answer(unit.level("phones-12", after, limit)).orElseThrow();
  }
}
