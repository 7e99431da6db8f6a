package io.sluice.client;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * An order, as it was when the service answered.
 *
 * @param orderToken its public id
 * @param lines its SKUs, by their ids; at least one
 * @param status what has become of it
 * @param reason why it was canceled or rejected: {@code BUYER}, {@code TIMEOUT}, {@code OPERATOR},
 *     {@code LEDGER_FULL}, {@code UNPROCESSABLE}
 * @param payBefore until when it must be paid
 * @param createdAt when its units were granted
 * @param updatedAt when it last changed
 * @param reference the shop's own name for it, if it was told
 * @param paymentRef the payment that counts, if it was named
 * @param refundedQty units that are paid back, of all lines; 0 if there are none
 * @param refund the refund that the call was about, of the calls about one
 */
public record Order(
    String orderToken,
    List<Line> lines,
    Status status,
    Optional<String> reason,
    Instant payBefore,
    Instant createdAt,
    Instant updatedAt,
    Optional<String> reference,
    Optional<String> paymentRef,
    int refundedQty,
    Optional<Refund> refund) {

  /** The lines are copied. */
  public Order {
    lines = List.copyOf(lines);
  }

  /** What has become of an order. */
  public enum Status {
    /** Granted and durable, not yet in the ledger. */
    RESERVED,
    /** In the ledger, waiting for its payment. */
    PENDING,
    /** The ledger had no room for it, which does not happen in a sound system. */
    REJECTED,
    /** Paid. */
    CONFIRMED,
    /** Ended before it was paid. */
    CANCELED,
    /** Paid, then paid back. */
    REFUNDED,
    /** A status that a later release has added. */
    OTHER;

    /** Whether the order waits for its payment. */
    public boolean isUnpaid() {
      return this == RESERVED || this == PENDING;
    }

    static Status named(String name) {
      for (Status status : values()) {
        if (status.name().equals(name)) {
          return status;
        }
      }
      return OTHER;
    }
  }

  /**
   * Units of one SKU.
   *
   * @param skuId the SKU
   * @param qty units, 1 to 1000
   * @param seq the number of the bucket's last unit with this line
   * @param refundedQty units that are paid back; 0 if there are none
   */
  public record Line(long skuId, int qty, long seq, int refundedQty) {}

  /**
   * A refund of some units.
   *
   * @param refundId the shop's name for it
   * @param qty units
   * @param skuId the line that it is about, of an order of several SKUs
   * @param state {@code REQUESTED}, {@code COMPLETED} or {@code REJECTED}
   */
  public record Refund(String refundId, int qty, Optional<Long> skuId, String state) {}

  static Order of(JsonObject json) {
    int refunded = json.integer("refunded_qty", 0);
    return new Order(
        json.text("order_token"),
        json.has("lines")
            ? json.objects("lines").stream().map(Order::line).toList()
            : List.of(
                new Line(json.number("sku_id"), json.integer("qty"), json.number("seq"), refunded)),
        Status.named(json.text("status")),
        json.textIfThere("reason"),
        json.time("pay_before"),
        json.time("created_at"),
        json.time("updated_at"),
        json.textIfThere("reference"),
        json.textIfThere("payment_ref"),
        refunded,
        json.objectIfThere("refund").map(Order::refund));
  }

  private static Line line(JsonObject json) {
    return new Line(
        json.number("sku_id"),
        json.integer("qty"),
        json.number("seq"),
        json.integer("refunded_qty", 0));
  }

  private static Refund refund(JsonObject json) {
    return new Refund(
        json.text("refund_id"),
        json.integer("qty"),
        json.numberIfThere("sku_id"),
        json.text("state"));
  }
}
