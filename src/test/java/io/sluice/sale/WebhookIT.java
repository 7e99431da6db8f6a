package io.sluice.sale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.register.Moves;
import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.sluice.testkit.site.SluiceProcess;
import io.sluice.testkit.webhook.WebhookReceiver;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Targets get each event of an order in order, whatever other targets and instances do. */
class WebhookIT {
  @RegisterExtension static final SaleSite site = SaleSite.withInstances(2).withFaults();

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final List<String> LIFE = List.of("ORDER_BOOKED", "ORDER_CONFIRMED");

  @AutoClose private final WebhookReceiver sound = WebhookReceiver.start();
  @AutoClose private final WebhookReceiver other = WebhookReceiver.start();
  @AutoClose private final WebhookReceiver hanging = WebhookReceiver.start().hanging();

  @AfterEach
  void deleteTargets() {
    site.awaitReady();
    for (String id : List.of("sound", "other", "hanging")) {
      site.desk("DELETE", "/admin/webhooks/" + id);
    }
  }

  private static void put(String id, WebhookReceiver receiver) {
    Answer answer =
        site.desk(
            "PUT",
            "/admin/webhooks/" + id,
            new JsonObject()
                .put("url", receiver.url())
                .put("secret", WebhookReceiver.SECRET)
                .put("types", new JsonArray(List.of("*")))
                .put("form", "full"));
    assertThat(answer.status()).as(answer.body()).isEqualTo(201);
  }

  private static JsonObject target(String id) {
    return site.desk("GET", "/admin/webhooks/" + id).json();
  }

  private static List<String> orders(Sale sale, int count) {
    List<Supplier<Future<Answer>>> orders =
        IntStream.range(0, count)
            .<Supplier<Future<Answer>>>mapToObj(
                i -> () -> sale.ordering(Buyer.named("buyer-" + i), "", 1))
            .toList();
    return site.crowd(16).send(orders).stream().filter(Answer::isYes).map(Answer::token).toList();
  }

  private static void awaitLives(WebhookReceiver receiver, List<String> tokens) {
    await()
        .atMost(LIMIT)
        .untilAsserted(
            () ->
                assertThat(tokens)
                    .allSatisfy(token -> assertThat(receiver.typesOf(token)).isEqualTo(LIFE)));
  }

  /** A change of the books that a clock would make in three days. */
  private static void passThreeDays(String id) {
    site.ledger()
        .query(
            "UPDATE webhook_delivery SET first_at = first_at - 300000000, next_at = 1"
                + " WHERE webhook_id = '%s'".formatted(id),
            row -> row);
  }

  private static double failedByMetrics() {
    return site.instances().stream()
        .mapToDouble(each -> MetricsPage.of(site, each).value("sluice_webhook_failed"))
        .sum();
  }

  @Test
  @Moves({
    "sluice_webhook_attempts_total",
    "sluice_webhook_waiting",
    "sluice_webhook_failed",
    "sluice_webhook_oldest_seconds"
  })
  void shouldTellEachTargetAllInOrderWhenOneRefusesAndOneHangs() {
    // given
    put("sound", sound);
    put("other", other.answering(500));
    put("hanging", hanging);
    Sale sale = site.sale().withStock(100).withBuckets(4).open();
    List<String> tokens = orders(sale, 40);

    // when
    tokens.forEach(sale::pay);
    awaitLives(sound, tokens);
    await().atMost(LIMIT).until(() -> target("other").getLong("waiting") == 2L * tokens.size());
    passThreeDays("other");
    await().atMost(LIMIT).until(() -> target("other").getLong("failed") == 2L * tokens.size());
    await().atMost(LIMIT).until(() -> failedByMetrics() == 2L * tokens.size());
    List<String> early = other.taken().stream().map(JsonObject::encode).toList();
    other.answering(200);
    await()
        .atMost(LIMIT)
        .until(
            () -> {
              site.desk("POST", "/admin/webhooks/other/replay");
              JsonObject now = target("other");
              return now.getLong("waiting") + now.getLong("failed") == 0;
            });

    // then
    assertThat(early).isEmpty();
    awaitLives(other, tokens);
    assertThat(sound.faults()).isEmpty();
    assertThat(other.faults()).isEmpty();
    assertThat(hanging.requests()).isPositive();
    assertThat(target("sound").getLong("waiting")).isZero();
  }

  @Test
  void shouldLoseNothingWhenTheInstanceThatSendsIsKilled() {
    // given
    put("sound", sound.slow(30));
    Sale sale = site.sale().withStock(200).withBuckets(4).open();
    List<String> first = orders(sale, 20);
    first.forEach(sale::pay);
    await().atMost(LIMIT).until(() -> sound.taken().size() > 10);
    SluiceProcess sending =
        site.instances().stream()
            .filter(
                each ->
                    MetricsPage.of(site, each)
                            .value("sluice_webhook_attempts_total{outcome=\"accepted\"}")
                        > 0)
            .findFirst()
            .orElseThrow();

    // when
    List<String> second = orders(sale, 60);
    sending.kill();
    second.forEach(sale::pay);
    sending.start().awaitReady();

    // then
    awaitLives(sound, first);
    awaitLives(sound, second);
    assertThat(sound.faults()).isEmpty();
  }
}
