package io.sluice.sale.hostile;

import static io.sluice.sale.hostile.HostileRequest.JSON;
import static io.sluice.sale.hostile.HostileRequest.LOCAL;
import static io.sluice.sale.hostile.HostileRequest.bytes;
import static io.sluice.sale.hostile.HostileRequest.head;

import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/**
 * Requests that arrive a few bytes at a time. Most never end: those are answered 408 once the time
 * of a request is over and not before, or what there is to say without their body; in any case the
 * connection is closed then.
 */
final class SlowRequests {
  private static final String TOO_LATE = "408";
  private static final String GET = head("GET", "/v1/skus/1", "HTTP/1.1", LOCAL);
  private static final String PART = "{\"sku_id\":1,\"qty\":1,\"a\":[1,2,3";
  private static final int TOO_LARGE = 20_000;

  private final List<Target> targets;
  private final Victim victim;
  private final Dice random;
  private final List<Function<Target, SlowRequest>> kinds =
      List.of(
          this::body,
          this::body,
          this::deskBody,
          this::deskBody,
          this::stopped,
          this::chunks,
          this::continued,
          this::second,
          this::headOnly,
          this::secondHead,
          this::strangers,
          this::unread,
          this::tooLarge,
          this::inTime);

  SlowRequests(List<Target> targets, Victim victim, Dice random) {
    this.targets = targets;
    this.victim = victim;
    this.random = random;
  }

  /** Any thread. */
  synchronized SlowRequest next() {
    Target target = targets.get(random.nextInt(targets.size()));
    return kinds.get(random.nextInt(kinds.size())).apply(target);
  }

  private SlowRequest body(Target target) {
    return endless(target.publicPort(), order(target, length(1_000)), PART, TOO_LATE);
  }

  private SlowRequest deskBody(Target target) {
    String path = "/admin/skus/" + victim.skuId();
    String put =
        random.nextBoolean()
            ? head("PUT", path, "HTTP/1.1", target.operator() + JSON + length(1_000))
            : head("POST", path + "/restock", "HTTP/1.1", target.operator() + JSON + length(900));
    return endless(target.adminPort(), put, "{\"total_stock\":50", TOO_LATE);
  }

  /** Some of the body, and then nothing any more. */
  private SlowRequest stopped(Target target) {
    String part = PART.substring(0, random.nextInt(PART.length()));
    return slow(target.publicPort(), order(target, length(1_000)) + part, "", TOO_LATE);
  }

  private SlowRequest chunks(Target target) {
    String order = order(target, "Transfer-Encoding: chunked\r\n");
    return endless(target.publicPort(), order, "1\r\n{\r\n2;a=b\r\n\"a\r\n", TOO_LATE);
  }

  private SlowRequest continued(Target target) {
    String order = order(target, "Expect: 100-continue\r\n" + length(1_000));
    return endless(target.publicPort(), order, PART, "100 " + TOO_LATE);
  }

  /** Behind a request that is answered. */
  private SlowRequest second(Target target) {
    String both = GET + order(target, length(1_000));
    return endless(target.publicPort(), both, PART, "404 " + TOO_LATE);
  }

  private SlowRequest headOnly(Target target) {
    int port = random.nextBoolean() ? target.publicPort() : target.adminPort();
    return endless(port, "POST /v1/orders HTTP/1.1\r\n", "X-Filler: y\r\n", TOO_LATE);
  }

  /** An answer to a head that is not complete could be taken for that to the request before. */
  private SlowRequest secondHead(Target target) {
    return endless(target.publicPort(), GET + "POST /v1", "/orders", "404");
  }

  private SlowRequest strangers(Target target) {
    String confirm = "/v1/orders/1.0.AAAAAAAAAAAAAAAAAAAAAA/confirm";
    String headers = "Host: evil.example\r\n" + JSON + length(1_000);
    return random.nextBoolean()
        ? endless(target.publicPort(), head("POST", confirm, "HTTP/1.1", headers), PART, "401")
        : endless(
            target.adminPort(),
            head("PUT", "/admin/skus/" + victim.skuId(), "HTTP/1.1", headers),
            PART,
            "401");
  }

  /** A body that no call reads. */
  private SlowRequest unread(Target target) {
    return endless(
        target.publicPort(),
        head("PUT", "/v1/orders", "HTTP/1.1", LOCAL + target.eve() + length(1_000)),
        PART,
        "405");
  }

  private SlowRequest tooLarge(Target target) {
    return endless(target.publicPort(), order(target, length(TOO_LARGE)), PART, "413");
  }

  /** Slow, but complete; late only where the machine has stopped meanwhile. */
  private SlowRequest inTime(Target target) {
    String body = TokenCalls.order(victim.unknownSkuId());
    int begun = body.length() - 1 - random.nextInt(10);
    String order = order(target, HostileRequest.CLOSE + length(body.length()));
    return slow(
        target.publicPort(),
        order + body.substring(0, begun),
        body.substring(begun),
        "404|" + TOO_LATE);
  }

  private static String order(Target target, String headers) {
    return head("POST", "/v1/orders", "HTTP/1.1", LOCAL + target.eve() + JSON + headers);
  }

  private static String length(int bytes) {
    return "Content-Length: " + bytes + "\r\n";
  }

  /** Repeats a text for longer than any request may take. */
  private SlowRequest endless(int port, String first, String repeated, String due) {
    return slow(port, first, repeated.repeat(1_000 / repeated.length()), due);
  }

  private SlowRequest slow(int port, String first, String rest, String due) {
    Duration every = Duration.ofMillis(50 + random.nextInt(50));
    return new SlowRequest(port, bytes(first), bytes(rest), 1 + random.nextInt(3), every, due);
  }
}
