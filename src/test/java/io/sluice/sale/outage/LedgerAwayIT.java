package io.sluice.sale.outage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.sluice.sale.MetricsPage;
import io.sluice.sale.Newcomers;
import io.sluice.testkit.mysql.LedgerReader;
import io.sluice.testkit.mysql.MysqlBackend;
import io.sluice.testkit.register.Moves;
import io.sluice.testkit.server.ServerOptions;
import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Crowd;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The ledger takes no commands for longer than the backlog limit allows, or refuses a single
 * command.
 */
class LedgerAwayIT {
  private static final int LAG_LIMIT = 400;
  private static final int VISITORS = 20;

  /**
   * Orders in flight when the limit is reached, and what the backlog is overestimated by: it counts
   * records, times the orders that a record had lately.
   */
  private static final int SLACK = LAG_LIMIT / 4;

  /** The answer to a grant that is not durable in time, as on a machine that pauses: one round. */
  private static final String LATE = "503 unavailable";

  private static final String MALFORMED = "sluice_ledger_dead_commands_total{cause=\"malformed\"}";
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Buyer ALICE = Buyer.named("alice");
  private static final Buyer BOB = Buyer.named("bob");

  @RegisterExtension
  static final SaleSite site =
      SaleSite.withInstances(1)
          .withFaults()
          .withServersOfItsOwn(
              ServerOptions.none()
                  // All tables in one file, which must not grow.
                  .withMysql("innodb-file-per-table", "0")
                  .withMysql("innodb-data-file-path", "ibdata1:12M:autoextend:max:48M"))
          .setting("SLUICE_KAFKA_LAG_LIMIT", LAG_LIMIT)
          .setting("SLUICE_MYSQL_TIMEOUT_MS", 2_000);

  private final Newcomers newcomers = new Newcomers();

  /** Why the ledger takes no commands. */
  enum Trouble {
    KILLED {
      @Override
      void begin() {
        mysql().kill();
      }

      @Override
      void end() {
        mysql().start();
      }
    },
    SILENT {
      @Override
      void begin() {
        mysql().pause();
      }

      @Override
      void end() {
        mysql().resume();
      }
    },
    READ_ONLY {
      @Override
      void begin() {
        mysql().administer("SET GLOBAL read_only = 1");
      }

      @Override
      void end() {
        mysql().administer("SET GLOBAL read_only = 0");
      }
    },
    DISK_FULL {
      private LedgerReader.Held reserve;

      @Override
      void begin() {
        // A table cannot be dropped while the file is full, since there is no room for undo log:
        // rolling this transaction back frees some.
        site.ledger().query("CREATE TABLE reserve (filling LONGBLOB) ENGINE = InnoDB", row -> row);
        reserve = site.ledger().hold("INSERT INTO reserve VALUES (REPEAT('x', 3000000))");
        mysql().administer("CREATE TABLE mysql.filler (filling LONGBLOB) ENGINE = InnoDB");
        for (int bytes : List.of(4_000_000, 400_000, 40_000, 7_000)) {
          fillWith(bytes);
        }
      }

      private static void fillWith(int bytes) {
        try {
          for (int row = 0; row < 10_000; row++) {
            mysql().administer("INSERT INTO mysql.filler VALUES (REPEAT('x', " + bytes + "))");
          }
        } catch (RuntimeException full) {
          assertThat(full).hasMessageContaining("full");
        }
      }

      @Override
      void end() {
        reserve.close();
        mysql().administer("DROP TABLE mysql.filler");
      }
    };

    abstract void begin();

    abstract void end();

    static MysqlBackend mysql() {
      return site.backends().mysql();
    }
  }

