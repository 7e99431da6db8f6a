package io.sluice.testkit.site;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;

/** Every yes that a buyer was told, to be held against the ledger afterwards. */
final class Yeses {
  /**
   * A buyer's wish, however often and wherever it is sent.
   *
   * @param key the Idempotency-Key, or empty where none was sent
   */
  record Wish(long skuId, String userId, String key) {}

  private final Map<Wish, Set<String>> tokens = new ConcurrentHashMap<>();

  void heard(Wish wish, Answer answer) {
    if (answer.isYes()) {
      tokens.computeIfAbsent(wish, any -> new ConcurrentSkipListSet<>()).add(answer.token());
    }
  }

  /** By wish, the tokens that were answered: exactly one, in a sound system. */
  Map<Wish, Set<String>> tokens() {
    return tokens;
  }
}
