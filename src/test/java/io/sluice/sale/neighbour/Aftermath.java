package io.sluice.sale.neighbour;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import java.time.Duration;

/** What must be so after a flow of buyers, however often releases were exchanged meanwhile. */
final class Aftermath {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int VISITORS = 32;
  private static final int LEFT = 200;

  private Aftermath() {}

  /** Each yes is booked once, each command is obeyed, and no buyer heard what cannot be. */
  static void assertKept(SaleSite site, Sale sale, Flow flow) {
    assertThat(flow.unexpected()).isEmpty();
    await()
        .atMost(LIMIT)
        .untilAsserted(
            () -> {
              assertThat(sale.tokens("PENDING")).containsExactlyInAnyOrderElementsOf(flow.kept());
              assertThat(sale.tokens("CONFIRMED")).containsExactlyInAnyOrderElementsOf(flow.paid());
              assertThat(sale.tokens("CANCELED"))
                  .containsExactlyInAnyOrderElementsOf(flow.canceled());
            });
    assertThat(site.crowd(VISITORS).send(flow.again(sale)))
        .extracting(Answer::status)
        .containsOnly(200);
  }

  /** Takes most of the unsold units back; what is left is sold to the last unit. */
  static void assertSoldOutExactly(SaleSite site, Sale sale) {
    await().atMost(LIMIT).until(() -> site.ledger().outboxPending() == 0);
    long unsold = sale.ledger().available();
    assertThat(unsold).as("units for the last buyers").isGreaterThanOrEqualTo(LEFT);
    assertThat(sale.restock("all-but-the-last", LEFT - unsold).status()).isEqualTo(200);
    LastBuyers buyers = LastBuyers.of(site, sale);
    assertThat(buyers.unexpected()).isEmpty();
    assertThat(buyers.tokens()).hasSize(LEFT).doesNotHaveDuplicates();
    await().atMost(LIMIT).until(() -> sale.ledger().available() == 0);
  }
}
