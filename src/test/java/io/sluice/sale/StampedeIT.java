package io.sluice.sale;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Crowd;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Many buyers, few units, all at once. */
class StampedeIT {
  @RegisterExtension static final SaleSite site = SaleSite.withInstances(2);

  private static final int UNITS = 1_000;
  private static final int BUYERS = 5_000;
  private static final int COPIES = 4;
  private static final int VISITORS = 256;
  private static final long SEED = 7;

  @Test
  void shouldSellEveryUnitOnceWhenBuyersRepeatThemselves() {
    // given
    Sale sale = site.sale().withStock(UNITS).open();
    List<Buyer> buyers = Buyer.crowd(BUYERS);
    List<Integer> requests = shuffled();

    // when
    List<Answer> answers =
        site.crowd(VISITORS).send(requests, buyer -> sale.ordering(buyers.get(buyer), "k1", 1));

    // then
    Map<String, Long> tally = Crowd.tally(answers);
    assertThat(tally.keySet())
        .as("%s", tally)
        .allMatch(brief -> brief.matches("20[01] [A-Z]+|409 sold-out|503 (busy|unavailable)"));
    assertThat(answers.stream().filter(answer -> answer.status() == 201))
        .as("units granted: %s", tally)
        .hasSize(UNITS);
    assertThat(tokens(requests, answers))
        .hasSize(UNITS)
        .allSatisfy((buyer, tokens) -> assertThat(tokens).hasSize(1));
  }

  @Test
  void shouldGrantOnceWhenOneRequestComesInManyCopies() {
    // given
    Sale sale = site.sale().withStock(10).open();
    Buyer alice = Buyer.named("alice");

    // when
    List<Answer> answers =
        site.crowd(100).send(Collections.nCopies(500, () -> sale.ordering(alice, "k1", 1)));

    // then
    assertThat(Crowd.tally(answers).keySet()).allMatch(brief -> brief.matches("20[01] [A-Z]+"));
    assertThat(answers.stream().filter(answer -> answer.status() == 201)).hasSize(1);
    assertThat(answers.stream().map(Answer::token).distinct()).hasSize(1);
    assertThat(sale.order(Buyer.named("bob"), "k1", 9).status()).isEqualTo(201);
    assertThat(sale.order(Buyer.named("carol"), "k1", 1).brief()).isEqualTo("409 sold-out");
  }

  /** Every buyer several times, in random order. */
  private static List<Integer> shuffled() {
    var requests = new ArrayList<Integer>();
    for (int i = 0; i < BUYERS * COPIES; i++) {
      requests.add(i % BUYERS);
    }
    Collections.shuffle(requests, new Random(SEED));
    return requests;
  }

  private static Map<Integer, Set<String>> tokens(List<Integer> requests, List<Answer> answers) {
    return IntStream.range(0, answers.size())
        .boxed()
        .filter(i -> answers.get(i).isYes())
        .collect(
            Collectors.groupingBy(
                requests::get,
                Collectors.mapping(i -> answers.get(i).token(), Collectors.toSet())));
  }
}
