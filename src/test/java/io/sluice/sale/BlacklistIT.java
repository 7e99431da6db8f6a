package io.sluice.sale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.register.Moves;
import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Call;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.sluice.testkit.site.SluiceProcess;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** One blacklist for two instances. */
class BlacklistIT {
  private static final int LIMIT = 2;
  private static final int STRIKES = 3;

  @RegisterExtension
  static final SaleSite site =
      SaleSite.withInstances(2).withFaults().setting("SLUICE_ADMISSION_BUYER_PER_MINUTE", LIMIT);

  /** A second, and what a machine takes that runs other tests beside. */
  private static final Duration TOLD = Duration.ofSeconds(10);

  private static final String BANNED = "429 too-many-requests";

  private static Answer admin(SluiceProcess instance, String method, String buyer) {
    return site.http().ask(Call.of(method, instance.adminUrl() + "/admin/blacklist/" + buyer));
  }

  private static Answer order(SluiceProcess instance, Sale sale, Buyer buyer, String key) {
    return sale.at(instance).order(buyer, key);
  }

  /** Orders with so many new keys that the instance bans the buyer. */
  private static void overrun(SluiceProcess instance, Sale sale, Buyer buyer) {
    for (int i = 0; i < LIMIT + STRIKES; i++) {
      order(instance, sale, buyer, "key-" + i);
    }
  }

  /** An operator bans the buyer at the first instance, for this many seconds. */
  private static Answer ban(Buyer buyer, int banS) {
    JsonObject body = new JsonObject().put("ban_s", banS).put("reason", "fraud");
    return site.desk("PUT", "/admin/blacklist/" + buyer.userId(), body);
  }

  private static void awaitBanned(SluiceProcess instance, Sale sale, Buyer buyer) {
    await().atMost(TOLD).until(() -> order(instance, sale, buyer, "once").brief().equals(BANNED));
  }

  @Test
  @Moves({
    "sluice_admission_bans_total",
    "sluice_admission_banned",
    "sluice_admission_refused_total"
  })
  void shouldSoonRefuseOnTheOtherInstanceWhenABuyerOverrunsItsLimit() {
    // given
    Sale sale = site.sale().withStock(50).open();
    Buyer alice = Buyer.named("alice");
    String before = order(site.instance(1), sale, alice, "once").brief();

    // when
    overrun(site.instance(0), sale, alice);

    // then
    awaitBanned(site.instance(1), sale, alice);
    Answer refused = order(site.instance(0), sale, alice, "once");
    assertThat(before).isEqualTo("201 RESERVED");
    assertThat(refused.brief()).isEqualTo(BANNED);
    assertThat(Integer.parseInt(refused.header("retry-after"))).isBetween(590, 600);
    assertThat(order(site.instance(1), sale, Buyer.named("bob"), "once").brief())
        .isEqualTo("201 RESERVED");
    assertThat(admin(site.instance(1), "GET", "alice").json().getString("by")).isEqualTo("sluice");
  }

  @Test
  @Moves({
    "sluice_owned_partitions",
    "sluice_owner_here",
    "sluice_owner_term",
    "sluice_owner_silence_seconds"
  })
  void shouldStillRefuseWhenAllInstancesAreRestarted() {
    // given: one ban of an operator, and one for overruns that the other instance has heard of
    Sale sale = site.sale().withStock(50).open();
    Buyer carol = Buyer.named("carol");
    Buyer erin = Buyer.named("erin");
    ban(carol, 600);
    overrun(site.instance(0), sale, erin);
    awaitBanned(site.instance(1), sale, erin);

    // when: the instance that has banned is not even asked to stop
    site.instance(0).kill();
    site.instance(1).terminate();
    site.instances().forEach(SluiceProcess::start);
    site.awaitReady();

    // then
    for (SluiceProcess instance : site.instances()) {
      assertThat(order(instance, sale, carol, "once").brief()).isEqualTo(BANNED);
      Answer refused = order(instance, sale, erin, "once");
      assertThat(refused.brief()).isEqualTo(BANNED);
      assertThat(Integer.parseInt(refused.header("retry-after"))).isBetween(480, 600);
      assertThat(admin(instance, "GET", "erin").json().getString("by")).isEqualTo("sluice");
      assertThat(order(instance, sale, Buyer.named("frank"), "once").isYes()).isTrue();
    }
  }

  @Test
  void shouldSoonAdmitOnAllInstancesWhenTheBanIsLifted() {
    // given
    Sale sale = site.sale().withStock(50).open();
    Buyer dave = Buyer.named("dave");
    ban(dave, 600);
    awaitBanned(site.instance(1), sale, dave);

    // when
    Answer lifted = admin(site.instance(1), "DELETE", "dave");

    // then
    assertThat(lifted.status()).isEqualTo(200);
    await().atMost(TOLD).until(() -> order(site.instance(0), sale, dave, "once").isYes());
    assertThat(order(site.instance(1), sale, dave, "once").status()).isEqualTo(200);
    assertThat(admin(site.instance(0), "GET", "dave").status()).isEqualTo(404);
  }

  @Test
  void shouldRefuseOnTheOtherInstanceUntilTheEndOfTheBanWhenAnOperatorBans() {
    // given
    Sale sale = site.sale().withStock(50).open();
    Buyer mallory = Buyer.named("mallory");

    // when
    Answer put = ban(mallory, 6);

    // then
    awaitBanned(site.instance(1), sale, mallory);
    assertThat(put.status()).isEqualTo(200);
    assertThat(put.json().getString("reason")).isEqualTo("fraud");
    // Another key: an order that came before the ban was heard would be answered 200 now.
    await()
        .atMost(Duration.ofSeconds(20))
        .pollInterval(Duration.ofMillis(20))
        .until(
            () -> order(site.instance(1), sale, mallory, "later").brief().equals("201 RESERVED"));
  }
}
