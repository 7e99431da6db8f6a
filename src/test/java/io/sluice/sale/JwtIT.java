package io.sluice.sale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.auth.TokenSigner;
import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Call;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.sluice.testkit.site.SluiceProcess;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An instance whose buyers carry tokens. */
class JwtIT {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  /** Of all tests but those that replace keys. */
  private static final TokenSigner STAYING = TokenSigner.ec();

  private static final TokenSigner OLD = TokenSigner.ec();
  private static final TokenSigner YOUNG = TokenSigner.rsa(2048);
  private static final Path KEYS = newFile();

  @RegisterExtension
  static final SaleSite site =
      SaleSite.withInstances(1)
          .setting("SLUICE_AUTH_MODE", "jwt")
          .setting("SLUICE_AUTH_JWKS_FILE", KEYS)
          .setting("SLUICE_AUTH_ISSUER", "https://issuer.example")
          .setting("SLUICE_AUTH_AUDIENCE", "sluice");

  @AfterAll
  static void deleteKeys() throws IOException {
    Files.deleteIfExists(KEYS);
  }

  @Test
  void shouldPlaceAnOrderOfTheTokensBuyer() {
    // given
    Sale sale = site.sale().withStock(10).open();
    JsonObject claims = claims("alice");
    String token = STAYING.token("staying", claims);
    await().atMost(LIMIT).until(() -> order(sale, token).status() != 401);

    // when
    Answer placed = order(sale, token);

    // then
    assertThat(placed.status()).isEqualTo(200);
    assertThat(look(placed.token(), claims("alice"))).isEqualTo(200);
    assertThat(look(placed.token(), claims("bob"))).isEqualTo(404);
  }

  @Test
  void shouldServeOneOfBothKeysAtAnyMomentWhenKeysAreReplacedInASale() throws IOException {
    // given
    Sale sale = site.sale().withStock(10_000).open();
    List<Integer> both = new ArrayList<>();
    await().atMost(LIMIT).until(() -> order(sale, OLD.token("old", claims("first"))).isYes());

    // when: a buyer asks all the time, with the token that is in force on both sides of the change
    publish(STAYING.jwk("staying"), OLD.jwk("old"), YOUNG.jwk("young"));
    await()
        .atMost(LIMIT)
        .until(
            () -> {
              both.add(order(sale, OLD.token("old", claims("o" + both.size()))).status());
              return order(sale, YOUNG.token("young", claims("y" + both.size()))).isYes();
            });
    publish(STAYING.jwk("staying"), YOUNG.jwk("young"));
    List<Integer> young = new ArrayList<>();
    await()
        .atMost(LIMIT)
        .until(
            () -> {
              young.add(order(sale, YOUNG.token("young", claims("z" + young.size()))).status());
              return order(sale, OLD.token("old", claims("first"))).status() == 401;
            });

    // then
    assertThat(both).containsOnly(201);
    assertThat(young).containsOnly(201);
  }

  @Test
  void shouldSellToWhoHasATicketOnlyOnceTheSkuDemandsOne() {
    // given
    Sale sale = site.sale().withStock(100).open();
    String buyer = STAYING.token("staying", claims("bob"));
    String ticket = STAYING.token("staying", claims("bob").put("aud", "sku:" + sale.skuId()));
    String anothers = STAYING.token("staying", claims("eve").put("aud", "sku:" + sale.skuId()));
    await().atMost(LIMIT).until(() -> order(sale, STAYING.token("staying", claims("amy"))).isYes());

    // when
    Answer put = sale.put(new JsonObject().put("total_stock", 100).put("ticket", true));
    await().atMost(LIMIT).until(() -> order(sale, buyer).status() == 403);

    // then
    assertThat(put.json().getBoolean("ticket")).isTrue();
    assertThat(sale.look().json().getBoolean("ticket")).isTrue();
    assertThat(order(sale, buyer, anothers).problem()).isEqualTo("ticket-required");
    assertThat(order(sale, buyer, ticket).isYes()).isTrue();
    assertThat(order(sale, ticket).status()).isEqualTo(401);
  }

  @Test
  void shouldNotStartWhenTheSetHasNoUsableKey() throws IOException {
    // given
    Path empty = Files.writeString(newFile(), "{\"keys\":[]}");
    SluiceProcess instance = site.newInstance(Map.of("SLUICE_AUTH_JWKS_FILE", empty.toString()));

    // when
    SluiceProcess.Exit exit = instance.start().awaitExit();

    // then
    assertThat(exit.code()).isEqualTo(2);
    assertThat(instance.log()).contains("sluice: auth.jwks_file must have a key for RS256");
    Files.delete(empty);
  }

  /** As a careful operator does: by renaming a whole file over the former one. */
  private static void publish(JsonObject... keys) throws IOException {
    Path whole = Files.writeString(newFile(), TokenSigner.jwks(keys));
    Files.move(whole, KEYS, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  private static Path newFile() {
    try {
      return Files.writeString(
          Files.createTempFile("keys", ".json"),
          TokenSigner.jwks(STAYING.jwk("staying"), OLD.jwk("old")));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static JsonObject claims(String buyer) {
    return new JsonObject()
        .put("sub", buyer)
        .put("iss", "https://issuer.example")
        .put("aud", "sluice")
        .put("exp", System.currentTimeMillis() / 1000 + 600);
  }

  private static Answer order(Sale sale, String token) {
    return site.http().ask(ordering(sale, token));
  }

  private static Answer order(Sale sale, String token, String ticket) {
    return site.http().ask(ordering(sale, token).header("Sluice-Ticket", ticket));
  }

  private static Call ordering(Sale sale, String token) {
    return Call.post(site.instance(0).url() + "/v1/orders")
        .header("Authorization", "Bearer " + token)
        .header("X-User-Id", "mallory")
        .json(new JsonObject().put("sku_id", sale.skuId()).put("qty", 1));
  }

  private static int look(String order, JsonObject claims) {
    return site.http()
        .ask(
            Call.get(site.instance(0).url() + "/v1/orders/" + order)
                .header("Authorization", "Bearer " + STAYING.token("staying", claims)))
        .status();
  }
}
