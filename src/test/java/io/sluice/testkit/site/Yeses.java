package io.sluice.testkit.site;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;

/** Every granted answer to a buyer, to be compared with the ledger afterwards. */
final class Yeses {
  /**
   * A buyer's request, however often and to whichever instance it is sent.
   *
   * @param key the Idempotency-Key, or empty where none was sent
   */
  record OrderRequest(long skuId, String userId, String key) {}

  private final Map<OrderRequest, Set<String>> tokens = new ConcurrentHashMap<>();

  void heard(OrderRequest wanted, Answer answer) {
    if (answer.isYes()) {
      tokens.computeIfAbsent(wanted, any -> new ConcurrentSkipListSet<>()).add(answer.token());
    }
  }

  /** By request, the tokens of the answers: exactly one, in a sound system. */
  Map<OrderRequest, Set<String>> tokens() {
    return tokens;
  }
}
