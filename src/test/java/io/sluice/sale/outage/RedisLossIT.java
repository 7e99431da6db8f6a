package io.sluice.sale.outage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.sluice.sale.Insistence;
import io.sluice.testkit.redis.RedisBackend;
import io.sluice.testkit.redis.RedisPair;
import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Crowd;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Redis loses or reverts its data in the middle of two sales. */
class RedisLossIT {
  @RegisterExtension
  static final SaleSite site = SaleSite.withInstances(2).withFaults().withRedisBehindProxy();

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Duration REOPENED_WITHIN = Duration.ofSeconds(15);
  private static final int UNITS = 900;
  private static final int BUYERS = 1_400;
  private static final int VISITORS = 12;

  /** The recommended time after which a primary without its replica stops taking writes. */
  private static final Duration REPLICA_LAG = Duration.ofSeconds(2);

  private static RedisPair pair;

  private Sale plain;
  private Sale limited;
  private Insistence onPlain;
  private Insistence onLimited;

  /** What happens to the data: each is prepared first, and then strikes. */
  enum Loss {
    EMPTY {
      @Override
      void strike(RedisLossIT test) {
        redis().kill();
        redis().wipe();
        redis().start();
      }
    },
    OLD_FILE {
      private Path old;

      @Override
      void prepare(RedisLossIT test) {
        old = redis().saveAppendOnlyFile();
      }

      @Override
      void strike(RedisLossIT test) {
        redis().kill();
        redis().restoreAppendOnlyFile(old);
        redis().start();
      }
    },
    REPLICA_BEHIND {
      @Override
      void prepare(RedisLossIT test) {
        test.pairUp();
      }

      @Override
      void strike(RedisLossIT test) {
        test.leaveTheReplicaBehind();
        redis().kill();
        pair.promoteReplica();
        site.redisProxy().aimAt(pair.replica().uri());
      }
    },
    DEMOTED_AND_PROMOTED_BACK {
      @Override
      void prepare(RedisLossIT test) {
        test.pairUp();
      }

      @Override
      void strike(RedisLossIT test) {
        test.leaveTheReplicaBehind();
        pair.demoteAndPromoteBack();
      }
    };

    void prepare(RedisLossIT test) {}

    /** Returns when a Redis is serving again. */
    abstract void strike(RedisLossIT test);

    static RedisBackend redis() {
      return site.backends().redis();
    }
  }

  @BeforeEach
  void openTwoSales() {
    assumeThat(Loss.redis().killable()).isTrue();
    endPair();
    site.awaitReady();
    plain = site.sale().withStock(UNITS).open();
    limited = site.sale().withStock(UNITS).withLimit(1).open();
    onPlain = Insistence.of(site, plain, BUYERS, VISITORS);
    onLimited = Insistence.of(site, limited, BUYERS, VISITORS);
    awaitYeses(100);
  }

  /** Restores the shared Redis for the next test class. */
  @AfterAll
  static void endPair() {
    if (pair != null) {
      if (!Loss.redis().running()) {
        Loss.redis().start();
      }
      site.redisProxy().aimAt(Loss.redis().uri());
      pair.close();
      pair = null;
    }
  }

  @ParameterizedTest
  @EnumSource(Loss.class)
  void shouldKeepEveryYesWhenRedisLosesData(Loss loss) {
    // given
    loss.prepare(this);
    awaitYeses(350);

    // when
    loss.strike(this);

    // then
    awaitOpen();
    assertServed(onPlain);
    assertServed(onLimited);
    assertThat(onPlain.heard()).extracting(Answer::status).contains(503);
    assertThat(onLimited.heard()).extracting(Answer::status).contains(503);
    assertThat(site.reconciled())
        .allSatisfy(report -> assertThat(report.getInteger("drift")).isZero());
  }

  @Test
  void shouldLeaveTheOtherSaleAloneWhenOneSkuIsRebuilt() {
    // given
    int unanswered = waits(onLimited);

    // when
    Answer rebuilt = plain.rebuild();

    // then
    assertThat(rebuilt.status()).isEqualTo(200);
    assertThat(waits(onLimited)).isEqualTo(unanswered);
    assertServed(onPlain);
    assertServed(onLimited);
    assertThat(onPlain.heard()).extracting(Answer::brief).contains("503 busy");
  }

  /** The first replica changes the replication id, so all buckets are reloaded. */
  private void pairUp() {
    assumeThat(Loss.redis().replicable()).as("a second Redis can be started").isTrue();
    pair = RedisPair.of(Loss.redis(), REPLICA_LAG);
    awaitOpen();
  }

  /** Grants made before the primary notices are missing in the replica. */
  private void leaveTheReplicaBehind() {
    int before = Math.min(onPlain.yeses(), onLimited.yeses());
    pair.cutOff();
    awaitYeses(before + 10);
  }

  private void awaitOpen() {
    await()
        .atMost(REOPENED_WITHIN)
        .pollInterval(Duration.ofMillis(100))
        .untilAsserted(() -> assertThat(buckets()).hasSize(2).containsOnly("OK"));
  }

  private void awaitYeses(int count) {
    await()
        .atMost(LIMIT)
        .pollInterval(Duration.ofMillis(5))
        .until(() -> onPlain.yeses() >= count && onLimited.yeses() >= count);
  }

  private List<String> buckets() {
    return List.of(plain, limited).stream()
        .flatMap(sale -> sale.look().json().getJsonArray("per_bucket").stream())
        .map(bucket -> ((JsonObject) bucket).getJsonObject("redis").getString("code"))
        .toList();
  }

  /** All units are sold, each once, and no request got an answer other than yes, no or wait. */
  private static void assertServed(Insistence insistence) {
    Map<String, Long> last = Crowd.tally(Crowd.await(insistence.done()));
    assertThat(last.keySet()).allMatch(brief -> brief.matches("20[01] .*|409 sold-out"));
    assertThat(insistence.heard())
        .filteredOn(answer -> answer.status() == 503)
        .allSatisfy(wait -> assertThat(wait.header("retry-after")).isNotNull());
    assertThat(insistence.heard()).allMatch(Answer::came);
    assertThat(insistence.tokens()).hasSize(UNITS);
    assertThat(site.crowd(VISITORS).send(insistence.again()))
        .allSatisfy(again -> assertThat(again.status()).isEqualTo(200))
        .extracting(Answer::token)
        .containsExactlyInAnyOrderElementsOf(insistence.tokens().values());
  }

  private static int waits(Insistence insistence) {
    return (int) insistence.heard().stream().filter(answer -> answer.status() == 503).count();
  }
}
