package io.sluice.admin;

import io.sluice.model.Cart;
import io.sluice.model.Order;
import io.sluice.web.Rfc3339;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Orders as rows of RFC 4180. Programs that show tables may run what begins as a formula, and users
 * choose some of these texts: so what begins like one has an apostrophe before it, also behind a
 * semicolon or a tab, at which some of these programs split a row.
 */
final class OrderCsv {
  private static final String NEXT = "\r\n";
  private static final Pattern FORMULA = Pattern.compile("(^|[;\t])(?=[=+\\-@\t\r])");

  /** The first row, which names the columns. */
  static final String HEAD =
      row(
          Stream.of(
              "order_token",
              "sku_id",
              "qty",
              "seq",
              "status",
              "reason",
              "user_id",
              "reference",
              "payment_ref",
              "refunded_qty",
              "lines",
              "name",
              "pay_before",
              "created_at",
              "updated_at"));

  private OrderCsv() {}

  /**
   * The row of an order; one of several SKUs has lines in place of sku_id and seq.
   *
   * @param names of SKUs
   */
  static String row(Order order, Map<Long, String> names) {
    boolean isCart = order.cart() != null;
    return row(
        Stream.of(
            order.token().value(),
            isCart ? "" : String.valueOf(order.token().skuId()),
            String.valueOf(order.units()),
            isCart ? "" : String.valueOf(order.seq()),
            order.status().name(),
            order.reason() == null ? "" : order.reason().name(),
            order.userId(),
            orEmpty(order.reference()),
            orEmpty(order.notes().paymentRef()),
            String.valueOf(order.notes().refundedQty()),
            lines(order.cart()),
            name(order, names),
            orEmpty(Rfc3339.orNull(order.payBeforeMs())),
            orEmpty(Rfc3339.orNull(order.createdAtMs())),
            orEmpty(Rfc3339.orNull(order.updatedAtMs()))));
  }

  /** The names of its SKUs, as far as they have any. */
  private static String name(Order order, Map<Long, String> names) {
    return order.lineTokens().stream()
        .map(line -> names.get(line.skuId()))
        .filter(Objects::nonNull)
        .collect(Collectors.joining("; "));
  }

  private static String orEmpty(@Nullable String text) {
    return text == null ? "" : text;
  }

  /** SKU and units of each line, as {@code 1001:1;1002:2}; nothing of an order of one SKU. */
  private static String lines(@Nullable Cart cart) {
    List<Cart.Line> lines = cart == null ? List.of() : cart.lines();
    return lines.stream()
        .map(line -> line.bucket().skuId() + ":" + line.qty())
        .collect(Collectors.joining(";"));
  }

  private static String row(Stream<String> values) {
    return values.map(OrderCsv::field).collect(Collectors.joining(",", "", NEXT));
  }

  /** A value as a field: no formula, and in quotes if it needs them. */
  static String field(String value) {
    String harmless = FORMULA.matcher(value).replaceAll("$1'");
    boolean isPlain = harmless.chars().noneMatch(c -> ",;\"\r\n".indexOf(c) >= 0);
    return isPlain ? harmless : '"' + harmless.replace("\"", "\"\"") + '"';
  }
}
