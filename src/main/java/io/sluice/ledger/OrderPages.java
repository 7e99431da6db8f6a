package io.sluice.ledger;

import io.sluice.model.Order;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;

/**
 * Booked orders in pages, archived ones included. Those that were rejected are not among them. Not
 * for the hot path.
 */
public interface OrderPages {

  /** The place of a booked order among those of its SKU. */
  record HoldPlace(int bucket, long epoch, long seq) {
    /** Before every order. */
    public static final HoldPlace FIRST = new HoldPlace(-1, 0, 0);
  }

  /**
   * Some booked orders of a SKU, in the order of their places.
   *
   * @param last the place of the last one; if there is none, where the page begins
   * @param complete whether there is none behind
   */
  record Page(List<Order> orders, HoldPlace last, boolean complete) {}

  /** The maximum number of orders in a page. */
  int PAGE_MAX = 500;

  /**
   * The next booked orders of a SKU.
   *
   * @param limit 1 to {@link #PAGE_MAX}
   */
  Future<Page> page(long skuId, HoldPlace after, int limit);

  /** The place of a booked order among those of its sale. */
  record SalePlace(long skuId, HoldPlace hold) {
    /** Before every order of a sale. */
    public static final SalePlace FIRST = begin(1);

    /** Before every order of a SKU: epochs and seqs begin with 1. */
    public static SalePlace begin(long skuId) {
      return new SalePlace(skuId, new HoldPlace(0, 0, 0));
    }
  }

  /**
   * Some booked orders of a sale, in the order of their places.
   *
   * @param last the place up to which the page has looked
   * @param complete whether there is none behind
   */
  record SalePage(List<Order> orders, SalePlace last, boolean complete) {}

  /** The maximum of SKUs that {@link #pageOfSale} looks at. At least 2, so that it goes on. */
  int SALE_PAGE_SKUS_MAX = 100;

  /**
   * The next booked orders of a sale, also of its SKUs that are in a later one; not those that
   * these have sold before it or since. It looks at no more than {@code limit} orders and {@link
   * #SALE_PAGE_SKUS_MAX} SKUs, so a page that is not complete may have fewer, or none. Empty if
   * there is no such sale.
   *
   * @param limit 1 to {@link #PAGE_MAX}
   */
  Future<Optional<SalePage>> pageOfSale(String saleId, SalePlace after, int limit);
}
