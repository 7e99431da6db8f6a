package io.sluice.client;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What the back office wants with one order, in a list of {@link SluiceClient#run}.
 *
 * @param orderToken the order
 * @param kind what to do
 * @param paymentRef the payment's own name, of {@code CONFIRM} only: 1 to 128 visible ASCII
 *     characters
 * @param extension how much more time to pay, of {@code EXTEND} only: 1 s to 1 day, in whole
 *     seconds
 */
public record Command(
    String orderToken, Kind kind, Optional<String> paymentRef, Duration extension) {

  private static final Duration EXTENSION_MAX = Duration.ofDays(1);

  /**
   * The extension is checked.
   *
   * @throws IllegalArgumentException if it is out of its range
   */
  public Command {
    if (kind == Kind.EXTEND
        && (extension.toSeconds() < 1 || extension.compareTo(EXTENSION_MAX) > 0)) {
      throw new IllegalArgumentException("Expected 1 to 86400 s more, but got " + extension);
    }
  }

  /** What to do with an order. */
  public enum Kind {
    CONFIRM,
    EXTEND,
    CANCEL,
    REFUND,
    /** A refund as well; its units leave the stock. */
    WITHDRAW;

    private String word() {
      return (this == WITHDRAW ? REFUND : this).name().toLowerCase(Locale.ROOT);
    }
  }

  /** {@link SluiceClient#confirm(String)}. */
  public static Command confirm(String orderToken) {
    return new Command(orderToken, Kind.CONFIRM, Optional.empty(), Duration.ZERO);
  }

  /** {@link SluiceClient#confirm(String, String)}. */
  public static Command confirm(String orderToken, String paymentRef) {
    return new Command(orderToken, Kind.CONFIRM, Optional.of(paymentRef), Duration.ZERO);
  }

  /** {@link SluiceClient#extend}. */
  public static Command extend(String orderToken, Duration extension) {
    return new Command(orderToken, Kind.EXTEND, Optional.empty(), extension);
  }

  /** {@link SluiceClient#cancel(String)}. */
  public static Command cancel(String orderToken) {
    return new Command(orderToken, Kind.CANCEL, Optional.empty(), Duration.ZERO);
  }

  /** {@link SluiceClient#refund(String)}. */
  public static Command refund(String orderToken) {
    return refund(orderToken, true);
  }

  /** {@link SluiceClient#refund(String, boolean)}. */
  public static Command refund(String orderToken, boolean restock) {
    Kind kind = restock ? Kind.REFUND : Kind.WITHDRAW;
    return new Command(orderToken, kind, Optional.empty(), Duration.ZERO);
  }

  Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("order_token", orderToken);
    json.put("command", kind.word());
    json.putAll(fields());
    return json;
  }

  /** What the command's own call has as its body. */
  Map<String, Object> fields() {
    if (kind == Kind.EXTEND) {
      return Map.of("seconds", extension.toSeconds());
    }
    if (kind == Kind.WITHDRAW) {
      return restock(false);
    }
    return paymentRef.<Map<String, Object>>map(ref -> Map.of("payment_ref", ref)).orElse(Map.of());
  }

  /** What a refund has as its body: nothing if its units are sold again. */
  static Map<String, Object> restock(boolean restock) {
    return restock ? Map.of() : Map.of("restock", false);
  }
}
