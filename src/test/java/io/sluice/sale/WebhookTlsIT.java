package io.sluice.sale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.sluice.testkit.site.SluiceProcess;
import io.sluice.testkit.tls.Certificates;
import io.sluice.testkit.webhook.WebhookReceiver;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A target whose certificate is of a private authority. */
class WebhookTlsIT {
  @RegisterExtension static final SaleSite site = SaleSite.withInstances(0).withFaults();

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final String CA_FILE = "SLUICE_WEBHOOKS_CA_FILE";

  @TempDir static Path folder;

  @Test
  void shouldSayTlsUntilTheAuthorityOfItsTargetIsTrusted() {
    // given
    Certificates ours = Certificates.foundedIn(folder.resolve("ours"), "ours");
    Certificates foreign = Certificates.foundedIn(folder.resolve("foreign"), "foreign");
    SluiceProcess unit = site.newInstance(Map.of(CA_FILE, foreign.ca().toString()));
    unit.start().awaitReady();
    try (WebhookReceiver shop = WebhookReceiver.start(ours.issue("shop", "localhost"))) {
      Answer put =
          site.desk(
              "PUT",
              "/admin/webhooks/shop",
              new JsonObject()
                  .put("url", shop.url().replace("127.0.0.1", "localhost"))
                  .put("secret", WebhookReceiver.SECRET)
                  .put("form", "full"));
      Sale sale = site.sale().withStock(1).open();

      // when
      String token = sale.order(Buyer.named("alice")).token();
      String why = await().atMost(LIMIT).until(WebhookTlsIT::why, text -> !text.isEmpty());
      unit.terminate();
      unit.setting(CA_FILE, ours.ca()).start().awaitReady();
      sale.pay(token);

      // then
      assertThat(put.status()).as(put.body()).isEqualTo(201);
      assertThat(why).startsWith("tls: certificate not trusted: ");
      await()
          .atMost(LIMIT)
          .untilAsserted(
              () ->
                  assertThat(shop.typesOf(token))
                      .containsExactly("ORDER_BOOKED", "ORDER_CONFIRMED"));
      assertThat(shop.faults()).isEmpty();
    }
  }

  /** Why the first event was not accepted; empty if there is none. */
  private static String why() {
    return site
        .desk("GET", "/admin/webhooks/shop/failures")
        .json()
        .getJsonArray("failures")
        .stream()
        .map(each -> ((JsonObject) each).getString("why"))
        .findFirst()
        .orElse("");
  }
}
