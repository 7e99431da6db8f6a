package io.sluice.ledger.rules;

import io.sluice.ledger.Put;
import io.sluice.ledger.Put.Fault;
import java.util.List;
import java.util.Optional;

/** The common rules of PUTs of SKUs and of sales. */
final class PutRules {
  private PutRules() {}

  /** A field of a PUT, and its fault. */
  record Wrong(String field, Fault fault) {}

  /** When something opens and closes; 0 for never, of what does not exist as well. */
  record Times(long opensAtMs, long closesAtMs) {
    static final Times NONE = new Times(0, 0);
  }

  /**
   * The fault in the times of a PUT. A time that stays is right, also once it has passed, so that
   * the same PUT can be repeated. A closing that has passed would end the sale for good, an opening
   * that has passed would open it at once.
   */
  static Optional<Wrong> wrong(Times was, Times now, Put put, long nowMs) {
    boolean opens = now.opensAtMs() != 0 && now.opensAtMs() != was.opensAtMs();
    boolean closes = now.closesAtMs() != 0 && now.closesAtMs() != was.closesAtMs();
    if (!put.takesPast() && opens && now.opensAtMs() <= nowMs - Put.NOW_MS) {
      return Optional.of(new Wrong("opens_at", Fault.PASSED));
    }
    if (!put.takesPast() && closes && now.closesAtMs() <= nowMs) {
      return Optional.of(new Wrong("closes_at", Fault.PASSED));
    }
    boolean isAfter =
        now.opensAtMs() == 0 || now.closesAtMs() == 0 || now.closesAtMs() > now.opensAtMs();
    return (opens || closes) && !isAfter
        ? Optional.of(
            new Wrong(put.leaves("closes_at") ? "opens_at" : "closes_at", Fault.NOT_AFTER))
        : Optional.empty();
  }

  /** Adds a field that has another value than before. */
  static void addChanged(String field, Object was, Object now, List<String> changed) {
    if (!now.equals(was)) {
      changed.add(field);
    }
  }
}
