package io.sluice.sale;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Call;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Redis and the ledger are compared continuously while both change; neither drift nor a warning may
 * be logged.
 */
class ReconcileLoadIT {
  @RegisterExtension
  static final SaleSite site =
      SaleSite.withInstances(2).setting("SLUICE_RECONCILE_INTERVAL_MS", 100);

  /** Longer than a call of the desk waits for owners. */
  private static final Duration LIMIT = Duration.ofSeconds(45);

  @Test
  void shouldFindNothingWhenEverythingMoves() {
    // given
    Sale sale = site.sale().withStock(500).withBuckets(4).open();
    Future<List<Answer>> load =
        site.crowd(64).start(Buyer.crowd(4_000), buyer -> buyOrRegret(sale, buyer));

    // when
    int compared = 0;
    int step = 0;
    while (!load.isComplete() || step < 6) {
      sale.restock("step-" + step, step % 2 == 0 ? 60 : -40);
      compared += compared(site.http().ask(Call.post(desk() + "/admin/reconcile").within(LIMIT)));
      step++;
    }

    // then
    assertThat(compared).isPositive();
    JsonObject shown = site.http().ask(Call.get(desk() + "/admin/drift")).json();
    assertThat(shown.getJsonArray("corrections")).isEmpty();
  }

  private static String desk() {
    return site.instance(0).adminUrl();
  }

  private static int compared(Answer answer) {
    var reports = answer.json().getJsonArray("reports");
    return IntStream.range(0, reports.size())
        .map(i -> reports.getJsonObject(i).getInteger("compared"))
        .sum();
  }

  /** Every second buyer who gets a unit cancels the order. */
  private static Future<Answer> buyOrRegret(Sale sale, Buyer buyer) {
    return sale.ordering(buyer, "", 1)
        .compose(
            answer ->
                answer.status() == 201 && answer.token().hashCode() % 2 == 0
                    ? sale.canceling(buyer, answer.token())
                    : Future.succeededFuture(answer));
  }
}
