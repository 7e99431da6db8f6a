package io.sluice.stock.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.sluice.model.Cart;
import io.sluice.model.Grant;
import io.sluice.model.Grant.Units;
import io.sluice.model.OrderToken;
import io.sluice.stock.Recorded;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * The format of a grant in the reserve hash: {@code
 * state|qty|seq|epoch|granted_at|pay_before|sale_no|reference|user}, state L for live or E for
 * ended, the reference in base64url, empty if there is none. The user comes last, because only its
 * characters are not fixed by this format. Of a line of an order of several SKUs, {@code @} and the
 * text of its cart follow the reference. If a part was refunded, qty is the rest, and {@code ~} and
 * the granted units follow after that; if units have left the stock, {@code ~} and how many.
 */
final class GrantRecord {
  private static final int NUMBERS = 6;

  /** Precedes the units that were granted, and those withdrawn; no character of base64url. */
  private static final char GRANTED = '~';

  /** Precedes the lines of an order; neither a character of base64url nor of a cart's text. */
  private static final char LINES = '@';

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
        + (grant.cart() == null ? "" : LINES + grant.cart().text())
        + (isPart ? GRANTED + String.valueOf(grant.qty()) : "")
        + (isPart && recorded.withdrawn() > 0 ? GRANTED + String.valueOf(recorded.withdrawn()) : "")
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
    String tail = record.substring(from, user - 1);
    int granted = tail.indexOf(GRANTED);
    int withdrawn = granted < 0 ? -1 : tail.indexOf(GRANTED, granted + 1);
    int qtyEnd = withdrawn < 0 ? tail.length() : withdrawn;
    long qty = granted < 0 ? numbers[0] : Long.parseLong(tail, granted + 1, qtyEnd, 10);
    String asked = granted < 0 ? tail : tail.substring(0, granted);
    int lines = asked.indexOf(LINES);
    boolean isLive = record.charAt(0) == 'L';
    Units units =
        new Units(Math.toIntExact(qty), numbers[1], numbers[2], numbers[3], numbers[4], numbers[5]);
    Grant grant =
        new Grant(
            token,
            record.substring(user),
            units,
            decoded(lines < 0 ? asked : asked.substring(0, lines)),
            lines < 0 ? null : cart(asked.substring(lines + 1)));
    return new Recorded(
        grant,
        isLive ? Math.toIntExact(numbers[0]) : 0,
        isLive && withdrawn >= 0 ? Integer.parseInt(tail.substring(withdrawn + 1)) : 0,
        unbooked);
  }

  /** A reference as a record has it: none of its characters separates fields there. */
  static String encoded(@Nullable String reference) {
    return reference == null
        ? ""
        : Base64.getUrlEncoder().withoutPadding().encodeToString(reference.getBytes(US_ASCII));
  }

  private static Cart cart(String text) {
    return Cart.parse(text)
        .orElseThrow(
            () -> new IllegalStateException("Expected the lines of an order, but found " + text));
  }

  private static @Nullable String decoded(String reference) {
    return reference.isEmpty()
        ? null
        : new String(Base64.getUrlDecoder().decode(reference), US_ASCII);
  }
}
