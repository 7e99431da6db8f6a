package io.sluice.sale;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.server.ServerOptions;
import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Call;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.sluice.testkit.site.SluiceProcess;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * "Ready" includes ownership: on a broker that takes six seconds (three by default) before it gives
 * a new group its partitions, SKUs are created and sold at once after readiness, also while another
 * instance joins.
 */
class JoinIT {
  @RegisterExtension
  static final SaleSite site =
      SaleSite.withInstances(0)
          .withFaults()
          .withServersOfItsOwn(
              ServerOptions.none().withKafka("group.initial.rebalance.delay.ms", "6000"));

  private static final Duration WATCHED = Duration.ofSeconds(10);

  /** Measured: 0.2 s with a running owner, up to 0.6 s while the partition is moving. */
  private static final Duration PUT_MAX = Duration.ofSeconds(4);

  private record Seen(long atMs, Answer put, Answer order) {
    @Override
    public String toString() {
      return "at %d ms: PUT %d in %d ms, order %s in %d ms"
          .formatted(
              atMs, put.status(), put.took().toMillis(), order.brief(), order.took().toMillis());
    }
  }

  @Test
  void shouldSellNewSkusAtOnceWhenASecondInstanceJoinsTheFirst() {
    // given
    SluiceProcess first = site.newInstance(Map.of()).start().awaitReady();

    // when
    List<Seen> seen = new ArrayList<>(List.of(look(first, System.nanoTime())));
    SluiceProcess second = site.newInstance(Map.of()).start();
    seen.addAll(lookWhileJoining(first));
    second.awaitReady();
    seen.add(look(second, System.nanoTime()));

    // then
    String table = seen.stream().map(Seen::toString).collect(Collectors.joining("\n", "\n", "\n"));
    assertThat(seen)
        .as(table)
        .allMatch(one -> one.put().status() == 201 && one.order().status() == 201)
        .allMatch(one -> one.put().took().compareTo(PUT_MAX) < 0);
    assertThat(second.log()).as(table).contains("partition taken over");
  }

  private static List<Seen> lookWhileJoining(SluiceProcess first) {
    List<Seen> seen = new ArrayList<>();
    long startNs = System.nanoTime();
    while (System.nanoTime() - startNs < WATCHED.toNanos()) {
      seen.add(look(first, startNs));
    }
    return seen;
  }

  private static Seen look(SluiceProcess desk, long startNs) {
    Sale sale = site.known(site.newSkuId()).at(desk);
    long atMs = Duration.ofNanos(System.nanoTime() - startNs).toMillis();
    Call put =
        Call.put(desk.adminUrl() + "/admin/skus/" + sale.skuId())
            .json(new JsonObject().put("total_stock", 5));
    return new Seen(atMs, site.http().ask(put), sale.order(Buyer.named("alice")));
  }
}
