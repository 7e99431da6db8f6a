package io.sluice.stock.redis;

import io.sluice.model.Grant;
import io.sluice.model.OrderToken;
import io.sluice.stock.StockStore.Recorded;

/**
 * The format of a grant in the reserve hash: {@code
 * state|qty|seq|epoch|granted_at|pay_before|user}, state L for live or E for ended. The user comes
 * last, because only its characters are not fixed by this format.
 */
final class GrantRecord {
  private static final int NUMBERS = 5;

  private GrantRecord() {}

  static String format(Recorded recorded) {
    Grant grant = recorded.grant();
    return (recorded.live() ? "L|" : "E|")
        + grant.qty()
        + '|'
        + grant.seq()
        + '|'
        + grant.epoch()
        + '|'
        + grant.grantedAtMs()
        + '|'
        + grant.payBeforeMs()
        + '|'
        + grant.userId();
  }

  static Recorded parse(OrderToken token, String record, boolean unbooked) {
    long[] numbers = new long[NUMBERS];
    int from = 2;
    for (int i = 0; i < NUMBERS; i++) {
      int end = record.indexOf('|', from);
      numbers[i] = Long.parseLong(record, from, end, 10);
      from = end + 1;
    }
    int qty = Math.toIntExact(numbers[0]);
    Grant grant =
        new Grant(
            token, record.substring(from), qty, numbers[1], numbers[2], numbers[3], numbers[4]);
    return new Recorded(grant, record.charAt(0) == 'L', unbooked);
  }
}
