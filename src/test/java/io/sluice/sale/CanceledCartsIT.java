package io.sluice.sale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.redis.StockReader;
import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.CartSale;
import io.sluice.testkit.site.SaleSite;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What is left in Redis of carts that were canceled: a record of each line, until the end. */
class CanceledCartsIT {
  @RegisterExtension static final SaleSite site = SaleSite.withInstances(2);

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final long CARTS = 60;
  private static final long UNITS = 500;

  private final CartSale sale =
      CartSale.open(
          site,
          3,
          new JsonObject().put("total_stock", UNITS).put("limit_per_user", 4),
          new JsonObject());
  private final StockReader stock = site.stock();
  private final List<Buyer> buyers = Buyer.crowd((int) CARTS);

  /** Every other one is without the second SKU. */
  private JsonArray cart(int buyer) {
    return buyer % 2 == 0 ? sale.lines(0, 1, 1, 2, 2, 3) : sale.lines(0, 2, 2, 1);
  }

  private List<Answer> ofAll(Function<Integer, Future<Answer>> request) {
    List<Supplier<Future<Answer>>> requests = new ArrayList<>();
    for (int i = 0; i < buyers.size(); i++) {
      int buyer = i;
      requests.add(() -> Insistence.on(() -> request.apply(buyer)));
    }
    return site.crowd(16).send(requests);
  }

  private List<Answer> ordered() {
    return ofAll(i -> sale.ordering(buyers.get(i), "k", cart(i)));
  }

  private List<Answer> canceled(List<Answer> granted) {
    return ofAll(i -> sale.sku(0).canceling(buyers.get(i), granted.get(i).token()));
  }

  private <T> List<T> ofEach(Function<Long, T> look) {
    return sale.skuIds().stream().map(look).toList();
  }

  private List<String> kindsOfKeys(long skuId) {
    return stock.keysOf(skuId).stream()
        .map(key -> key.substring(0, key.indexOf(':')))
        .sorted()
        .toList();
  }

  @Test
  void shouldKeepARecordOfEachLineAndNothingOnceTheSaleHasEnded() {
    // given
    List<Answer> granted = ordered();
    List<Long> counted = ofEach(sku -> stock.buyers(sku, 0));

    // when
    List<Answer> canceled = canceled(granted);
    await()
        .atMost(LIMIT)
        .until(() -> ofEach(sku -> stock.available(sku, 0)).equals(List.of(UNITS, UNITS, UNITS)));
    List<Answer> again = ordered();
    List<Answer> twice = canceled(granted);

    // then
    assertThat(granted).allMatch(Answer::isYes);
    assertThat(counted).containsExactly(CARTS, CARTS / 2, CARTS);
    assertThat(canceled).extracting(Answer::brief).containsOnly("200 CANCELED");
    assertThat(again).extracting(Answer::brief).containsOnly("409 order-ended");
    assertThat(twice).extracting(Answer::brief).containsOnly("200 CANCELED");
    assertThat(ofEach(sku -> stock.records(sku, 0))).containsExactly(CARTS, CARTS / 2, CARTS);
    assertThat(ofEach(sku -> stock.unbooked(sku, 0))).containsOnly(0L);
    assertThat(ofEach(sku -> stock.buyers(sku, 0))).containsOnly(0L);
    assertThat(ofEach(this::kindsOfKeys)).containsOnly(List.of("reserve", "stock"));

    // when
    Answer ended = sale.tell("end");

    // then
    assertThat(ended.status()).isEqualTo(200);
    sale.skuIds().forEach(new Endings(site, LIMIT)::awaitGone);
  }
}
