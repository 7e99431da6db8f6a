package io.sluice.sale.hostile;

import static io.sluice.sale.hostile.HostileRequest.JSON;
import static io.sluice.sale.hostile.HostileRequest.utf8;
import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.sluice.sale.hostile.Victim.Ask;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Calls of an operator with a wrong body, path or parameter. Those whose body may be valid after
 * its mutation ask for what is refused in any case: a mode that does not exist, a SKU that does not
 * exist, a user id that is none.
 */
final class AdminBodies {
  private static final String OTHER_MODE = "\"mode\":\"slow\"}";
  private static final String NO_USER = "/admin/blacklist/a%20";
  private static final int BODY_BYTES_MAX = 16 * 1024;
  private static final List<String> VALUES =
      List.of(
          "null",
          "true",
          "-1",
          "0",
          "-0",
          "1.5",
          "1e3",
          "1e400",
          "+1",
          "01",
          "0x10",
          "NaN",
          "99999999999999999999",
          "9223372036854775808",
          "\"1\"",
          "\"\"",
          "[]",
          "[1]",
          "{}",
          "{\"a\":{\"a\":{\"a\":{\"a\":1}}}}",
          "\"\\u0000\"",
          "\"\\ud800\"",
          "\"\\x\"",
          "'a'",
          "\"2030-02-30T00:00:00.000Z\"",
          "\"+292278994-08-17T07:12:55.807Z\"",
          "undefined",
          "",
          "\"" + "t".repeat(2_000) + "\"",
          "9".repeat(2_000),
          "[".repeat(2_000));
  private static final List<String> BEHIND =
      List.of("}", "]", "{}", "0", "\"", "null", ",", "//", "/**/", "\u0000", "\u0001");

  /** Bytes that are no character of UTF-8 among ASCII, or none of JSON. */
  private static final String BAD_BYTES =
      "\u0080\u00c0\u00c3\u00e0\u00ed\u00f5\u00fe\u00ff\u0001\u0008";

  private static final List<Charset> CHARSETS =
      List.of(
          StandardCharsets.UTF_16,
          StandardCharsets.UTF_16LE,
          StandardCharsets.UTF_16BE,
          Charset.forName("UTF-32"));
  private static final List<String> TYPES =
      List.of(
          "",
          "Content-Type: \r\n",
          "Content-Type: text/plain\r\n",
          "Content-Type: application/json; charset=utf-16\r\n",
          "Content-Type: application/json, text/plain\r\n",
          "Content-Type: application/x-www-form-urlencoded\r\n",
          "Content-Type: application/problem+json\r\n");
  private static final List<String> NO_PATHS =
      List.of(
          "/admin/skus/0/freeze",
          "/admin/skus/-1/close",
          "/admin/skus/%zz/open",
          "/admin/skus/9223372036854775808/rebuild",
          "/admin/skus/1%2f2/unfreeze",
          "/admin/skus/01/freeze",
          "/admin/partitions/-1/reset",
          "/admin/partitions/0x0/reset",
          "/admin/partitions/4294967296/reset",
          "/admin/partitions/%00/reset",
          "/admin/reconcile/x",
          "/admin/..%2freconcile");
  private static final List<String> NO_QUERIES =
      List.of(
          "limit=0",
          "limit=1001",
          "limit=-1",
          "limit=1&limit=2",
          "limit=%zz",
          "after=-1",
          "after=9223372036854775808",
          "after=1e3",
          "limit=",
          "limit=\u00b2",
          "after=0x10");

  /** Valid, and still as odd as a reason may be. */
  private static final List<String> REASONS =
      List.of(
          "\\ud800",
          "\\udc00\\ud800",
          "\\uffff",
          "\u00e9",
          "\ud83d\ude00",
          "'); DROP TABLE skus; --",
          "\\\\' OR 1=1 \\\\",
          "\\u2028",
          "\\u202e",
          "\\ufeff",
          "%s %n ${jndi:ldap://localhost}",
          "\\/",
          "r".repeat(256),
          "\ud83d\ude00".repeat(128),
          "?",
          "{}");

  private static final Pattern VALUE_BEGIN = Pattern.compile("\":");
  private static final Pattern SKU_ID = Pattern.compile("\\d+");

  private final List<Target> targets;
  private final Victim victim;
  private final Dice random;
  private final List<Supplier<Ask>> asks = List.of(this::put, this::restock, this::ban);

  AdminBodies(List<Target> targets, Victim victim, Dice random) {
    this.targets = targets;
    this.victim = victim;
    this.random = random;
  }

