package io.sluice.admin;

import io.sluice.ledger.OrderPages;
import io.sluice.ledger.OrderPages.HoldPlace;
import io.sluice.ledger.OrderPages.SalePlace;
import io.sluice.model.Order;
import io.sluice.web.format.Parameters;
import io.sluice.web.problem.BadInputException;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The booked orders that a call asks for: those of a SKU, or of a sale. */
sealed interface OrderList {
  Pattern HOLD = Pattern.compile("(\\d{1,3})\\.(\\d{1,18})\\.(\\d{1,18})");

  /**
   * Orders of a list.
   *
   * @param next where the next part begins, as text; empty at the end
   */
  record Part(List<Order> orders, Optional<String> next) {
    /** The part that ends at a place; the whole rest of the list if it is complete. */
    static Part endingAt(String last, List<Order> orders, boolean complete) {
      return new Part(orders, complete ? Optional.empty() : Optional.of(last));
    }
  }

  /**
   * The orders behind a place, or the first ones. Empty if there is no such sale. Throws {@link
   * BadInputException} if the text is no place of this list.
   */
  Future<Optional<Part>> part(Optional<String> after, int limit);

  /** The list of a call. Throws {@link BadInputException} if it does not name one. */
  static OrderList of(HttpServerRequest request, OrderPages orders) {
    long skuId = Parameters.wholeNumber(request, "sku_id", 1, Long.MAX_VALUE, 0);
    Optional<String> saleId = Parameters.given(request, "sale_id");
    if (saleId.isEmpty()) {
      if (skuId == 0) {
        throw new BadInputException(
            "sku_id", "Expected the id of a SKU, or sale_id, but both are missing");
      }
      return new OfSku(orders, skuId);
    }
    if (skuId != 0) {
      throw new BadInputException("sale_id", "Expected no sale_id beside sku_id, but got both");
    }
    return new OfSale(orders, SaleIdInput.checked(saleId.get()));
  }

  private static HoldPlace hold(String text) {
    Matcher place = HOLD.matcher(text);
    if (!place.matches()) {
      throw noPlace();
    }
    return new HoldPlace(
        Integer.parseInt(place.group(1)),
        Long.parseLong(place.group(2)),
        Long.parseLong(place.group(3)));
  }

  private static String textOf(HoldPlace place) {
    return place.bucket() + "." + place.epoch() + "." + place.seq();
  }

  private static BadInputException noPlace() {
    return new BadInputException("after", "Expected the next of a page, but got another text");
  }

  /** The orders of a SKU, of all its sales. A place is {@code bucket.epoch.seq}. */
  record OfSku(OrderPages orders, long skuId) implements OrderList {
    @Override
    public Future<Optional<Part>> part(Optional<String> after, int limit) {
      return orders
          .page(skuId, after.map(OrderList::hold).orElse(HoldPlace.FIRST), limit)
          .map(
              page ->
                  Optional.of(Part.endingAt(textOf(page.last()), page.orders(), page.complete())));
    }
  }

  /** The orders of a sale. A place is {@code sku_id.bucket.epoch.seq}. */
  record OfSale(OrderPages orders, String saleId) implements OrderList {
    @Override
    public Future<Optional<Part>> part(Optional<String> after, int limit) {
      return orders
          .pageOfSale(saleId, after.map(OfSale::place).orElse(SalePlace.FIRST), limit)
          .map(
              found ->
                  found.map(
                      page -> Part.endingAt(textOf(page.last()), page.orders(), page.complete())));
    }

    private static SalePlace place(String text) {
      int dot = text.indexOf('.');
      OptionalLong skuId =
          dot < 0 ? OptionalLong.empty() : Parameters.skuId(text.substring(0, dot));
      if (skuId.isEmpty()) {
        throw noPlace();
      }
      return new SalePlace(skuId.getAsLong(), hold(text.substring(dot + 1)));
    }

    private static String textOf(SalePlace place) {
      return place.skuId() + "." + OrderList.textOf(place.hold());
    }
  }
}
