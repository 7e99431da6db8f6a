package io.sluice.grant;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.metrics.Meters;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An instance's estimate of how far the owners are behind. */
class BacklogTest {
  private static final int LIMIT = 100;

  private final ManualLoop time = new ManualLoop();
  private final ScriptedLog log = new ScriptedLog();
  private final ScriptedLedger ledger = new ScriptedLedger();
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final Backlog unit =
      new Backlog(log, ledger.port(), 2, LIMIT, time::now, new Meters(registry));

  @Test
  void shouldCountTheRecordsOfAllPartitionsWhenTheyAreNotBooked() {
    // given
    state(0, 10, 40);
    state(1, 5, 7);

    // when
    look();

    // then
    assertThat(unit.orders()).isEqualTo(32);
    assertThat(registry.get("sluice_log_backlog_orders").gauge().value()).isEqualTo(32);
  }

  @Test
  void shouldCountAPartitionFromItsBeginningWhenItNeverHadAnOwner() {
    // given
    log.ends.put(1, 12L);

    // when
    look();

    // then
    assertThat(unit.orders()).isEqualTo(12);
  }

  @Test
  void shouldCountOrdersWhenRecordsHoldSeveral() {
    // given
    unit.orders();
    unit.appending(30);
    unit.appended(0, 2, 20);
    unit.appended(0, 3, 10);
    state(0, 0, 4);

    // when
    look();

    // then
    assertThat(unit.orders()).isEqualTo(4 * 15);
  }

  @Test
  void shouldCountARecordOnceWhenSeveralAppendsShareIt() {
    // given
    unit.appended(0, 2, 20);
    unit.appended(1, 0, 4);
    unit.appended(0, 3, 10);
    unit.appended(0, 3, 16);
    state(0, 0, 4);

    // when
    look();

    // then
    assertThat(unit.orders()).isEqualTo((20 + 4 + 10 + 16) * 4 / 3 + 1);
  }

  /** A log that acknowledges little says nothing about the size of its records. */
  @Test
  void shouldNotTakeRecordsForLargerWhenAppendsFail() {
    // given
    unit.appending(1_000);
    unit.appended(0, 3, 10);
    state(0, 0, 4);

    // when
    look();

    // then
    assertThat(unit.orders()).isEqualTo(4 * 10);
  }

  @Test
  void shouldFollowTheSizeOfRecordsWhenItChanges() {
    // given
    unit.appended(0, 0, 20);
    look();
    unit.appended(0, 1, 10);
    state(0, 0, 2);

    // when
    look();

    // then
    assertThat(unit.orders()).isEqualTo(2 * 15);
  }

  @Test
  void shouldBeOverItsLimitAtOnceWhenThatMuchIsAppendedSinceTheLook() {
    // given
    state(0, 0, 60);
    look();

    // when
    unit.appending(39);

    // then
    assertThat(unit.isOverLimit()).isFalse();
    unit.appending(1);
    assertThat(unit.isOverLimit()).isTrue();
  }

  @Test
  void shouldGoOnAddingWhenTheLedgerIsAway() {
    // given
    state(0, 0, 60);
    look();
    ledger.down = true;

    // when
    unit.appending(40);
    log.ends.put(0, 100L);
    look();

    // then
    assertThat(unit.isOverLimit()).isTrue();
  }

  @Test
  void shouldForgetNothingWhenTheLedgerNeverAnswered() {
    // given
    ledger.down = true;

    // when
    unit.appending(LIMIT);
    look();
    look();

    // then
    assertThat(unit.isOverLimit()).isTrue();
  }

  @Test
  void shouldKeepWhatItKnowsWhenTheLogIsAway() {
    // given
    state(0, 0, 60);
    look();
    log.away = true;
    unit.appending(40);

    // when
    look();

    // then
    assertThat(unit.orders()).isEqualTo(100);
  }

  @Test
  void shouldCountTheOthersWhenAPartitionCannotBeAsked() {
    // given
    state(0, 0, 60);
    state(1, 0, 30);
    look();
    log.silent = 1;
    unit.appended(0, 59, 90);
    state(0, 50, 60);

    // when
    look();

    // then
    assertThat(unit.orders()).isEqualTo(10 * 90);
  }

  @Test
  void shouldLeaveAPartitionOutWhenItTakesNoRecords() {
    // given
    state(0, 0, 10);
    state(1, 0, 5_000);
    look();
    boolean before = unit.isOverLimit();

    // when
    log.dead = 1;
    look();

    // then
    assertThat(before).isTrue();
    assertThat(unit.orders()).isEqualTo(10);
  }

  @Test
  void shouldLookOnceInHalfASecondWhenAskedOften() {
    // given
    unit.orders();
    int looks = ledger.fenceReads;

    // when
    for (int i = 0; i < 50; i++) {
      time.advanceMs(10);
      unit.orders();
    }

    // then
    assertThat(ledger.fenceReads).isEqualTo(looks + 1);
  }

  @Test
  void shouldNotPileUpLooksWhenTheLedgerIsSilent() {
    // given
    unit.orders();
    ledger.hold();
    look();
    int looks = ledger.fenceReads;

    // when
    look();
    look();

    // then
    assertThat(ledger.fenceReads).isEqualTo(looks);
    ledger.release();
    look();
    assertThat(ledger.fenceReads).isEqualTo(looks + 1);
  }

  private void state(int partition, long nextOffset, long end) {
    ledger.passed(partition, nextOffset);
    log.ends.put(partition, end);
  }

  private void look() {
    time.advance(Backlog.LOOK_EVERY);
    unit.orders();
  }

  @Test
  void shouldSeeAStampedeWhenGrantsComeFast() {
    // given
    Backlog roomy = new Backlog(log, ledger.port(), 2, 10_000, time::now, new Meters(registry));
    roomy.appending(90);
    time.advance(Backlog.WINDOW);
    boolean slow = roomy.isStampede();
    roomy.appending(110);
    boolean early = roomy.isStampede();

    // when
    time.advance(Backlog.WINDOW);
    boolean fast = roomy.isStampede();
    time.advance(Backlog.WINDOW);
    boolean over = roomy.isStampede();

    // then
    assertThat(slow).isFalse();
    assertThat(early).as("in the middle of a window").isFalse();
    assertThat(fast).isTrue();
    assertThat(over).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "99, 0, false, false",
    "100, 0, true, true",
    "100, 4899, true, true",
    "100, 4900, true, false",
    "99, 4901, true, false"
  })
  void shouldSeeAStampedeByItsRateOrBacklogAndBookLaterUpToHalfTheLimit(
      int granted, long behind, boolean stampede, boolean later) {
    // given
    Backlog roomy = new Backlog(log, ledger.port(), 2, 10_000, time::now, new Meters(registry));
    state(0, 0, behind);
    roomy.orders();
    roomy.appending(granted);

    // when
    time.advance(Backlog.WINDOW);
    boolean seen = roomy.isStampede();
    boolean mayBookLater = roomy.mayBookLater();

    // then
    assertThat(seen).isEqualTo(stampede);
    assertThat(mayBookLater).isEqualTo(later);
  }

  @Test
  void shouldCountWhatOthersAppendWhenTheLedgerIsAway() {
    // given
    state(0, 0, 60);
    look();
    ledger.down = true;

    // when
    log.ends.put(0, 90L);
    look();

    // then
    assertThat(unit.orders()).isEqualTo(90);
  }
}
