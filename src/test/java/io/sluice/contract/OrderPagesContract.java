package io.sluice.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.History;
import io.sluice.ledger.History.HoldPlace;
import io.sluice.ledger.History.Page;
import io.sluice.ledger.History.SalePage;
import io.sluice.ledger.History.SalePlace;
import io.sluice.ledger.SaleLedger.SaleSku;
import io.sluice.ledger.SkuLedger.NewSku;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.IfMatch;
import io.sluice.model.Order;
import io.sluice.model.OrderToken;
import io.sluice.model.Reason;
import io.sluice.model.Sku;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The booked orders of a SKU and of a sale, in pages. */
abstract class OrderPagesContract extends LeftSaleScene {
  private static final int PAGES_MAX = 100;

  private List<OrderToken> ofSale(String sale, int limit) {
    List<OrderToken> tokens = new ArrayList<>();
    SalePlace after = SalePlace.FIRST;
    for (int pages = 0; pages < PAGES_MAX; pages++) {
      SalePage page = get(history().pageOfSale(sale, after, limit)).orElseThrow();
      assertThat(page.orders()).hasSizeLessThanOrEqualTo(limit);
      page.orders().forEach(order -> tokens.add(order.token()));
      if (page.complete()) {
        return tokens;
      }
      after = page.last();
    }
    throw new AssertionError("Expected an end, but got " + tokens);
  }

  private List<OrderToken> ofSku(long skuId, int limit) {
    List<OrderToken> tokens = new ArrayList<>();
    HoldPlace after = HoldPlace.FIRST;
    for (int pages = 0; pages < PAGES_MAX; pages++) {
      Page page = get(history().page(skuId, after, limit));
      assertThat(page.orders()).hasSizeLessThanOrEqualTo(limit);
      page.orders().forEach(order -> tokens.add(order.token()));
      if (page.complete()) {
        return tokens;
      }
      after = page.last();
    }
    throw new AssertionError("Expected an end, but got " + tokens);
  }

  private void areListed(String sale, List<Grant> grants) {
    List<OrderToken> tokens = grants.stream().map(Grant::token).toList();
    for (int limit : List.of(1, 2, 3, History.PAGE_MAX)) {
      assertThat(ofSale(sale, limit)).as("pages of %d", limit).isEqualTo(tokens);
    }
  }

  private List<Grant> sold(BucketId bucket, long saleNo, int from, int to) {
    return IntStream.rangeClosed(from, to).mapToObj(n -> sold(bucket, n, saleNo)).toList();
  }

  @SafeVarargs
  private static List<Grant> all(List<Grant>... grants) {
    return Stream.of(grants).flatMap(List::stream).toList();
  }

  private void archiveSale(String sale) {
    done(get(sales().archive(sale, IfMatch.NOTHING)));
    for (int step = 0; step < 3; step++) {
      takeOverAll(sale);
      archiveAll();
    }
  }

  @Test
  void shouldListTheOrdersOfASaleAndNotWhatItsSkusSoldBeforeAndSince() {
    // given
    SaleSku again = wanted(10, 2);
    SaleSku stays = wanted(10, 1);
    BucketId first = bucketOf(again);
    BucketId second = new BucketId(again.skuId(), 1);
    get(skus().put(new NewSku(again.skuId(), 4, 2, Sku.Mode.FAST, OPEN.settings(2, MARKS))));
    List<Grant> alone = sold(first, 0, 1, 1);
    end(again.skuId());
    put(OPEN, again, stays);
    raise(first);
    raise(second);
    List<Grant> inFirst = sold(first, 1, 1, 2);
    Grant canceled = booked(first, 3, 1);
    apply(first, new Command.Cancel(canceled.token(), Reason.BUYER));
    List<Grant> inSecond = sold(second, 1, 4, 5);
    List<Grant> inStays = sold(bucketOf(stays), 1, 1, 3);
    List<Grant> ofSale = all(inFirst, List.of(canceled), inSecond, inStays);
    endSale(saleId, again, stays);
    again(again);
    raise(first);
    List<Grant> later = sold(first, 2, 1, 4);

    // when / then
    areListed(saleId, ofSale);
    areListed(nextId, later);
    assertThat(ofSku(again.skuId(), 2))
        .isEqualTo(
            all(alone, inFirst, List.of(canceled), later, inSecond).stream()
                .map(Grant::token)
                .toList());

    // when
    archiveSale(saleId);

    // then
    assertThat(order(inStays.get(0).token()).archived()).isTrue();
    assertThat(order(inFirst.get(0).token()).archived()).isTrue();
    assertThat(order(later.get(0).token()).archived()).isFalse();
    areListed(saleId, ofSale);
    areListed(nextId, later);
  }

  @Test
  void shouldLookAtNoMoreOrdersThanAskedForWhenTheyAreOfAnotherSale() {
    // given
    SaleSku wanted = putOne(OPEN, 10, 1);
    sold(bucketOf(wanted), 1, 1, 3);
    endSale(saleId, wanted);
    again(wanted);
    raise(bucketOf(wanted));
    Grant now = sold(bucketOf(wanted), 1, 2);

    // when
    SalePage none = get(history().pageOfSale(nextId, SalePlace.FIRST, 3)).orElseThrow();
    SalePage rest = get(history().pageOfSale(nextId, none.last(), 3)).orElseThrow();

    // then
    assertThat(none.orders()).isEmpty();
    assertThat(none.complete()).isFalse();
    assertThat(rest.orders()).extracting(Order::token).containsExactly(now.token());
    assertThat(rest.complete()).isTrue();
  }

  @Test
  void shouldLookAtSomeSkusAtATimeWhenTheyHaveNoOrders() {
    // given
    SaleSku[] all =
        Stream.generate(() -> wanted(1, 1))
            .limit(History.SALE_PAGE_SKUS_MAX + 1)
            .toArray(SaleSku[]::new);
    put(OPEN, all);
    SaleSku last = all[all.length - 1];
    Grant only = sold(bucketOf(last), 1, 1);

    // when
    SalePage none = get(history().pageOfSale(saleId, SalePlace.FIRST, 500)).orElseThrow();
    SalePage rest = get(history().pageOfSale(saleId, none.last(), 500)).orElseThrow();

    // then
    assertThat(none.orders()).isEmpty();
    assertThat(none.complete()).isFalse();
    assertThat(none.last()).isEqualTo(SalePlace.begin(last.skuId() - 1));
    assertThat(rest.orders()).extracting(Order::token).containsExactly(only.token());
    assertThat(rest.complete()).isTrue();
  }

  @Test
  void shouldSayWhenThereIsNoSuchSaleOrNothingBehindAPlace() {
    // given
    put(OPEN, wanted(1, 1));

    // when / then
    assertThat(get(history().pageOfSale(saleId + "-no", SalePlace.FIRST, 1))).isEmpty();
    SalePlace end = SalePlace.begin(Long.MAX_VALUE);
    assertThat(get(history().pageOfSale(saleId, end, 1)))
        .contains(new SalePage(List.of(), end, true));
  }
}
