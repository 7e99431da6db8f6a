package io.sluice.stock.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.sluice.model.Grant;
import io.sluice.model.OrderToken;
import io.sluice.stock.Recorded;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * The format of a grant in the reserve hash: {@code
 * state|qty|seq|epoch|granted_at|pay_before|sale_no|reference|user}, state L for live or E for
 * ended, the reference in base64url, empty where there is none. The user comes last, because only
 * its characters are not fixed by this format. Where a part was refunded, qty is what is left, and
 * {@code ~} and what was granted follow the reference.
 */
final class GrantRecord {
  private static final int NUMBERS = 6;

  /** Precedes the units that were granted; no character of base64url. */
  private static final char GRANTED = '~';

  private GrantRecord() {}

  static String format(Recorded recorded) {
    Grant grant = recorded.grant();
    boolean isPart = recorded.live() && recorded.left() != grant.qty();
    return (recorded.live() ? "L|" : "E|")
        + (isPart ? recorded.left() : grant.qty())
        + '|'
        + grant.seq()
        + '|'
        + grant.epoch()
        + '|'
        + grant.grantedAtMs()
        + '|'
        + grant.payBeforeMs()
        + '|'
        + grant.saleNo()
        + '|'
        + encoded(grant.reference())
        + (isPart ? GRANTED + String.valueOf(grant.qty()) : "")
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
    int user = record.indexOf('|', from) + 1;
    String reference = record.substring(from, user - 1);
    int granted = reference.indexOf(GRANTED);
    long qty = granted < 0 ? numbers[0] : Long.parseLong(reference.substring(granted + 1));
    boolean isLive = record.charAt(0) == 'L';
    Grant grant =
        new Grant(
            token,
            record.substring(user),
            Math.toIntExact(qty),
            numbers[1],
            numbers[2],
            numbers[3],
            numbers[4],
            numbers[5],
            decoded(granted < 0 ? reference : reference.substring(0, granted)));
    return new Recorded(grant, isLive ? Math.toIntExact(numbers[0]) : 0, unbooked);
  }

  /** A reference as a record has it: none of its characters separates fields there. */
  static String encoded(@Nullable String reference) {
    return reference == null
        ? ""
        : Base64.getUrlEncoder().withoutPadding().encodeToString(reference.getBytes(US_ASCII));
  }

  private static @Nullable String decoded(String reference) {
    return reference.isEmpty()
        ? null
        : new String(Base64.getUrlDecoder().decode(reference), US_ASCII);
  }
}
