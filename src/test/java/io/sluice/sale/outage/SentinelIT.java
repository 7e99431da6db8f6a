package io.sluice.sale.outage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.sluice.sale.Insistence;
import io.sluice.testkit.redis.RedisBackend;
import io.sluice.testkit.redis.RedisSentinel;
import io.sluice.testkit.server.ServerOptions;
import io.sluice.testkit.site.Crowd;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.sluice.testkit.site.SluiceProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A sale on a Redis with a replica, which three sentinels watch. Either takes writes only while the
 * other follows it. The fail-overs are decided by the sentinels; the test only kills and restarts.
 */
class SentinelIT {
  @RegisterExtension
  static final SaleSite site =
      SaleSite.withInstances(0)
          .withFaults()
          .withRedisBehindProxy()
          .withServersOfItsOwn(
              ServerOptions.none()
                  .withRedis("min-replicas-to-write", "1")
                  .withRedis("min-replicas-max-lag", "2")
                  .withRedis("repl-diskless-sync-delay", "0"));

  private static final String MASTER = "sale";
  private static final Duration LIMIT = Duration.ofSeconds(90);

  /** More than buyers: one whose bucket is empty is told busy until all buckets are. */
  private static final int UNITS = 3_000;

  private static final int BUYERS = 2_000;
  private static final int VISITORS = 12;

  private static final List<RedisSentinel> SENTINELS = new ArrayList<>();
  private static RedisBackend primary;
  private static RedisBackend replica;

  @BeforeAll
  static void startSentinels() {
    primary = site.backends().redis();
    assumeThat(primary.watchable()).as("sentinels of %s", primary.describe()).isTrue();
    replica = primary.startReplica(primary.uri());
    eventually("the replica follows").until(() -> replica.follows() && primary.goodReplicas() > 0);
    for (int i = 0; i < 3; i++) {
      SENTINELS.add(primary.startSentinel(MASTER, 2));
    }
    awaitKnown();
    Map<String, String> settings =
        Map.of(
            "SLUICE_REDIS_MODE",
            "sentinel",
            "SLUICE_REDIS_URI",
            "redis://127.0.0.1:6379",
            "SLUICE_REDIS_URIS",
            SENTINELS.stream().map(RedisSentinel::uri).collect(Collectors.joining(",")),
            "SLUICE_REDIS_MASTER",
            MASTER);
    for (int i = 0; i < 2; i++) {
      site.newInstance(settings).start();
    }
    site.awaitReady();
  }

  @AfterAll
  static void endAll() {
    site.instances().forEach(SluiceProcess::close);
    SENTINELS.forEach(RedisSentinel::close);
    if (replica != null) {
      replica.close();
    }
  }

  @Test
  void shouldSellOnWhereTheSentinelsPromoteAfterOneOfThemAndThePrimaryAreKilled() {
    // given
    Sale sale = site.sale().withStock(UNITS).withBuckets(4).open();
    Insistence buyers = inTheMiddleOf(sale);
    SENTINELS.get(0).kill();

    // when
    primary.kill();
    awaitPromotion();
    primary.start();

    // then
    swap();
    assertThatAllHaveTheirOrder(sale, buyers);
    SENTINELS.get(0).start();
    awaitKnown();
  }

  @Test
  void shouldLeaveAPrimaryThatStoodStillUntilAnotherWasPromoted() {
    // given
    Sale sale = site.sale().withStock(UNITS).withBuckets(4).open();
    Insistence buyers = inTheMiddleOf(sale);

    // when
    primary.pause();
    awaitPromotion();
    primary.resume();

    // then
    swap();
    assertThatAllHaveTheirOrder(sale, buyers);
  }

  private static Insistence inTheMiddleOf(Sale sale) {
    Insistence buyers = Insistence.of(site, sale, BUYERS, VISITORS);
    await().atMost(LIMIT).until(() -> buyers.yeses() > 200);
    return buyers;
  }

  private static void assertThatAllHaveTheirOrder(Sale sale, Insistence buyers) {
    Map<String, Long> last = Crowd.tally(Crowd.await(buyers.done()));
    assertThat(last.keySet()).allMatch(brief -> brief.matches("20[01] .*"));
    assertThat(buyers.yeses()).isEqualTo(BUYERS);
    sale.awaitBooked(buyers.tokens().values());
  }

  /** A Redis that sentinels give another role to ends its connections, and is asked again. */
  private static ConditionFactory eventually(String what) {
    return await(what).atMost(LIMIT).ignoreExceptions();
  }

  private static void awaitKnown() {
    eventually("each sentinel knows the replica and the others")
        .until(() -> SENTINELS.stream().allMatch(one -> one.knows(MASTER).equals("1:3")));
  }

  private static void awaitPromotion() {
    eventually("the replica is promoted").until(() -> !replica.follows() && isPrimary());
  }

  private static boolean isPrimary() {
    return replica.administer("ROLE").equals("*3");
  }

  /** The promoted one takes writes once sentinels have made the other its replica. */
  private static void swap() {
    RedisBackend old = primary;
    primary = replica;
    replica = old;
    eventually("the old primary follows").until(replica::follows);
    site.redisProxy().aimAt(primary.uri());
  }
}
