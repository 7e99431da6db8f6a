package io.sluice.sale.outage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.fault.FaultProxy;
import io.sluice.testkit.kafka.GroupMembers;
import io.sluice.testkit.mysql.MysqlBackend;
import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.sluice.testkit.site.SluiceProcess;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An instance that cannot reach a store leaves its partitions to one that can. */
class CutOffIT {
  @RegisterExtension static final SaleSite site = SaleSite.withInstances(1).withFaults();

  private static final Duration LIMIT = Duration.ofSeconds(45);

  /** Until an instance that cannot use a store has given its partitions up. */
  private static final Duration GIVEN_UP_WITHIN = Duration.ofSeconds(15);

  @Test
  void shouldLeaveItsPartitionsToTheOtherWhenItIsCutOffFromTheLedger() {
    FaultProxy ledger = FaultProxy.inFrontOf(site.setting("SLUICE_MYSQL_URI"));
    try {
      // given
      SluiceProcess cut =
          site.newInstance(Map.of("SLUICE_MYSQL_URI", ledger.uri())).start().awaitReady();
      Sale sale = site.sale().withStock(1_000).withBuckets(16).open();
      await().atMost(LIMIT).until(() -> cut.log().contains("partition taken over"));

      // when
      ledger.refuse();
      ledger.cut();
      long startNs = System.nanoTime();
      List<String> tokens = orders(sale, "meanwhile-");
      awaitGivenUp(cut, startNs);

      // then
      sale.awaitBooked(tokens);

      // and when
      long takenBefore = takenOver(cut);
      ledger.heal();

      // then
      await().atMost(LIMIT).until(() -> takenOver(cut) > takenBefore);
      List<String> later = orders(sale, "later-");
      sale.awaitBooked(later);
      cut.terminate();
    } finally {
      ledger.close();
    }
  }

  @Test
  void shouldLeaveItsPartitionsToTheOtherWhenItCanReadTheLedgerAndNotWrite() {
    // given
    MysqlBackend mysql = site.backends().mysql();
    assumeThat(mysql.killable())
        .as("started by the tests, so its settings can be changed")
        .isTrue();
    URI ofSite = URI.create(site.setting("SLUICE_MYSQL_URI"));
    String database = ofSite.getPath().substring(1);
    letWriteAlways(mysql, database);
    site.instance(0).restart();
    String plain = "plain_" + database;
    mysql.administer(
        "CREATE USER '%s'@'%%' IDENTIFIED BY 'plain'".formatted(plain),
        "GRANT ALL ON %s.* TO '%s'@'%%'".formatted(database, plain));
    String uri =
        "mysql://%s:plain@%s:%d/%s".formatted(plain, ofSite.getHost(), ofSite.getPort(), database);
    SluiceProcess cut = site.newInstance(Map.of("SLUICE_MYSQL_URI", uri)).start().awaitReady();
    Sale sale = site.sale().withStock(1_000).withBuckets(16).open();
    await().atMost(LIMIT).until(() -> cut.log().contains("partition taken over"));

    // when
    mysql.administer("SET GLOBAL read_only = 1");
    long startNs = System.nanoTime();
    try {
      List<String> tokens = orders(sale, "unwritten-");
      awaitGivenUp(cut, startNs);

      // then
      sale.awaitBooked(tokens);
    } finally {
      mysql.administer("SET GLOBAL read_only = 0");
    }

    // and when
    long takenBefore = takenOver(cut);

    // then
    await().atMost(LIMIT).until(() -> takenOver(cut) > takenBefore);
    cut.terminate();
  }

  /** Gives the user the privilege to write despite read_only; it has another name on MySQL. */
  private static void letWriteAlways(MysqlBackend mysql, String user) {
    try {
      mysql.administer("GRANT READ ONLY ADMIN ON *.* TO '%s'@'%%'".formatted(user));
    } catch (RuntimeException unknown) {
      mysql.administer("GRANT CONNECTION_ADMIN ON *.* TO '%s'@'%%'".formatted(user));
    }
  }

  /** The other instance then owns them all; a member that left is out of the group at once. */
  private static void awaitGivenUp(SluiceProcess cut, long startNs) {
    Duration left = GIVEN_UP_WITHIN.minusNanos(System.nanoTime() - startNs);
    try (var group = new GroupMembers(site.backends().kafka().bootstrapServers(), site.group())) {
      await().atMost(left).until(() -> group.owners() == 1);
    }
    assertThat(cut.log()).contains("this instance leaves the group");
  }

  private static long takenOver(SluiceProcess instance) {
    return instance.log().lines().filter(line -> line.contains("partition taken over")).count();
  }

  /**
   * Enough orders that each partition has some; granted by the instance that reaches all stores.
   */
  private static List<String> orders(Sale sale, String prefix) {
    return IntStream.range(0, 60)
        .mapToObj(i -> sale.at(site.instance(0)).order(Buyer.named(prefix + i)))
        .filter(Answer::isYes)
        .map(Answer::token)
        .toList();
  }
}
