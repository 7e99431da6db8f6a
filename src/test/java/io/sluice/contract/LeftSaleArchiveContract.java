package io.sluice.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.Ledger;
import io.sluice.ledger.SaleLedger.SaleSku;
import io.sluice.ledger.SaleLedger.StateTotals;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.IfMatch;
import io.sluice.model.Order;
import io.sluice.model.OrderStatus;
import io.sluice.model.SkuState;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A sale is archived with its last order, whatever its SKUs are sold in now. */
abstract class LeftSaleArchiveContract extends LeftSaleScene {
  @Test
  void shouldBeArchivedWithTheOrdersOfSkusThatAreOnSaleAgain() {
    // given
    SaleSku again = wanted(10, 2);
    SaleSku stays = wanted(5, 1);
    put(OPEN, again, stays);
    List<Grant> old =
        IntStream.rangeClosed(1, 3).mapToObj(n -> sold(bucketOf(again), n, 1)).toList();
    endSale(saleId, again, stays);
    again(again);
    raise(bucketOf(again));
    Grant now = sold(bucketOf(again), 1, 2);
    List<StateTotals> next = totals(nextId);

    // when
    done(get(sales().archive(saleId, IfMatch.NOTHING)));
    int stepsBefore = archiveInSteps(old);

    // then
    assertThat(stepsBefore).as("steps with orders that were left").isGreaterThan(2);
    assertThat(get(sales().behind("", 100_000))).doesNotContain(saleId);
    assertThat(order(now.token()).archived()).isFalse();
    assertThat(totals(saleId)).containsExactly(new StateTotals(SkuState.ARCHIVED, 2, 0, 15, 0, 3));
    assertThat(totals(nextId)).isEqualTo(next);
    assertThat(known(again.skuId()).state()).isEqualTo(SkuState.OPEN);
    assertThat(loaded(bucketOf(again))).extracting(Grant::token).containsExactly(now.token());
    assertThat(audit(again.skuId()).agrees()).isTrue();

    // when
    Grant later = booked(bucketOf(again), 2, 2);
    apply(bucketOf(again), new Command.Refund(old.get(0).token()));

    // then
    assertThat(order(later.token()).status()).isEqualTo(OrderStatus.PENDING);
    assertThat(order(old.get(0).token()).status()).isEqualTo(OrderStatus.CONFIRMED);
  }

  /** The sale is not archived before its last order; returns how many steps came before that. */
  private int archiveInSteps(List<Grant> orders) {
    int before = 0;
    for (int step = 0; stateOf(saleId) != SkuState.ARCHIVED; step++) {
      assertThat(step).isLessThan(STEPS_MAX);
      boolean anyLeft = orders.stream().anyMatch(grant -> !order(grant.token()).archived());
      takeOverAll(saleId);
      if (anyLeft) {
        before++;
        assertThat(stateOf(saleId)).isEqualTo(SkuState.ENDED);
        assertThat(get(sales().behind("", 100_000))).contains(saleId);
      }
      get(ledger().archiveNext(1));
    }
    return before;
  }

  @Test
  void shouldMoveFewOrdersAtOnceWhileTheSkuIsOnSaleAgain() {
    // given
    SaleSku wanted = putOne(OPEN, 1_000, 1);
    BucketId bucket = bucketOf(wanted);
    List<Grant> old =
        IntStream.rangeClosed(1, Ledger.BESIDE_A_SALE_MAX + 5)
            .mapToObj(n -> grantOfSale(bucket, n, 1, row(bucket).epoch()))
            .toList();
    read(bucket, old.stream().map(grant -> reserve(grant)).toArray(Command[]::new));
    apply(
        bucket,
        old.stream().map(one -> new Command.Confirm(one.token(), null)).toArray(Command[]::new));
    endSale(saleId, wanted);
    again(wanted);
    archiveAll();
    done(get(sales().archive(saleId, IfMatch.NOTHING)));
    takeOverAll(saleId);

    // when
    get(ledger().archiveNext(5_000));

    // then
    assertThat(get(ledger().orders(old.stream().map(Grant::token).toList())).values())
        .filteredOn(Order::archived)
        .hasSize(Ledger.BESIDE_A_SALE_MAX);
  }

  @Test
  void shouldGoOnWithAnArchiveThatWasAskedForBeforeTheNextSale() {
    // given
    SaleSku wanted = putOne(OPEN, 10, 1);
    List<Grant> old =
        IntStream.rangeClosed(1, 4).mapToObj(n -> sold(bucketOf(wanted), n, 1)).toList();
    endSale(saleId, wanted);
    done(get(sales().archive(saleId, IfMatch.NOTHING)));
    takeOverAll(saleId);
    get(ledger().archiveNext(1));

    // when
    again(wanted);
    takeOverAll(saleId);
    SkuState joined = stateOf(saleId);
    archiveAll();
    takeOverAll(saleId);

    // then
    assertThat(joined).isEqualTo(SkuState.ENDED);
    assertThat(stateOf(saleId)).isEqualTo(SkuState.ARCHIVED);
    assertThat(old).allMatch(grant -> order(grant.token()).archived());
    assertThat(totals(saleId)).containsExactly(new StateTotals(SkuState.ARCHIVED, 1, 0, 10, 0, 4));
    assertThat(known(wanted.skuId()).state()).isEqualTo(SkuState.OPEN);
  }

  @Test
  void shouldStayArchivedWhenAnArchivedSkuJoinsTheNextSale() {
    // given
    SaleSku wanted = putOne(OPEN, 10, 1);
    sold(bucketOf(wanted), 1, 1);
    endSale(saleId, wanted);
    done(get(sales().archive(saleId, IfMatch.NOTHING)));
    takeOverAll(saleId);
    archiveAll();
    takeOverAll(saleId);

    // when
    again(wanted);

    // then
    assertThat(stateOf(saleId)).isEqualTo(SkuState.ARCHIVED);
    assertThat(totals(saleId)).containsExactly(new StateTotals(SkuState.ARCHIVED, 1, 0, 10, 0, 1));
  }
}
