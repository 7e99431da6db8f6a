package io.sluice.sale;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.sluice.auth.TokenSigner;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.Grants;
import io.sluice.model.Limits;
import io.sluice.model.OrderToken;
import io.sluice.model.OrderTokens;
import io.sluice.monitor.Alarm;
import io.sluice.orderlog.OrderLogCodec;
import io.sluice.testkit.kafka.KafkaBackend;
import io.sluice.testkit.register.Moves;
import io.sluice.testkit.register.Raises;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.sluice.testkit.site.SluiceProcess;
import io.sluice.testkit.site.SluiceProcess.TestMain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Alarms that no other test provokes on a running instance, each by breaking what it watches. */
class AlarmsIT {
  @RegisterExtension
  static final SaleSite site =
      SaleSite.withInstances(1)
          .withFaults()
          .withTamperedBooks()
          .setting("SLUICE_RECONCILE_INTERVAL_MS", 86_400_000)
          .setting("SLUICE_RESERVATION_DIRECT_PER_S", 50);

  private static final Duration LIMIT = Duration.ofSeconds(40);
  private static final Buyer ALICE = Buyer.named("alice");

  @TempDir Path folder;

  private final Newcomers newcomers = new Newcomers();

  @Test
  @Raises(Alarm.SEQ_GRANTED_TWICE)
  void shouldDeadLetterTheSecondOrderThatClaimsASeq() {
    // given
    Sale sale = site.sale().withStock(10).open();
    String alices = sale.order(ALICE).token();
    await().atMost(LIMIT).until(() -> sale.tokens("PENDING").count() == 1);

    // when
    log(sale, grant(sale, "twin", 1, epoch(sale)));

    // then
    await().atMost(LIMIT).until(() -> epoch(sale) > 1 && newcomers.brief(sale).startsWith("201"));
    assertThat(sale.tokens("PENDING")).contains(alices);
    assertThat(token(sale, "twin").value()).isNotIn(sale.tokens("PENDING", "REJECTED").toList());
  }

  @Test
  @Raises(Alarm.EPOCH_AHEAD)
  void shouldBookAGrantOfAnEpochThatTheLedgerHasForgotten() {
    // given
    Sale sale = site.sale().withStock(10).open();
    long epoch = epoch(sale);

    // when
    log(sale, grant(sale, "early", 1, epoch + 3));

    // then
    String early = token(sale, "early").value();
    await().atMost(LIMIT).until(() -> sale.tokens("PENDING").anyMatch(early::equals));
    await().atMost(LIMIT).until(() -> epoch(sale) > epoch + 3);
  }

  @Test
  @Moves("sluice_ledger_stale_grants_total")
  void shouldCountAGrantOfAnOlderEpoch() {
    // given
    Sale sale = site.sale().withStock(10).open();
    long epoch = epoch(sale);
    assertThat(sale.rebuild().status()).isEqualTo(200);
    await().atMost(LIMIT).until(() -> epoch(sale) > epoch);

    // when
    log(sale, grant(sale, "late", 1, epoch));

    // then
    await()
        .atMost(LIMIT)
        .until(() -> MetricsPage.value(site, "sluice_ledger_stale_grants_total") > 0);
    assertThat(sale.tokens("PENDING")).isEmpty();
  }

  @Test
  @Raises(Alarm.SWEPT_GRANT_REFUSED)
  void shouldRejectAGrantOfRedisThatTheLedgerCannotStore() {
    // given
    Sale sale = site.sale().withStock(10).open();
    Grant flawed = grant(sale, "x".repeat(Limits.USER_ID_MAX + 1), 1, epoch(sale));

    // when
    site.stock().plantGrant(flawed);

    // then
    await()
        .atMost(LIMIT)
        .until(() -> sale.tokens("REJECTED").anyMatch(flawed.token().value()::equals));
    assertThat(sale.order(ALICE).brief()).isEqualTo("201 RESERVED");
  }

