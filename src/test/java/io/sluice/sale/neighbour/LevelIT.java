package io.sluice.sale.neighbour;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Call;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.sluice.testkit.site.SkuIds;
import io.sluice.testkit.site.SluiceProcess;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the release before would misread waits until none of its instances can come back. */
class LevelIT {
  @RegisterExtension
  static final SaleSite site =
      SaleSite.withInstances(0).withFaults().setting("SLUICE_RESERVATION_COMMAND_WAIT_MS", 10_000);

  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final int BUCKETS = 16;
  private static final int UNITS = 320;
  private static final List<Buyer> CROWD = Buyer.crowd(24);
  private static final Neighbours NEIGHBOURS = new Neighbours(site, Side.KEPT);
  private static final JsonObject MORE_TIME = new JsonObject().put("seconds", 600);

  private static Answer order(Sale sale, Buyer buyer) {
    JsonObject body =
        new JsonObject()
            .put("sku_id", sale.skuId())
            .put("qty", 2)
            .put("reference", "of-" + buyer.userId());
    String url = NEIGHBOURS.instance(Side.PRESENT).url() + "/v1/orders";
    return site.http().ask(Call.post(url).as(buyer).json(body.encode()));
  }

  private static String extend(Sale at, String token) {
    return at.tell(token, "/extend", MORE_TIME).brief();
  }

  private static Sale opened() {
    NEIGHBOURS.bringUp();
    return site.sale(SkuIds.spread(site, BUCKETS), NEIGHBOURS.instance(Side.KEPT))
        .withStock(UNITS)
        .withBuckets(BUCKETS)
        .withPaymentWindow(Duration.ofHours(1))
        .open();
  }

  private static Sale other() {
    return site.sale(SkuIds.spread(site, BUCKETS), NEIGHBOURS.instance(Side.KEPT))
        .withStock(UNITS)
        .withBuckets(BUCKETS)
        .open();
  }

  @Test
  void shouldWriteNothingThatTheReleaseBeforeWouldMisreadWhileItMayRun() {
    // given
    Sale sale = opened();
    SluiceProcess kept = NEIGHBOURS.instance(Side.KEPT);
    Sale here = NEIGHBOURS.at(Side.PRESENT, sale);
    Sale there = NEIGHBOURS.at(Side.KEPT, sale);
    List<String> tokens = CROWD.stream().map(buyer -> order(sale, buyer).token()).toList();
    await().atMost(LIMIT).until(() -> sale.tokens("PENDING").toList().containsAll(tokens));
    Sale ends = other();
    Sale endsHere = NEIGHBOURS.at(Side.PRESENT, ends);

    // when
    List<String> again = CROWD.stream().map(buyer -> there.order(buyer, "", 2).token()).toList();
    List<String> references =
        tokens.stream().map(token -> here.story(token).json().getString("reference")).toList();
    List<String> rebuilt = Stream.of(there, here).map(at -> at.rebuild().brief()).toList();
    String extended = extend(here, tokens.get(0));
    String beside = endsHere.end().brief();
    kept.kill();
    String besideKilled = endsHere.end().brief();
    kept.start().awaitReady();
    String readsOn = there.status(tokens.get(0)).brief();
    int ended = kept.terminate().code();
    String besideEnded = endsHere.end().brief();
    site.ledger().query("DELETE FROM service_instance WHERE level < 4", row -> row);
    await().atMost(LIMIT).until(() -> endsHere.end().status() == 200);
    int comesBack = kept.start().awaitExit().code();

    // then
    assertThat(again).isEqualTo(tokens);
    assertThat(references)
        .containsExactlyElementsOf(CROWD.stream().map(buyer -> "of-" + buyer.userId()).toList());
    assertThat(rebuilt).allMatch(brief -> brief.startsWith("200"));
    assertThat(extended).isEqualTo("200 PENDING");
    assertThat(List.of(beside, besideKilled, besideEnded)).containsOnly("503 busy");
    assertThat(readsOn).isEqualTo("200 PENDING");
    assertThat(ended).isZero();
    assertThat(comesBack).isEqualTo(2);
    assertThat(kept.log()).contains("level 4");
    Neighbours.assertNoErrors(site);
  }
}
