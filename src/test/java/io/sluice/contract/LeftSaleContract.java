package io.sluice.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.sluice.ledger.History.Group;
import io.sluice.ledger.History.Rest;
import io.sluice.ledger.SaleLedger.Member;
import io.sluice.ledger.SaleLedger.NewSale;
import io.sluice.ledger.SaleLedger.PutResult;
import io.sluice.ledger.SaleLedger.SaleSku;
import io.sluice.ledger.SaleLedger.SkuFault;
import io.sluice.ledger.SaleLedger.StateTotals;
import io.sluice.ledger.SaleSkus;
import io.sluice.ledger.SkuLedger.NewSku;
import io.sluice.ledger.SkuLedger.StateChange;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.Reason;
import io.sluice.model.Sku;
import io.sluice.model.SkuSettings;
import io.sluice.model.SkuState;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A sale keeps the SKUs that have ended in it and go on to the next one. */
abstract class LeftSaleContract extends LeftSaleScene {
  @Test
  void shouldKeepItsSkusAndTheirUnitsWhenTheyAreInTheNextSale() {
    // given
    SaleSku one = wanted(10, 2);
    SaleSku other = wanted(5, 1);
    put(OPEN, one, other);
    sold(bucketOf(one), 1, 1);
    sold(bucketOf(one), 2, 1);
    sold(bucketOf(other), 1, 1);
    endSale(saleId, one, other);
    List<StateTotals> before = totals(saleId);

    // when
    again(SaleSkus.of(one.skuId(), 7, 2, 9, MARKS));
    raise(bucketOf(one));
    booked(bucketOf(one), 1, 2);

    // then
    assertThat(totals(saleId))
        .isEqualTo(before)
        .containsExactly(new StateTotals(SkuState.ENDED, 2, 0, 15, 0, 3));
    assertThat(totals(nextId)).containsExactly(new StateTotals(SkuState.OPEN, 1, 0, 7, 1, 0));
    assertThat(members()).containsExactly(other.skuId());
    assertThat(membersOf(saleId))
        .extracting(member -> member.sku().skuId(), Member::isCurrent, Member::sold)
        .containsExactly(tuple(one.skuId(), false, 2L), tuple(other.skuId(), true, 0L));
    Sku left = membersOf(saleId).get(0).sku();
    assertThat(left)
        .extracting(Sku::saleNo, Sku::state, Sku::stockNow, Sku::firstStock, Sku::buckets)
        .containsExactly(1L, SkuState.ENDED, 10L, 10L, 2);
    assertThat(left.membership().saleId()).isEqualTo(saleId);
    assertThat(left.settings()).isEqualTo(OPEN.settings(2, MARKS));
    assertThat(membersOf(nextId))
        .extracting(member -> member.sku().skuId(), Member::isCurrent)
        .containsExactly(tuple(one.skuId(), true));
  }

  @Test
  void shouldShowBothKindsInPagesInOrderOfTheirIds() {
    // given
    List<SaleSku> all = IntStream.range(0, 5).mapToObj(n -> wanted(1, 1)).toList();
    put(OPEN, all.toArray(SaleSku[]::new));
    endSale(saleId, all.toArray(SaleSku[]::new));
    put(new NewSale(nextId, "next", false, OPEN, List.of(all.get(1), all.get(2), all.get(4))));
    List<Long> ids = all.stream().map(SaleSku::skuId).toList();

    // when
    List<Member> first = get(sales().members(saleId, 0, 2));
    List<Member> second = get(sales().members(saleId, ids.get(1), 2));
    List<Member> last = get(sales().members(saleId, ids.get(3), 2));

    // then
    assertThat(List.of(first, second, last))
        .extracting(page -> page.stream().map(member -> member.sku().skuId()).toList())
        .containsExactly(ids.subList(0, 2), ids.subList(2, 4), ids.subList(4, 5));
    assertThat(List.of(first, second, last))
        .extracting(page -> page.stream().map(Member::isCurrent).toList())
        .containsExactly(List.of(true, false), List.of(false, true), List.of(false));
  }