  @Test
  @Raises(Alarm.DIRECT_BOOKING_UNSOUND)
  void shouldRebuildTheBucketWhenTheGateHasNoRoomForABookingPastTheLog() {
    // given
    KafkaBackend broker = site.backends().kafka();
    assumeThat(broker.killable()).isTrue();
    Sale sale = site.sale().withStock(1_000).open();
    sale.order(ALICE);
    await().atMost(LIMIT).until(() -> sale.tokens("PENDING").count() == 1);
    tamper("UPDATE inventory_bucket SET allotted = 1 WHERE sku_id = " + sale.skuId());

    // when
    broker.pause();
    try {
      await()
          .atMost(LIMIT)
          .until(
              () -> {
                newcomers.brief(sale);
                return site.instance(0).log().contains(Alarm.DIRECT_BOOKING_UNSOUND.text());
              });
    } finally {
      broker.resume();
    }

    // then
    tamper("UPDATE inventory_bucket SET allotted = 1000 WHERE sku_id = " + sale.skuId());
    await().atMost(LIMIT).until(() -> sale.rebuild().status() == 200);
    await().atMost(LIMIT).until(() -> newcomers.brief(sale).startsWith("201"));
  }

  @Test
  @Raises(Alarm.KEYS_UNREADABLE)
  void shouldKeepTheFormerKeysWhenTheFileIsNoSetOfKeys() throws IOException {
    // given
    TokenSigner signer = TokenSigner.ec();
    Path keys = folder.resolve("keys.json");
    Files.writeString(keys, TokenSigner.jwks(signer.jwk("only")));
    SluiceProcess instance =
        site.newInstance(
                Map.of(
                    "SLUICE_AUTH_MODE", "jwt",
                    "SLUICE_AUTH_JWKS_FILE", keys.toString(),
                    "SLUICE_AUTH_ISSUER", "https://issuer.example",
                    "SLUICE_AUTH_AUDIENCE", "sluice"))
            .start()
            .awaitReady();

    // when
    Path broken = Files.writeString(folder.resolve("broken.json"), "{\"keys\":");
    Files.move(broken, keys, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);

    // then
    await().atMost(LIMIT).until(() -> instance.log().contains(Alarm.KEYS_UNREADABLE.text()));
    assertThat(instance.readiness().status()).isEqualTo(200);
    instance.terminate();
  }

  @Test
  @Raises(Alarm.CLOCK_SKEW)
  @Moves("sluice_clock_skew_seconds")
  void shouldSayWhichClocksAreBehindTheLedgers() {
    // given
    SluiceProcess instance =
        site.newInstance(Map.of(), new TestMain(FastLedgerMain.class, Map.of()));

    // when
    instance.start().awaitReady();

    // then
    double behind = -FastLedgerMain.AHEAD.toSeconds();
    for (String part : List.of("redis", "instance")) {
      String skew = "sluice_clock_skew_seconds{part=\"" + part + "\"}";
      await()
          .atMost(LIMIT)
          .until(() -> Math.abs(MetricsPage.of(site, instance).value(skew) - behind) < 1);
    }
    instance.terminate();
  }

  private static void log(Sale sale, Grant grant) {
    String record =
        new String(OrderLogCodec.encode(List.of(new Command.Reserve(grant, null))), UTF_8);
    int partition = (int) site.ledger().partition(sale.skuId(), 0);
    site.topics().write(site.ordersTopic(), partition, record);
  }

  private static OrderToken token(Sale sale, String buyer) {
    return new OrderTokens(new byte[16]).tokenFor(buyer, new BucketId(sale.skuId(), 0), null);
  }

  private static Grant grant(Sale sale, String buyer, long seq, long epoch) {
    long nowMs = Instant.now().toEpochMilli();
    return Grants.of(token(sale, buyer), buyer, 1, seq, epoch, nowMs, nowMs + 300_000);
  }

  private static long epoch(Sale sale) {
    return sale.look()
        .json()
        .getJsonArray("per_bucket")
        .getJsonObject(0)
        .getJsonObject("redis")
        .getLong("epoch", -1L);
  }

  private static void tamper(String sql) {
    site.ledger().query(sql, row -> row);
  }
}
