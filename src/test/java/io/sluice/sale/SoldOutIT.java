package io.sluice.sale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Crowd;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sold-out answers on two instances that hold leases. */
class SoldOutIT {
  @RegisterExtension static final SaleSite site = SaleSite.withInstances(2);

  private static final Buyer ALICE = Buyer.named("alice");
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final int STORM = 2_000;

  @ParameterizedTest(name = "restocked: {0}")
  @ValueSource(booleans = {false, true})
  void shouldSellUnitsThatAreBackOnEveryInstance(boolean restocked) {
    // given
    Sale sale = site.sale().withStock(2).open();
    List<String> tokens = List.of(sale.order(ALICE, "1").token(), sale.order(ALICE, "2").token());
    storm(sale, "before");

    // when
    if (restocked) {
      assertThat(sale.restock("more", 2).status()).isEqualTo(200);
    } else {
      tokens.forEach(token -> assertThat(sale.cancel(ALICE, token).status()).isEqualTo(200));
    }
    awaitReleased(sale, 2);

    // then
    for (int i = 0; i < 2; i++) {
      Sale at = sale.at(site.instance(i));
      Buyer buyer = Buyer.named("late-" + i);
      await().atMost(LIMIT).until(() -> at.order(buyer).status() != 409);
      assertThat(at.order(buyer).isYes()).isTrue();
    }
  }

  @Test
  void shouldTellEveryHolderItsOrderWhileOthersHearThatItIsSoldOut() {
    // given
    int units = 300;
    Sale sale = site.sale().withStock(units).open();
    List<Buyer> buyers = Buyer.crowd(3 * units);
    List<Answer> first = ask(sale, buyers);
    storm(sale, "storm");

    // when
    List<Answer> again = ask(sale, buyers);

    // then
    assertThat(first.stream().filter(Answer::isYes)).hasSize(units);
    for (int i = 0; i < buyers.size(); i++) {
      boolean holder = first.get(i).isYes();
      assertThat(again.get(i).isYes()).as("%s: %s", buyers.get(i), again.get(i)).isEqualTo(holder);
      if (holder) {
        assertThat(again.get(i).token()).isEqualTo(first.get(i).token());
      }
    }
  }

  /**
   * One unit changes hands on one instance, while a crowd is told by the other one that it is sold
   * out; each new holder repeats the request there at once.
   */
  @Test
  void shouldTellAHolderItsOrderWhenTheOtherInstanceGrantedItAMomentAgo() {
    // given
    Sale sale = site.sale().withStock(1).open();
    Sale one = sale.at(site.instance(0));
    Sale other = sale.at(site.instance(1));

    for (int hand = 0; hand < 5; hand++) {
      Buyer holder = Buyer.named("holder-" + hand);
      Answer granted =
          await()
              .atMost(Duration.ofSeconds(15))
              .until(() -> one.order(holder), answer -> answer.status() != 409);

      // when: the crowd orders two units each, so none of them can take the one unit
      Future<List<Answer>> crowd = site.crowd(32).start(orders(other, "crowd-" + hand, 500, 2));
      List<Answer> again = new ArrayList<>();
      while (!crowd.isComplete()) {
        again.add(other.order(holder));
      }

      // then
      assertThat(granted.status()).as("%s", granted).isEqualTo(201);
      assertThat(again)
          .allSatisfy(answer -> assertThat(answer.isYes()).as("%s", answer).isTrue())
          .extracting(Answer::token)
          .containsOnly(granted.token());
      assertThat(Crowd.await(crowd)).allMatch(answer -> answer.brief().equals("409 sold-out"));
      assertThat(one.cancel(holder, granted.token()).isYes()).isTrue();
    }
  }

  private static List<Answer> ask(Sale sale, List<Buyer> buyers) {
    return site.crowd(64).send(buyers, buyer -> sale.ordering(buyer, "once", 1));
  }

  /** Many late buyers, so that both instances get leases. */
  private static void storm(Sale sale, String name) {
    List<Answer> answers = site.crowd(64).send(orders(sale, name, STORM, 1));
    assertThat(answers).allMatch(answer -> answer.brief().equals("409 sold-out"));
  }

  private static List<Supplier<Future<Answer>>> orders(Sale sale, String name, int count, int qty) {
    List<Supplier<Future<Answer>>> orders = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Buyer buyer = Buyer.named(name + "-" + i);
      orders.add(() -> sale.ordering(buyer, "once", qty));
    }
    return orders;
  }

  private static void awaitReleased(Sale sale, long units) {
    await()
        .atMost(Duration.ofSeconds(10))
        .until(() -> site.stock().available(sale.skuId(), 0) >= units);
  }
}
