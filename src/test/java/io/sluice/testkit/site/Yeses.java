package io.sluice.testkit.site;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;

/** Every granted answer to a buyer, to be compared with the ledger afterwards. */
final class Yeses {
  /**
   * A buyer's request, however often and to whichever instance it is sent.
   *
   * @param key the Idempotency-Key, or empty where none was sent
   * @param saleNo the sale of the SKU that its order is of; the next one is another request
   */
  record OrderRequest(long skuId, String userId, String key, long saleNo) {
    OrderRequest(long skuId, String userId, String key) {
      this(skuId, userId, key, 0);
    }

    OrderRequest of(long sale) {
      return new OrderRequest(skuId, userId, key, sale);
    }
  }

  private final Map<OrderRequest, Set<String>> tokens = new ConcurrentHashMap<>();

  void heard(OrderRequest wanted, Answer answer) {
    if (answer.isYes()) {
      tokens.computeIfAbsent(wanted, any -> new ConcurrentSkipListSet<>()).add(answer.token());
    }
  }

  /** A buyer is forgotten: nothing leads from what was said to him to his orders. */
  void forget(String userId) {
    tokens.keySet().removeIf(wanted -> wanted.userId().equals(userId));
  }

  /**
   * By request, the tokens of the answers: exactly one, in a sound system.
   *
   * @param saleNos the sale of each booked order, by its token
   */
  Map<OrderRequest, Set<String>> tokens(Map<String, Long> saleNos) {
    var bySale = new HashMap<OrderRequest, Set<String>>();
    tokens.forEach(
        (wanted, heard) ->
            heard.forEach(
                token ->
                    bySale
                        .computeIfAbsent(
                            wanted.of(saleNos.getOrDefault(token, 0L)), any -> new TreeSet<>())
                        .add(token)));
    return bySale;
  }
}
