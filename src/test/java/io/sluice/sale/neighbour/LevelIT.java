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
  private static final JsonObject PAYMENT = new JsonObject().put("payment_ref", "p1");
  private static final JsonObject MORE_TIME = new JsonObject().put("seconds", 600);
  private static final JsonObject PART = new JsonObject().put("refund_id", "r1").put("qty", 1);

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

  /** An extension, a payment with a name, and a refund in part: what they are answered. */
  private static List<String> told(Sale at, String token) {
    Answer paid = at.tell(token, "/confirm", PAYMENT);
    return List.of(
        paid.brief() + " " + paid.json().getString("payment_ref"),
        at.tell(token, "/refunds", PART).brief());
  }

  private static Sale opened() {
    NEIGHBOURS.bringUp();
    return site.sale(SkuIds.spread(site, BUCKETS), NEIGHBOURS.instance(Side.KEPT))
        .withStock(UNITS)
        .withBuckets(BUCKETS)
        .withPaymentWindow(Duration.ofHours(1))
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
    String held = tokens.get(0);

    // when
    List<String> again = CROWD.stream().map(buyer -> there.order(buyer, "", 2).token()).toList();
    List<String> references =
        tokens.stream().map(token -> here.story(token).json().getString("reference")).toList();
    List<String> rebuilt = Stream.of(there, here).map(at -> at.rebuild().brief()).toList();
    List<String> beside = List.of(extend(here, held), extend(here, tokens.get(1)));
    List<String> unnamed = told(here, tokens.get(1));
    kept.kill();
    String besideKilled = extend(here, held);
    kept.start().awaitReady();
    int ended = kept.terminate().code();
    String besideEnded = extend(here, held);
    site.ledger().query("DELETE FROM service_instance WHERE level < 3", row -> row);
    await().atMost(LIMIT).until(() -> extend(here, held).equals("200 PENDING"));
    List<String> alone = told(here, tokens.get(2));
    int comesBack = kept.start().awaitExit().code();

    // then
    assertThat(again).isEqualTo(tokens);
    assertThat(references)
        .containsExactlyElementsOf(CROWD.stream().map(buyer -> "of-" + buyer.userId()).toList());
    assertThat(rebuilt).allMatch(brief -> brief.startsWith("200"));
    assertThat(beside).containsOnly("503 busy");
    assertThat(unnamed).containsExactly("200 CONFIRMED null", "503 busy");
    assertThat(besideKilled).isEqualTo("503 busy");
    assertThat(ended).isZero();
    assertThat(besideEnded).isEqualTo("503 busy");
    assertThat(alone).containsExactly("200 CONFIRMED p1", "200 CONFIRMED");
    assertThat(comesBack).isEqualTo(2);
    assertThat(kept.log()).contains("level 3");
    Neighbours.assertNoErrors(site);
  }
}
