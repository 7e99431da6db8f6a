package io.sluice.order;

import static io.sluice.grant.Desk.answer;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.async.BatchReader.QueueFullException;
import io.sluice.grant.ManualLoop;
import io.sluice.grant.ScriptedLedger;
import io.sluice.model.Sku;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SkuCatalogTest {
  private static final long SKU = 1001;

  private final ManualLoop time = new ManualLoop();
  private final ScriptedLedger ledger = new ScriptedLedger();
  private final SkuCatalog unit = new SkuCatalog(ledger.skuPort(), time::now, false);

  @Test
  void shouldKnowASkuWithoutAskingWhenItWasFoundBefore() {
    // given
    ledger.add(SKU, 4);
    assertThat(unit.known(SKU)).isNull();

    // when
    Optional<Sku> found = answer(unit.find(SKU));

    // then
    assertThat(found).map(Sku::buckets).contains(4);
    assertThat(unit.known(SKU)).isEqualTo(found.get());
  }

  @Test
  void shouldKeepWhatItKnowsWhenTheLedgerGoesDown() {
    // given
    ledger.add(SKU, 4);
    unit.find(SKU);
    ledger.down = true;
    time.advanceMs(3_600_000);

    // when
    Future<Optional<Sku>> found = unit.find(SKU);

    // then
    assertThat(answer(found)).isPresent();
    assertThat(ledger.skuReads).hasSize(1);
  }

  /** A SKU that was deleted was believed to be there as long as the instance ran. */
  @Test
  void shouldForgetASkuThatIsNotFoundAnyMore() {
    // given
    ledger.add(SKU, 4);
    unit.find(SKU);
    ledger.remove(SKU);
    time.advanceMs(1_000);

    // when
    unit.doubt(SKU);
    Future<Optional<Sku>> found = unit.find(SKU);

    // then
    assertThat(unit.known(SKU)).isNull();
    assertThat(answer(found)).isEmpty();
  }

  @Test
  void shouldRememberThatASkuIsUnknownForASecondOnly() {
    // given
    unit.find(SKU);
    time.advanceMs(999);
    assertThat(answer(unit.find(SKU))).isEmpty();
    assertThat(ledger.skuReads).hasSize(1);
    ledger.add(SKU, 1);

    // when
    time.advanceMs(1);

    // then
    assertThat(answer(unit.find(SKU))).isPresent();
  }

  @Test
  void shouldCountTheSecondFromTheQuestionWhenTheAnswerIsSlow() {
    // given
    ledger.hold();
    unit.find(SKU);
    time.advanceMs(1_000);
    ledger.release();
    ledger.add(SKU, 1);

    // when
    Future<Optional<Sku>> found = unit.find(SKU);

    // then
    assertThat(answer(found)).isPresent();
  }

  @Test
  void shouldAskOnceWhenManyWantTheSameSku() {
    // given
    ledger.add(SKU, 1);
    ledger.hold();
    Future<Optional<Sku>> one = unit.find(SKU);
    Future<Optional<Sku>> other = unit.find(SKU);

    // when
    ledger.release();

    // then
    assertThat(answer(one)).isEqualTo(answer(other)).isPresent();
    assertThat(ledger.skuReads).hasSize(1);
  }

  @Test
  void shouldKnowTheNextOnesWhenOneWasFound() {
    // given
    for (int i = 0; i <= 101; i++) {
      ledger.add(SKU + i, 1 + i);
    }

    // when
    unit.find(SKU);

    // then
    assertThat(unit.known(SKU + 100)).extracting(Sku::buckets).isEqualTo(101);
    assertThat(unit.known(SKU + 101)).as("beyond the page of a hundred").isNull();
    assertThat(ledger.skuReads).containsExactly(SKU);
  }

  @Test
  void shouldReadAheadOnceAtATimeAndNotForWhatIsUnknown() {
    // given
    ledger.add(SKU, 1);
    ledger.add(SKU + 500, 1);
    ledger.add(SKU + 501, 1);
    unit.find(SKU - 1);
    assertThat(ledger.pageReads).isEmpty();

    Promise<Void> page = Promise.promise();
    ledger.pages = page.future();

    // when
    unit.find(SKU);
    unit.find(SKU + 500);

    // then
    assertThat(ledger.pageReads).containsExactly(SKU);
    page.complete();
    assertThat(unit.known(SKU + 501)).isNotNull();
  }

  @Test
  void shouldReadAheadAgainWhenItDidNotWork() {
    // given
    ledger.add(SKU, 1);
    ledger.add(SKU + 1, 1);
    ledger.add(SKU + 7, 1);
    ledger.pages = Future.failedFuture("the page cannot be read");
    assertThat(answer(unit.find(SKU))).isPresent();
    assertThat(unit.known(SKU + 1)).isNull();
    ledger.pages = Future.succeededFuture();

    // when
    unit.find(SKU + 1);

    // then
    assertThat(unit.known(SKU + 7)).isNotNull();
  }

  @Test
  void shouldFailAndAskAgainWhenTheLedgerIsDown() {
    // given
    ledger.add(SKU, 1);
    ledger.down = true;
    assertThat(unit.find(SKU).failed()).isTrue();
    ledger.down = false;

    // when
    Future<Optional<Sku>> again = unit.find(SKU);

    // then
    assertThat(answer(again)).isPresent();
  }

  @Test
  void shouldHaveOneQueryInFlightWhenThousandsOfUnknownSkusAreAskedFor() {
    // given
    ledger.hold();

    // when
    for (int i = 0; i < 4_000; i++) {
      unit.find(i);
    }
    int inFlight = ledger.skuQueries.size();
    ledger.release();

    // then
    assertThat(inFlight).isEqualTo(1);
    assertThat(ledger.skuReads).hasSize(4_000).doesNotHaveDuplicates();
    assertThat(ledger.skuQueries).hasSize(1 + 8);
  }

  @Test
  void shouldFailAtOnceWhenTooManySkusAreLookedUp() {
    // given
    ledger.hold();
    for (int i = 0; i < 5_000; i++) {
      unit.find(i);
    }

    // when
    Future<Optional<Sku>> over = unit.find(SKU + 5_000);

    // then
    assertThat(QueueFullException.isWhy(over.cause())).isTrue();
    ledger.release();
    assertThat(answer(unit.find(SKU + 5_000))).isEmpty();
  }

  @Test
  void shouldReadASkuAgainEverySecondAndUseItMeanwhileWhenSettingsMatter() {
    // given
    SkuCatalog following = new SkuCatalog(ledger.skuPort(), time::now, true);
    ledger.add(SKU, 4);
    following.find(SKU);
    time.advanceMs(1_000);
    ledger.hold();

    // when
    Sku old = following.known(SKU);
    following.known(SKU);
    ledger.demandTicket(SKU);
    ledger.release();

    // then
    assertThat(old).extracting(sku -> sku.settings().ticket()).isEqualTo(false);
    assertThat(following.known(SKU)).extracting(sku -> sku.settings().ticket()).isEqualTo(true);
    assertThat(ledger.skuReads).hasSize(2);
  }

  @Test
  void shouldReadASkuBeforeItIsUsedWhenSettingsMatterAndItIsOld() {
    // given
    SkuCatalog following = new SkuCatalog(ledger.skuPort(), time::now, true);
    ledger.add(SKU, 4);
    following.find(SKU);
    ledger.demandTicket(SKU);
    time.advanceMs(5_000);
    ledger.hold();

    // when
    Sku known = following.known(SKU);
    Future<Optional<Sku>> found = following.find(SKU);
    Future<Optional<Sku>> other = following.find(SKU);
    ledger.release();

    // then
    assertThat(known).isNull();
    assertThat(answer(found))
        .isEqualTo(answer(other))
        .map(sku -> sku.settings().ticket())
        .contains(true);
    assertThat(ledger.skuReads).hasSize(2);
  }

  @Test
  void shouldUseAnOldSkuWhenTheLedgerIsDown() {
    // given
    SkuCatalog following = new SkuCatalog(ledger.skuPort(), time::now, true);
    ledger.add(SKU, 4);
    following.find(SKU);
    ledger.down = true;
    time.advanceMs(3_600_000);
    ledger.hold();
    Future<Optional<Sku>> found = following.find(SKU);

    // when
    ledger.release();
    time.advanceMs(3_600_000);

    // then
    assertThat(answer(found)).isPresent();
    assertThat(following.known(SKU)).as("the ledger did not answer lately").isNotNull();
    assertThat(ledger.skuReads).hasSize(3);
  }

  @Test
  void shouldReadASkuThatIsDoubtedAgainAtMostOnceASecond() {
    // given
    ledger.add(SKU, 1);
    unit.find(SKU);
    unit.doubt(SKU);
    assertThat(ledger.skuReads).as("it was just read").hasSize(1);
    ledger.move(SKU, 7);
    time.advanceMs(1_000);

    // when
    unit.doubt(SKU);
    unit.doubt(SKU);

    // then
    assertThat(ledger.skuReads).hasSize(2);
    assertThat(unit.known(SKU).placed(0).partition()).isEqualTo(7);
  }
}
