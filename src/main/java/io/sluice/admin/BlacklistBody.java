package io.sluice.admin;

import io.sluice.ledger.Blacklist;
import io.sluice.ledger.Put;
import io.sluice.model.IfMatch;
import io.sluice.web.format.JsonFields;
import io.sluice.web.problem.BadInputException;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Set;

/**
 * The validated body of a ban; all of it is optional.
 *
 * @param put which of it is left out: a ban that holds keeps that, a new one has the values that
 *     stand in its place
 */
record BlacklistBody(long banS, String reason, Put put) {
  static final List<String> FIELDS = List.of("ban_s", "reason");

  /** A year. */
  static final long BAN_S_MAX = 31_536_000;

  static BlacklistBody read(Buffer body, long defaultBanS, IfMatch ifMatch) {
    long banS = defaultBanS;
    String reason = "";
    Set<String> leaves = Set.copyOf(FIELDS);
    if (body.length() > 0) {
      try (JsonFields fields = JsonFields.of(body, FIELDS)) {
        for (String name = fields.next(); name != null; name = fields.next()) {
          switch (name) {
            case "ban_s" -> banS = fields.wholeNumber(1, BAN_S_MAX);
            case "reason" -> reason = reason(fields.text());
            default -> throw fields.unknown();
          }
        }
        leaves = fields.missing();
      }
    }
    return new BlacklistBody(banS, reason, new Put(leaves, ifMatch, false));
  }

  private static String reason(String text) {
    if (text.length() > Blacklist.REASON_MAX || text.chars().anyMatch(Character::isISOControl)) {
      throw new BadInputException(
          "reason",
          "Expected at most "
              + Blacklist.REASON_MAX
              + " characters without control characters, but got another");
    }
    return text;
  }
}
