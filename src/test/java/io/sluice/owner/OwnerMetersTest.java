package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.LedgerUnavailableException;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.orderlog.LogBatch;
import io.sluice.orderlog.LogBatch.LogRecord;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is measured of a partition by its owner. */
class OwnerMetersTest {
  private static final String RECORD_AGE = "sluice_log_partition_age_seconds";
  private static final String UNBOOKED_AGE = "sluice_unbooked_age_seconds";
  private static final String FROZEN = "sluice_skus_frozen";

  private static final int MANY = 400;

  private final OwnerScene scene = OwnerScene.withStock(10);

  private double gauge(String name) {
    return scene.meters.gauge(name);
  }

  private void poll(Grant grant) {
    Command reserve = new Command.Reserve(grant, null);
    LogRecord entry = new LogRecord(0, scene.clock.millis(), true, List.of(reserve));
    scene.owner.polled(new LogBatch(OwnerScene.PARTITION, 0, 1, List.of(entry)));
  }

  @Test
  void shouldShowHowLongARecordWaitsWhileTheLedgerIsAway() {
    // given
    Grant grant = scene.grant("alice", 1);
    scene.calls.fail("apply", new LedgerUnavailableException("away", null));

    // when
    poll(grant);
    scene.advance(Duration.ofSeconds(3));
    double waiting = gauge(RECORD_AGE);
    scene.calls.instead.remove("apply");
    scene.advance(Duration.ofSeconds(30));

    // then
    assertThat(waiting).isEqualTo(3);
    assertThat(scene.isBooked("alice")).isTrue();
    assertThat(gauge(RECORD_AGE)).isZero();
  }

  @Test
  void shouldShowNothingOfAPartitionThatItNoLongerOwns() {
    // given
    Grant grant = scene.grant("alice", 1);
    scene.calls.fail("apply", new LedgerUnavailableException("away", null));
    poll(grant);
    scene.advance(Duration.ofSeconds(3));

    // when
    scene.owner.stop();

    // then
    assertThat(gauge(RECORD_AGE)).isZero();
  }

  @Test
  void shouldShowHowOldAGrantIsThatTheLogDoesNotBring() {
    // given
    scene.grant("alice", 1);
    scene.advance(Duration.ofSeconds(7));

    // when
    scene.owner.watchBuckets();
    double overdue = gauge(UNBOOKED_AGE);
    scene.settle();

    // then
    assertThat(overdue).isEqualTo(7);
    assertThat(scene.isBooked("alice")).isTrue();
    assertThat(gauge(UNBOOKED_AGE)).isZero();
  }

  @ParameterizedTest
  @CsvSource({"0,1,withheld", "0,-1,missing", "1,0,total"})
  void shouldCountDriftByItsKind(long total, long claimed, String kind) {
    // given
    scene.placed("alice", 3);
    scene.work();
    scene.stock.plant(OwnerScene.BUCKET, total, claimed, 0, 0);

    // when
    scene.owner.reconcile();

    // then
    assertThat(scene.meters.counter("sluice_drift", "kind", kind)).isEqualTo(1);
  }

  @Test
  void shouldHaveNoMoreSeriesForHundredsOfBuckets() {
    // given
    int series = scene.meters.series();

    // when
    scene.addSku(MANY);

    // then
    assertThat(scene.meters.times("sluice_rebuild")).isEqualTo(1 + MANY);
    assertThat(scene.meters.series()).isEqualTo(series);
  }

  @Test
  void shouldTimeEachRebuild() {
    // given
    long loaded = scene.meters.times("sluice_rebuild");

    // when
    scene.stock.restart("redis2");
    scene.settle();

    // then
    assertThat(loaded).isEqualTo(1);
    assertThat(scene.meters.times("sluice_rebuild")).isEqualTo(2);
  }

  @Test
  void shouldShowHowManySkusAreFrozen() {
    // given
    scene.ledger.freezeSku(OwnerScene.BUCKET.skuId(), "a test");

    // when
    scene.owner.reconcile();
    double frozen = gauge(FROZEN);
    scene.owner.stop();

    // then
    assertThat(frozen).isEqualTo(1);
    assertThat(gauge(FROZEN)).isZero();
  }

  @Test
  void shouldShowTheUnitsOfItsPartitionByWhatBecameOfThem() {
    // given
    scene.placed("alice", 3);
    scene.work();

    // when
    scene.owner.reconcile();
    List<Double> units = units();
    scene.owner.stop();

    // then
    assertThat(units).containsExactly(7.0, 3.0, 0.0);
    assertThat(units()).containsOnly(0.0);
  }

  private List<Double> units() {
    return Stream.of("free", "held", "sold")
        .map(kind -> scene.meters.gauge("sluice_stock_units", "kind", kind))
        .toList();
  }
}
