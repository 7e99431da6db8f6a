package io.sluice.sale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Somebody, or Redis itself, deletes single keys of buckets that sell. */
class VanishedKeyIT {
  @RegisterExtension static final SaleSite site = SaleSite.withInstances(2).withFaults();

  private static final Duration LIMIT = Duration.ofSeconds(20);
  private static final List<String> KEYS = List.of("stock", "reserve", "unbooked", "buyers");

  @Test
  void shouldTellAHolderOfASoldOutBucketOfHisOrderAgain() {
    // given
    Buyer alice = Buyer.named("alice");
    Buyer bob = Buyer.named("bob");
    List<Sale> sales =
        KEYS.stream().map(key -> site.sale().withStock(2).withLimit(1).open()).toList();
    List<Answer> first = sales.stream().map(sale -> sale.order(alice)).toList();
    sales.forEach(sale -> sale.order(bob));

    // when
    for (int i = 0; i < KEYS.size(); i++) {
      site.stock().deleteKey(KEYS.get(i), sales.get(i).skuId(), 0);
    }

    // then
    for (int i = 0; i < KEYS.size(); i++) {
      Sale sale = sales.get(i);
      String token = first.get(i).token();
      await(KEYS.get(i))
          .atMost(LIMIT)
          .until(() -> IntStream.range(0, 2).allMatch(at -> isHeld(sale, at, alice, token)));
      assertThat(sale.order(Buyer.named("late")).problem()).isEqualTo("sold-out");
    }
  }

  /** Whether this instance knows the order; while the bucket is rebuilt it says that it is busy. */
  private static boolean isHeld(Sale sale, int instance, Buyer buyer, String token) {
    Answer answer = sale.at(site.instance(instance)).order(buyer);
    assertThat(answer.status()).isIn(200, 503);
    return answer.status() == 200 && answer.token().equals(token);
  }
}
