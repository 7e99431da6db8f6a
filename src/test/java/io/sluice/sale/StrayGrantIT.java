package io.sluice.sale;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.Grants;
import io.sluice.model.OrderTokens;
import io.sluice.monitor.Alarm;
import io.sluice.orderlog.OrderLogCodec;
import io.sluice.testkit.register.Moves;
import io.sluice.testkit.register.Raises;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An instance is still connected to a Redis that was replaced, and its grants are in the log. */
class StrayGrantIT {
  @RegisterExtension static final SaleSite site = SaleSite.withInstances(1).withFaults();

  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final Pattern ALARM =
      Pattern.compile("ALARM: a Redis that was replaced.*instance-7.*0a1b2c3d");

  @Test
  @Raises(Alarm.STRAY_GRANTS)
  @Moves("sluice_ledger_stray_grants_total")
  void shouldDropTheGrantAndNameInstanceAndRedis() {
    // given
    Sale sale = site.sale().withStock(10).open();
    BucketId bucket = new BucketId(sale.skuId(), 0);

    // when
    site.topics()
        .write(
            site.ordersTopic(),
            (int) site.ledger().partition(bucket.skuId(), bucket.bucket()),
            record(bucket),
            "instance-7");

    // then
    await().atMost(LIMIT).until(() -> ALARM.matcher(site.instance(0).log()).find());
    assertThat(MetricsPage.value(site, "sluice_ledger_stray_grants_total")).isEqualTo(1);
    assertThat(sale.order(Buyer.named("alice")).brief()).isEqualTo("201 RESERVED");
    await().atMost(LIMIT).until(() -> sale.tokens("PENDING").count() == 1);
  }

  /** Of the epoch before the bucket was loaded, and of now. */
  private static String record(BucketId bucket) {
    long nowMs = Instant.now().toEpochMilli();
    var token = new OrderTokens(new byte[16]).tokenFor("zed", bucket, null);
    Grant stray = Grants.of(token, "zed", 1, 1, 1, nowMs, nowMs + 300_000);
    return new String(
        OrderLogCodec.encode(List.of(new Command.Reserve(stray, "0a1b2c3d", null))), UTF_8);
  }
}