  HostileRequest next() {
    Ask ask = random.any(asks).get();
    String body = ask.body();
    return switch (random.nextInt(16)) {
      case 0, 1, 2 -> request(ask, flipped(body));
      case 3, 4, 5 -> request(ask, replaced(body));
      case 6, 7 -> request(onVictim(ask), cut(body));
      case 8, 9 -> request(onVictim(ask), inserted(body));
      case 10 -> request(onVictim(ask), body + random.any(BEHIND));
      case 11 -> request(onVictim(ask), wrapped(body));
      case 12 ->
          request(onVictim(ask), new String(body.getBytes(random.any(CHARSETS)), ISO_8859_1));
      case 13 -> request(onVictim(ask), random.any(TYPES), body, Due.BODY);
      case 14 -> pathOrQuery(body);
      default -> odd(body);
    };
  }

  // ---- calls that could be valid

  private Ask put() {
    return desk(
        "PUT",
        "/admin/skus/" + (victim.unknownSkuId() + random.nextInt(1_000)),
        "{\"total_stock\":1000,\"payment_window_s\":300,\"limit_per_user\":1,\"buckets\":7,"
            + "\"opens_at\":null,\"closes_at\":\"2030-01-31T08:00:00.000Z\",\"ticket\":false,"
            + OTHER_MODE);
  }

  private Ask restock() {
    return desk(
        "POST",
        "/admin/skus/" + (victim.unknownSkuId() + random.nextInt(1_000)) + "/restock",
        "{\"restock_id\":\"r1\",\"qty\":50}");
  }

  private Ask ban() {
    return desk("PUT", NO_USER, "{\"ban_s\":3600,\"reason\":\"fraud\"}");
  }

  /** The same on what exists; only for bodies that no mutation makes valid. */
  private Ask onVictim(Ask ask) {
    return desk(
        ask.method(),
        ask.target().equals(NO_USER)
            ? "/admin/blacklist/alice"
            : SKU_ID.matcher(ask.target()).replaceFirst(String.valueOf(victim.skuId())),
        ask.body());
  }

  private static Ask desk(String method, String target, String body) {
    return new Ask(true, method, target, body);
  }

  // ---- bodies that may be valid

  private String flipped(String body) {
    StringBuilder text = new StringBuilder(body);
    for (int i = 1 + random.nextInt(4); i > 0; i--) {
      text.setCharAt(random.nextInt(text.length()), (char) random.nextInt(256));
    }
    return text.toString();
  }

  /** With another value of one field. */
  private String replaced(String body) {
    int from = random.any(VALUE_BEGIN.matcher(body).results().map(MatchResult::end).toList());
    int comma = body.indexOf(',', from);
    int to = comma < 0 ? body.length() - 1 : comma;
    return body.substring(0, from) + random.any(VALUES) + body.substring(to);
  }

  // ---- bodies that are not

  private String cut(String body) {
    return body.substring(0, 1 + random.nextInt(body.length() - 1));
  }

  private String inserted(String body) {
    int at = random.nextInt(body.length());
    char bad = BAD_BYTES.charAt(random.nextInt(BAD_BYTES.length()));
    return body.substring(0, at) + bad + body.substring(at);
  }

  private String wrapped(String body) {
    String name = Long.toHexString(random.nextLong());
    String filler = "n".repeat(random.nextInt(70));
    return random.any(
        List.of(
            "[" + body + "]",
            "{\"a\":" + body + "}",
            "{\"" + name + "\":1," + body.substring(1),
            "{\"" + name.repeat(900) + "\":1," + body.substring(1),
            "{\"" + filler + utf8("\ud83d\ude00") + "\":1," + body.substring(1),
            "{\"" + filler + "\\ud83d\":1," + body.substring(1),
            body.substring(0, body.length() - 1) + "," + body.substring(1),
            utf8("\ufeff") + body,
            "\"" + body.replace("\"", "\\\"") + "\"",
            " ".repeat(BODY_BYTES_MAX) + body,
            body.replace('"', '\'')));
  }

  // ---- requests

  private HostileRequest pathOrQuery(String body) {
    return random.nextBoolean()
        ? request(desk("POST", random.any(NO_PATHS), ""), body)
        : request(desk("GET", "/admin/skus?" + utf8(random.any(NO_QUERIES)), ""), "");
  }

  /** A ban of somebody who never orders, or a call whose body nobody reads. */
  private HostileRequest odd(String body) {
    if (random.nextInt(10) == 0) {
      return request(desk("POST", "/admin/reconcile", ""), JSON, flipped(body), Due.ODD);
    }
    Ask ban = desk("PUT", "/admin/blacklist/odd-" + random.nextInt(20), "");
    return request(ban, JSON, utf8("{\"reason\":\"" + random.any(REASONS) + "\"}"), Due.ODD);
  }

  private HostileRequest request(Ask ask, String body) {
    return request(ask, JSON, body, Due.BODY);
  }

  private HostileRequest request(Ask ask, String type, String body, Due due) {
    Target target = random.any(targets);
    byte[] bytes = HostileRequest.bytes(ask.method(), ask.target(), target.operator() + type, body);
    return new HostileRequest(target.adminPort(), bytes, due);
  }
}