  @Test
  void shouldCountUnitsThatComeBackInTheSaleThatHasSoldThem() {
    // given
    SaleSku wanted = putOne(OPEN, 10, 1);
    Grant first = sold(bucketOf(wanted), 1, 1);
    sold(bucketOf(wanted), 2, 1);
    endSale(saleId, wanted);
    again(with(wanted, 4, 1));
    raise(bucketOf(wanted));
    Grant second = sold(bucketOf(wanted), 1, 2);
    sold(bucketOf(wanted), 2, 2);
    endSale(nextId, wanted);
    put(new NewSale(saleId + "-third", "third", false, OPEN, List.of(with(wanted, 3, 1))));
    raise(bucketOf(wanted));

    // when
    apply(bucketOf(wanted), new Command.Refund(first.token()));
    apply(bucketOf(wanted), new Command.Refund(first.token()));

    // then
    assertThat(totals(saleId)).containsExactly(new StateTotals(SkuState.ENDED, 1, 0, 10, 0, 1));
    assertThat(totals(nextId)).containsExactly(new StateTotals(SkuState.ENDED, 1, 0, 4, 0, 2));

    // when
    apply(bucketOf(wanted), new Command.Refund(second.token()));

    // then
    assertThat(totals(saleId)).containsExactly(new StateTotals(SkuState.ENDED, 1, 0, 10, 0, 1));
    assertThat(totals(nextId)).containsExactly(new StateTotals(SkuState.ENDED, 1, 0, 4, 0, 1));
    assertThat(totals(saleId + "-third"))
        .containsExactly(new StateTotals(SkuState.OPEN, 1, 0, 3, 0, 0));
    assertThat(row(bucketOf(wanted)).base()).isEqualTo(2);
  }

  @Test
  void shouldCountTheOrdersOfEachSaleApart() {
    // given
    SaleSku wanted = putOne(OPEN, 10, 1);
    sold(bucketOf(wanted), 1, 1);
    Grant canceled = booked(bucketOf(wanted), 2, 1);
    apply(bucketOf(wanted), new Command.Cancel(canceled.token(), Reason.BUYER));
    endSale(saleId, wanted);
    again(wanted);
    raise(bucketOf(wanted));
    sold(bucketOf(wanted), 1, 2);

    // when
    List<Group> granted =
        get(history().granted(Rest.of(List.of(wanted.skuId())), 60_000, ALL)).groups();

    // then
    assertThat(orders(granted, membersOf(saleId))).isEqualTo(2);
    assertThat(orders(granted, membersOf(nextId))).isEqualTo(1);
  }

  private static long orders(List<Group> groups, List<Member> members) {
    return groups.stream()
        .filter(group -> group.saleNo() == members.get(0).sku().saleNo())
        .mapToLong(Group::orders)
        .sum();
  }

  @Test
  void shouldEndWithoutThoseThatAreInTheNextSale() {
    // given
    SaleSku early = wanted(10, 1);
    SaleSku late = wanted(10, 1);
    put(OPEN, early, late);
    end(early.skuId());
    again(early);

    // when
    SkuState frozen = changed(StateChange.FREEZE, early.skuId());
    changed(StateChange.UNFREEZE, early.skuId());
    endSale(saleId, late);

    // then
    assertThat(frozen).isEqualTo(SkuState.OPEN);
    assertThat(known(early.skuId()).state()).isEqualTo(SkuState.OPEN);
    assertThat(totals(saleId)).containsExactly(new StateTotals(SkuState.ENDED, 2, 0, 20, 0, 0));
  }

  @Test
  void shouldNotComeBackIntoASaleThatItHasLeft() {
    // given
    SaleSku wanted = putOne(OPEN, 10, 1);
    end(wanted.skuId());
    again(wanted);
    end(wanted.skuId());

    // when
    PutResult back = get(sales().put(sale(OPEN, wanted)));

    // then
    assertThat(back)
        .isEqualTo(new PutResult.Refused(List.of(new SkuFault.Left(wanted.skuId(), nextId))));
    assertThat(known(wanted.skuId()).membership().saleId()).isEqualTo(nextId);
  }

  @Test
  void shouldBeInNoEarlierSaleWhenASkuHasSoldOnItsOwn() {
    // given
    SaleSku wanted = wanted(4, 1);
    SkuSettings settings = OPEN.settings(2, MARKS);
    get(skus().put(new NewSku(wanted.skuId(), 4, 1, Sku.Mode.FAST, settings)));
    Grant alone = sold(bucketOf(wanted), 1, 0);
    end(wanted.skuId());
    again(wanted);
    raise(bucketOf(wanted));

    // when
    apply(bucketOf(wanted), new Command.Refund(alone.token()));

    // then
    assertThat(totals(nextId)).containsExactly(new StateTotals(SkuState.OPEN, 1, 0, 4, 0, 0));
    assertThat(membersOf(saleId)).isEmpty();
  }
}
