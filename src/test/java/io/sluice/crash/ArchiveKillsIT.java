package io.sluice.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.kafka.GroupMembers;
import io.sluice.testkit.mysql.LedgerReader;
import io.sluice.testkit.mysql.LedgerReader.Stock;
import io.sluice.testkit.server.Backends;
import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Call;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * The one owner that moves orders to the archive, and forgets buyers, is killed at each step of it;
 * whoever comes next goes on where the last commit was.
 */
class ArchiveKillsIT {
  @RegisterExtension static final SaleSite site = SaleSite.withInstances(1).withFaults();

  private static final Duration LIMIT = Duration.ofSeconds(90);
  private static final int ORDERS = 6;

  /** All but the last two are in a transaction, of which nothing must remain. */
  private static final List<String> ARCHIVING =
      List.of(
          "ledger.archiveNext/add_archive_sums",
          "ledger.archiveNext/archive_holds",
          "ledger.archiveNext/delete_archived_holds",
          "ledger.archiveNext/count_archived",
          "ledger.archiveNext/keep_archive_job",
          "ledger.archiveNext/commit",
          "ledger.archiveNext/add_moved_units",
          "ledger.archiveNext/delete_moved_units",
          "ledger.archiveNext:after");

  private static final List<String> FORGETTING =
      List.of(
          "ledger.forgetNext/forget_archived_holds",
          "ledger.forgetNext/forget_archived_moves",
          "ledger.forgetNext/forget_archived_notes",
          "ledger.forgetNext/commit");

  @TempDir static Path folder;

  private static void end(Sale sale) {
    sale.close();
    await().atMost(LIMIT).until(() -> "ENDED".equals(sale.end().json().getString("state")));
  }

  @Test
  void shouldLoseAndDoubleNothingWhenItIsKilledAtEachStep() {
    // given
    Sale sale = site.sale().withStock(100).withBuckets(2).open();
    List<String> tokens =
        IntStream.range(0, ORDERS)
            .mapToObj(i -> sale.order(Buyer.named("buyer-" + i)).token())
            .toList();
    tokens.subList(0, 4).forEach(token -> assertThat(sale.pay(token).status()).isEqualTo(200));
    tokens.subList(4, ORDERS).forEach(token -> sale.tell(token, "/cancel", null));
    sale.refund(tokens.get(0));
    end(sale);
    // Three units have moved from the first bucket to the second one.
    change(
        "INSERT INTO restock_row (sku_id, row_token, bucket, qty, created_at, write_no)"
            + " VALUES (?, '!move-77#0', 0, -3, 1, 1), (?, '!move-77#1', 1, 3, 1, 1)",
        sale.skuId(),
        sale.skuId());
    change(
        "UPDATE inventory_bucket SET allotted = allotted + IF(bucket = 0, -3, 3) WHERE sku_id = ?",
        sale.skuId());
    List<String> before = tokens.stream().map(token -> sale.status(token).body()).toList();
    Stock stock = sale.ledger();
    Suspect worker = new Suspect(site, folder, "worker", Map.of());
    site.instance(0).terminate();
    change("INSERT INTO archive_job (sku_id, sale_no, due_at) VALUES (?, 0, 0)", sale.skuId());

    // when
    try (var group = new GroupMembers(Backends.shared().kafka().bootstrapServers(), site.group())) {
      for (String step : ARCHIVING) {
        worker.startToBeKilledAt(step, group, LIMIT);
        // then
        assertThat(sale.ledger()).as("after %s", step).isEqualTo(stock);
        assertThat(site.ledger().recomputed()).containsAll(site.ledger().counters());
      }
      start(worker, group);
      await().atMost(LIMIT).until(() -> isArchived(worker, sale));
      assertThat(site.ledger().recomputed()).containsAll(site.ledger().counters());
      assertThat(
              site.ledger()
                  .count("SELECT COUNT(*) FROM restock_row WHERE row_token LIKE '!move-77%'"))
          .isZero();

      // when
      worker.process().kill();
      change(
          "INSERT INTO forget_job (user_id, pseudonym) VALUES ('buyer-1', ?)", "forgotten-nobody");
      FORGETTING.forEach(step -> worker.startToBeKilledAt(step, group, LIMIT));
      start(worker, group);
    }

    // then
    await()
        .atMost(LIMIT)
        .until(
            () ->
                site.ledger().count("SELECT COUNT(*) FROM archive_hold WHERE user_id = 'buyer-1'")
                    == 0);
    Sale there = sale.at(worker.process());
    List<String> after = tokens.stream().map(token -> there.status(token).body()).toList();
    assertThat(there.status(tokens.get(1)).status()).isEqualTo(404);
    assertThat(after.subList(2, ORDERS)).isEqualTo(before.subList(2, ORDERS));
    assertThat(after.get(0)).isEqualTo(before.get(0));
    assertThat(site.ledger().orders(sale.skuId()))
        .filteredOn(order -> order.userId().equals("forgotten-nobody"))
        .extracting(LedgerReader.OrderRow::status)
        .containsExactly("CONFIRMED");
    assertThat(sale.ledger()).isEqualTo(stock);
    assertThat(site.ledger().orders(sale.skuId())).hasSize(ORDERS);
    assertThat(site.ledger().skusInDisagreement()).isZero();
    site.forget("buyer-1");
    worker.process().terminate();
    site.instance(0).start().awaitReady();
  }

  private static void start(Suspect worker, GroupMembers group) {
    worker.tell(List.of());
    group.evict();
    worker.process().start().awaitReady();
  }

  private static boolean isArchived(Suspect worker, Sale sale) {
    Answer answer =
        site.http()
            .ask(
                Call.post(worker.process().adminUrl() + "/admin/skus/" + sale.skuId() + "/archive")
                    .within(LIMIT));
    return "ARCHIVED".equals(answer.json().getString("state"));
  }

  private static void change(String sql, Object... parameters) {
    site.ledger().query(sql, row -> row, parameters);
  }
}
