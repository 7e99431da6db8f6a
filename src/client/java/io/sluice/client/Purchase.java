package io.sluice.client;

import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * One try to buy. Its key names it: the service makes one order of it, however often it is sent.
 * <b>Store the key before the purchase is placed</b>, and a program that ends in between goes on
 * with the same order.
 *
 * @param key the {@code Idempotency-Key}: 1 to 128 visible ASCII characters
 * @param lines 1 to 20 SKUs, each once; several are bought all or none, and are of one sale with
 *     carts
 * @param reference the shop's own name for the order: 1 to 64 visible ASCII characters
 * @param ticket the ticket of the waiting room, if the SKU is sold to holders of one
 */
public record Purchase(
    String key, List<Line> lines, Optional<String> reference, Optional<String> ticket) {
  private static final int LINES_MAX = 20;

  /**
   * All parts are checked.
   *
   * @throws IllegalArgumentException if one is out of its range
   */
  public Purchase {
    lines = List.copyOf(lines);
    require(key.matches("[!-~]{1,128}"), "a key of 1 to 128 visible ASCII characters");
    require(!lines.isEmpty() && lines.size() <= LINES_MAX, "1 to 20 lines");
    require(
        reference.isEmpty() || reference.get().matches("[!-~]{1,64}"),
        "a reference of 1 to 64 visible ASCII characters");
    require(
        ticket.isEmpty() || ticket.get().matches("[!-~]{1,8192}"),
        "a ticket of at most 8192 visible ASCII characters");
  }

  /**
   * Units of one SKU.
   *
   * @param skuId at least 1
   * @param qty 1 to 1000
   */
  public record Line(long skuId, int qty) {
    private static final int QTY_MAX = 1_000;

    /**
     * Both are checked.
     *
     * @throws IllegalArgumentException if one is out of its range
     */
    public Line {
      require(skuId >= 1, "a SKU id of at least 1");
      require(qty >= 1 && qty <= QTY_MAX, "1 to 1000 units");
    }
  }

  /** A new try to buy units of one SKU, with a key of its own, which is random. */
  public static Purchase of(long skuId, int qty) {
    return of(List.of(new Line(skuId, qty)));
  }

  /** A new try to buy several SKUs, all or none, with a key of its own, which is random. */
  public static Purchase of(List<Line> lines) {
    return new Purchase(UUID.randomUUID().toString(), lines, Optional.empty(), Optional.empty());
  }

  /** The same with a key that the shop has stored, or derives from its cart. */
  public Purchase withKey(String itsKey) {
    return new Purchase(itsKey, lines, reference, ticket);
  }

  /** The same with the shop's own name for the order, which events and look-ups show. */
  public Purchase withReference(String text) {
    return new Purchase(key, lines, Optional.of(text), ticket);
  }

  /** The same with a ticket of the waiting room. */
  public Purchase withTicket(String jwt) {
    return new Purchase(key, lines, reference, Optional.of(jwt));
  }

  /** Without the ticket, which is a secret. */
  @Override
  public String toString() {
    return "Purchase[key=" + key + ", lines=" + lines + ", reference=" + reference + "]";
  }

  private static void require(boolean holds, String expected) {
    if (!holds) {
      throw new IllegalArgumentException("Expected " + expected + ", but got another");
    }
  }
}
