package io.sluice.sale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Call;
import io.sluice.testkit.site.SaleSite;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A sale of thousands of SKUs opens and closes at its times by the ledger's clock, and nothing is
 * written for it then. {@code -Dopening.skus=10000} makes it as many as a sale may have.
 */
class SaleOpeningIT {
  @RegisterExtension
  static final SaleSite site =
      SaleSite.withInstances(2)
          // Thousands of buckets are loaded at once while tests share the processors.
          .setting("SLUICE_REDIS_TIMEOUT_MS", 10_000);

  private static final int SKUS = Integer.getInteger("opening.skus", 1_000);
  private static final int A_CALL = 1_000;
  private static final int VISITORS = 64;

  /** How far from its time a sale may open or close, in milliseconds. */
  private static final long TOLERANCE_MS = 200;

  private static final Duration PREPARED_WITHIN = Duration.ofSeconds(SKUS / 10);
  private static final Duration LEAD = Duration.ofSeconds(SKUS / 50);
  private static final Duration LENGTH = Duration.ofSeconds(25);

  private final List<Long> skus =
      LongStream.range(0, SKUS).mapToObj(n -> site.newSkuId()).sorted().toList();
  private final Queue<Heard> heard = new ConcurrentLinkedQueue<>();
  private long aheadMs;

  /** An answer, with the times of the ledger's clock at which it was asked for and came. */
  private record Heard(long askedMs, long cameMs, String brief) {}

  @Test
  void shouldOpenAndCloseAllSkusAtOneMoment() {
    // given
    prepare("2999-12-01T10:00:00.000Z", null);
    aheadMs = ledgerMs() - System.currentTimeMillis();
    long opensAtMs = nowMs() + LEAD.toMillis();
    long closesAtMs = opensAtMs + LENGTH.toMillis();
    prepare(time(opensAtMs), time(closesAtMs));
    assertThat(nowMs()).as("prepared before it opens").isLessThan(opensAtMs - 2_000);
    long versions = versions();

    // when
    sleepUntil(opensAtMs - 1_000);
    while (nowMs() < opensAtMs + TOLERANCE_MS) {
      orderEach(skus.subList(0, 500), "before");
    }
    List<Answer> opened = orderEach(skus, "opened");
    long soldAtMs = nowMs();
    sleepUntil(closesAtMs - 1_000);
    while (nowMs() < closesAtMs + TOLERANCE_MS) {
      orderEach(skus.subList(0, 500), "late");
    }
    List<Answer> closed = orderEach(skus, "closed");

    // then
    assertThat(soldAtMs).as("sold before it closes").isLessThan(closesAtMs - 1_000);
    assertThat(opened).extracting(Answer::status).containsOnly(201);
    assertThat(closed).extracting(Answer::brief).containsOnly("409 not-open");
    assertThat(heard)
        .filteredOn(one -> one.brief().startsWith("201"))
        .allMatch(one -> one.cameMs() >= opensAtMs - TOLERANCE_MS)
        .allMatch(one -> one.askedMs() <= closesAtMs + TOLERANCE_MS);
    assertThat(heard)
        .filteredOn(one -> one.brief().equals("409 not-open"))
        .isNotEmpty()
        .allMatch(
            one ->
                one.askedMs() <= opensAtMs + TOLERANCE_MS
                    || one.cameMs() >= closesAtMs - TOLERANCE_MS);
    assertThat(versions()).as("what the times have written").isEqualTo(versions);
  }

  /** Puts the sale in as many calls as it needs, again until Redis shows all of it. */
  private void prepare(String opensAt, String closesAt) {
    for (int from = 0; from < SKUS; from += A_CALL) {
      JsonArray some = new JsonArray();
      skus.subList(from, from + A_CALL)
          .forEach(sku -> some.add(new JsonObject().put("sku_id", sku).put("total_stock", 9)));
      JsonObject body =
          new JsonObject()
              .put("name", "all at once")
              .put("opens_at", opensAt)
              .put("closes_at", closesAt)
              .put("skus", some);
      Call call = Call.put(site.instance(0).adminUrl() + "/admin/sales/all-" + skus.get(0));
      Answer last =
          await()
              .atMost(PREPARED_WITHIN)
              .until(() -> site.http().ask(call.json(body)), answer -> answer.status() != 202);
      assertThat(last.status()).as(last.brief()).isIn(200, 201);
    }
  }

  private List<Answer> orderEach(List<Long> some, String buyer) {
    List<Supplier<Future<Answer>>> orders = new ArrayList<>();
    IntStream.range(0, some.size())
        .forEach(n -> orders.add(() -> order(some.get(n), Buyer.named(buyer + n))));
    return site.crowd(VISITORS).send(orders);
  }

  private Future<Answer> order(long skuId, Buyer buyer) {
    long askedMs = nowMs();
    return site.known(skuId)
        .ordering(buyer, "k", 1)
        .onSuccess(answer -> heard.add(new Heard(askedMs, nowMs(), answer.brief())));
  }

  private static long versions() {
    return site.ledger().count("SELECT SUM(version) FROM inventory_bucket");
  }

  /** The ledger's clock, as it is shown by ours. */
  private long nowMs() {
    return System.currentTimeMillis() + aheadMs;
  }

  private static long ledgerMs() {
    return site.ledger().count("SELECT CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED)");
  }

  private void sleepUntil(long ms) {
    await()
        .atMost(LEAD.plus(LENGTH))
        .pollInterval(Duration.ofMillis(10))
        .until(() -> nowMs() >= ms);
  }

  private static String time(long ms) {
    return Instant.ofEpochMilli(ms).toString();
  }
}