  @ParameterizedTest
  @EnumSource(Trouble.class)
  @Moves("sluice_log_backlog_orders")
  void shouldSellUpToTheBacklogLimitWhenTheLedgerTakesNothing(Trouble trouble) {
    // given
    assumeThat(Trouble.mysql().killable()).isTrue();
    Sale sale = site.sale().withStock(10_000).withBuckets(4).open();
    String early = sale.order(ALICE).token();
    await().atMost(LIMIT).until(() -> sale.status(ALICE, early).brief().equals("200 PENDING"));
    // After these requests every event loop knows the SKU.
    site.crowd(VISITORS).send(newcomers.orders(sale, 2 * VISITORS));
    double deadBefore = deadCommands();
    List<Answer> meanwhile = new ArrayList<>();

    // when
    trouble.begin();
    try {
      await()
          .atMost(LIMIT)
          .until(
              () -> {
                meanwhile.addAll(site.crowd(VISITORS).send(newcomers.orders(sale, 100)));
                return Crowd.tally(meanwhile).containsKey("503 busy");
              });
      assertThat(backlog()).isLessThanOrEqualTo(LAG_LIMIT + SLACK);
    } finally {
      trouble.end();
    }

    // then
    Map<String, Long> tally = Crowd.tally(meanwhile);
    assertThat(tally).containsKeys("201 RESERVED", "503 busy");
    assertThat(tally.keySet()).isSubsetOf("201 RESERVED", "503 busy", LATE);
    assertThat(tally.getOrDefault(LATE, 0L)).as("late grants").isLessThanOrEqualTo(VISITORS);
    assertThat(meanwhile).filteredOn(Answer::isYes).hasSizeGreaterThan(LAG_LIMIT / 2);
    assertThat(meanwhile)
        .filteredOn(answer -> answer.status() == 503)
        .allSatisfy(busy -> assertThat(busy.header("retry-after")).isNotNull());
    sale.awaitBooked(Newcomers.yeses(meanwhile));
    assertThat(sale.tokens("REJECTED")).isEmpty();
    assertThat(deadCommands()).isEqualTo(deadBefore);
    await().atMost(LIMIT).until(() -> sale.pay(early).brief().equals("200 CONFIRMED"));
    await().atMost(LIMIT).until(() -> newcomers.brief(sale).equals("201 RESERVED"));
  }

  @Test
  @Moves("sluice_ledger_dead_commands_total")
  void shouldDeadLetterAPoisonCommandAlone() {
    // given
    Sale sale = site.sale().withStock(10).open();
    String alices = sale.order(ALICE).token();
    String bobs = sale.order(BOB).token();
    await().atMost(LIMIT).until(() -> sale.tokens("PENDING").count() == 2);
    double deadBefore = deadCommands();
    double malformedBefore = MetricsPage.value(site, MALFORMED);

    // when
    site.topics()
        .write(
            site.ordersTopic(),
            partitionOf(alices),
            List.of(
                record(confirm(alices), "17", tooMany(alices), command("EXPLODE", alices)),
                "{{ no JSON",
                record("{\"type\":\"REFUND\"}", confirm(bobs))));

    // then
    await().atMost(LIMIT).until(() -> sale.tokens("CONFIRMED").count() == 2);
    await().atMost(LIMIT).until(() -> deadCommands() == deadBefore + 5);
    assertThat(MetricsPage.value(site, MALFORMED)).isGreaterThanOrEqualTo(malformedBefore + 4);
    await()
        .atMost(LIMIT)
        .untilAsserted(
            () ->
                assertThat(site.topics().all(site.ordersTopic() + "-dead"))
                    .extracting(letter -> letter.json().getString("raw"))
                    .contains("17", tooMany(alices), command("EXPLODE", alices), "{{ no JSON"));
    await().atMost(LIMIT).until(() -> newcomers.brief(sale).equals("201 RESERVED"));
  }

  private static String record(String... commands) {
    return "{\"v\":1,\"commands\":[" + String.join(",", commands) + "]}";
  }

  private static String command(String type, String token) {
    return "{\"type\":\"%s\",\"order_token\":\"%s\"}".formatted(type, token);
  }

  private static String confirm(String token) {
    return command("CONFIRM", token);
  }

  private static String tooMany(String token) {
    String[] fields = token.split("\\.", 3);
    return """
    {"type":"RESERVE","order_token":"%s","sku_id":%s,"bucket":%s,"qty":1001,"user_id":"alice",\
    "seq":1,"epoch":1,"granted_at":1,"pay_before":1}\
    """
        .formatted(token, fields[0], fields[1]);
  }

  private static int partitionOf(String token) {
    return site.ledger()
        .query(
            "SELECT partition_id FROM orders WHERE order_token = ?",
            row -> row.getInteger(0),
            token)
        .get(0);
  }

  private static double deadCommands() {
    return MetricsPage.value(site, "sluice_ledger_dead_commands_total");
  }

  private static double backlog() {
    return MetricsPage.value(site, "sluice_log_backlog_orders");
  }
}
