package io.sluice.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.sluice.testkit.site.SkuIds;
import io.sluice.testkit.site.SluiceProcess;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** SKUs of one unit, which is ordered and canceled in turn, so that it crosses both watermarks. */
final class Crossings {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Buyer BUYER = Buyer.named("crosser");

  /** Longer than an owner waits before it looks again. */
  private static final Duration TURN_EVERY = Duration.ofMillis(1_500);

  private final SaleSite site;
  private final SluiceProcess survivor;
  private final List<Unit> units = new ArrayList<>();
  private long turnedAtNs;

  Crossings(SaleSite site, SluiceProcess survivor) {
    this.site = site;
    this.survivor = survivor;
  }

  /** The unit of one SKU. */
  private static final class Unit {
    private final Sale sale;
    private String token = "";
    private int orders;

    Unit(Sale sale) {
      this.sale = sale;
    }

    boolean isHeld() {
      return !token.isEmpty();
    }

    void turn() {
      if (!isHeld()) {
        order();
      } else if (sale.cancel(BUYER, token).isYes()) {
        token = "";
        orders++;
      }
    }

    void order() {
      var answer = sale.order(BUYER, "k" + orders);
      token = answer.isYes() ? answer.token() : "";
    }
  }

  /** One SKU for each owner. */
  void open() {
    for (int partition = 0; partition < site.partitions(); partition++) {
      long skuId = SkuIds.of(site, partition);
      units.add(new Unit(site.sale(skuId, survivor).withStock(1).open().at(survivor)));
    }
  }

  void turn() {
    long nowNs = System.nanoTime();
    if (turnedAtNs == 0 || nowNs - turnedAtNs >= TURN_EVERY.toNanos()) {
      turnedAtNs = nowNs;
      units.forEach(Unit::turn);
    }
  }

  // ---- afterwards

  /** Waits until each crossing was told once, in order, and the last one is that of its stock. */
  void settle() {
    for (Unit unit : units) {
      await()
          .atMost(LIMIT)
          .until(
              () -> {
                if (!unit.isHeld()) {
                  unit.order();
                }
                return unit.isHeld();
              });
    }
    if (!units.isEmpty()) {
      await().atMost(LIMIT).untilAsserted(() -> units.forEach(unit -> expectTold(unit.sale)));
    }
  }

  private void expectTold(Sale sale) {
    List<String> told = told(sale);
    List<String> cycle = List.of("LOW DOWN", "LAST DOWN", "LAST UP", "LOW UP");
    assertThat(told)
        .as("crossings of %s", sale.skuId())
        .isEqualTo(
            IntStream.range(0, told.size())
                .mapToObj(n -> cycle.get(n % 4) + " " + (n + 1))
                .toList())
        .last()
        .asString()
        .startsWith("LAST DOWN");
  }

  /** In the order of the topic, without repetitions. */
  private List<String> told(Sale sale) {
    return site.topics().all(site.eventsTopic()).stream()
        .filter(entry -> String.valueOf(sale.skuId()).equals(entry.key()))
        .map(entry -> entry.json())
        .filter(event -> "WATERMARK_CROSSED".equals(event.getString("type")))
        .map(Crossings::brief)
        .distinct()
        .toList();
  }

  private static String brief(JsonObject event) {
    return "%s %s %d"
        .formatted(event.getString("mark"), event.getString("way"), event.getLong("version"));
  }
}
