package io.sluice.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.async.Poll;
import io.sluice.ledger.SaleLedger.ChangeResult;
import io.sluice.ledger.SaleLedger.NewSale;
import io.sluice.ledger.SaleLedger.PutResult;
import io.sluice.ledger.SkuLedger.StateChange;
import io.sluice.model.IfMatch;
import io.sluice.stock.BucketCode;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Waiting until Redis shows a sale; only the pauses between two polls move the clock. */
class SaleOperationsTest {
  private static final NewSale WANTED =
      new NewSale("phones-12", "n", false, FakeSales.SALE.terms(), List.of());

  private final AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
  private final FakeLedger ledger = new FakeLedger();
  private final FakeSales sales = new FakeSales();
  private final FakeStock stock = new FakeStock();
  private final SaleOperations unit =
      new SaleOperations(
          sales,
          ledger,
          partition -> stock.store(),
          new Poll(
              duration -> {
                now.updateAndGet(instant -> instant.plus(duration));
                return Future.succeededFuture();
              },
              () -> Duration.between(Instant.EPOCH, now.get()).toNanos()));

  @Test
  void shouldLetAllSkusTakeOverBeforeItLooks() {
    // given
    done();
    sales.takeOvers.addFirst(Future.succeededFuture(true));
    sales.takeOvers.addFirst(Future.succeededFuture(true));

    // when
    SaleOutcome.Done done =
        (SaleOutcome.Done) unit.change("phones-12", StateChange.OPEN, IfMatch.NOTHING).result();

    // then
    assertThat(done.status()).isEqualTo(200);
    assertThat(sales.asked)
        .containsExactly(
            "change phones-12 OPEN",
            "takeOver phones-12",
            "takeOver phones-12",
            "takeOver phones-12",
            "skusOf phones-12 0");
  }

  @Test
  void shouldLookAtEachBucketOnceWhenAllAreShown() {
    // given
    done();
    sales.skus = LongStream.rangeClosed(1, 450).mapToObj(FakeSales::sku).toList();

    // when
    SaleOutcome.Done done = (SaleOutcome.Done) unit.put(WANTED).result();

    // then
    assertThat(done.status()).isEqualTo(201);
    assertThat(stock.looks).hasValue(450);
    assertThat(sales.asked).endsWith("skusOf phones-12 200", "skusOf phones-12 400");
  }

  @Test
  void shouldLookAgainOnlyAtWhatIsNotShown() {
    // given: the last SKU is loaded 100 ms later
    done();
    sales.skus = LongStream.rangeClosed(1, 201).mapToObj(FakeSales::sku).toList();
    stock.snapshots =
        bucket ->
            Future.succeededFuture(
                FakeStock.snapshot(
                    bucket.skuId() == 201 && now.get().toEpochMilli() < 100
                        ? BucketCode.ABSENT
                        : BucketCode.OK,
                    1,
                    1,
                    0));

    // when
    SaleOutcome.Done done = (SaleOutcome.Done) unit.put(WANTED).result();

    // then
    assertThat(done.shown()).isTrue();
    assertThat(now.get()).isEqualTo(Instant.ofEpochMilli(100));
    assertThat(stock.looks).hasValue(203);
  }

  @Test
  void shouldSayThatItIsRecordedWhenRedisDoesNotShowItInTime() {
    // given
    done();
    sales.skus = List.of(FakeSales.sku(1));
    ledger.version = 2;

    // when
    SaleOutcome.Done done = (SaleOutcome.Done) unit.put(WANTED).result();

    // then
    assertThat(done.status()).isEqualTo(202);
    assertThat(now.get()).isEqualTo(Instant.EPOCH.plus(SaleOperations.SHOWN_WITHIN));
  }

  @Test
  void shouldSayThatItIsRecordedWhenItCannotGoOn() {
    // given
    done();
    sales.takeOvers.clear();
    sales.takeOvers.add(Future.failedFuture("the database is gone"));

    // when
    SaleOutcome.Done done = (SaleOutcome.Done) unit.put(WANTED).result();

    // then
    assertThat(done.status()).isEqualTo(202);
  }

  @Test
  void shouldNotWaitForTheEndOfASaleButBeginIt() {
    // given
    done();
    sales.takeOvers.addFirst(Future.succeededFuture(true));

    // when
    SaleOutcome.Done done =
        (SaleOutcome.Done) unit.change("phones-12", StateChange.END, IfMatch.NOTHING).result();

    // then
    assertThat(done.status()).isEqualTo(202);
    assertThat(sales.asked)
        .containsExactly("change phones-12 END", "takeOver phones-12", "takeOver phones-12");
  }

  private void done() {
    sales.putResult = Future.succeededFuture(new PutResult.Done(FakeSales.SALE, true, Map.of()));
    sales.changeResult = Future.succeededFuture(new ChangeResult.Done(FakeSales.SALE));
  }
}
