package io.sluice.grant;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.ledger.Fence;
import io.sluice.metrics.Meters;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.Grants;
import io.sluice.model.OrderToken;
import io.sluice.model.OrderTokens;
import java.util.Collections;
import java.util.List;
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
    append(0, 2, 20);
    append(0, 3, 10);
    state(0, 0, 4);

    // when
    look();

    // then
    assertThat(unit.orders()).isEqualTo(4 * 15);
  }

  @Test
  void shouldCountARecordOnceWhenSeveralAppendsShareIt() {
    // given
    append(0, 2, 20);
    append(1, 0, 4);
    append(0, 3, 10);
    append(0, 3, 16);
    state(0, 0, 4);

    // when
    look();

    // then
    assertThat(unit.orders()).isEqualTo((20 + 4 + 10 + 16) * 5 / 3 + 1);
  }

  /** A log that acknowledges little says nothing about the size of its records. */
  @Test
  void shouldNotTakeRecordsForLargerWhenAppendsFail() {
    // given
    begin(unit, 990);
    log.last().ack().fail("timeout");
    append(0, 3, 10);
    state(0, 0, 4);

    // when
    look();

    // then
    assertThat(unit.orders()).isEqualTo(4 * 10);
  }

  @Test
  void shouldFollowTheSizeOfRecordsWhenItChanges() {
    // given
    append(0, 0, 20);
    look();
    append(0, 1, 10);
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
    begin(unit, 39);

    // then
    assertThat(unit.isOverLimit()).isFalse();
    begin(unit, 1);
    assertThat(unit.isOverLimit()).isTrue();
  }

  @Test
  void shouldGoOnAddingWhenTheLedgerIsAway() {
    // given
    state(0, 0, 60);
    look();
    ledger.down = true;

    // when
    begin(unit, 40);
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
    begin(unit, LIMIT);
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
    begin(unit, 40);

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
    append(0, 59, 90);
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

  @Test
  void shouldCountAtOnceWhatAnOwnerOfThisInstanceHasBooked() {
    // given
    append(0, 0, 20);
    append(0, 1, 20);
    look();
    append(0, 2, 30);
    begin(unit, 5);

    // when
    unit.booked(new Fence(0, 0, 2));

    // then
    assertThat(unit.orders()).isEqualTo(20 + 5);
  }

  /** A read may have begun before a commit. After a restore the ledger has another term. */
  @ParameterizedTest
  @CsvSource({"7, 0", "6, 80"})
  void shouldGoBackOnlyWhenTheTermIsAnother(long termRead, long orders) {
    // given
    append(0, 3, 80);
    look();
    unit.booked(new Fence(0, 7, 4));

    // when
    ledger.fences.put(0, new Fence(0, termRead, 3));
    look();

    // then
    assertThat(unit.orders()).isEqualTo(orders);
  }

  private void append(int partition, long offset, int orders) {
    unit.append(partition, grants(orders));
    log.ack(offset);
  }

  private static void begin(Backlog backlog, int orders) {
    backlog.append(0, grants(orders));
  }

  private static List<Command> grants(int orders) {
    OrderToken token = new OrderTokens(new byte[16]).tokenFor("alice", new BucketId(1, 0), null);
    Grant grant = Grants.of(token, "alice", 1, 1, 1, 1, 2);
    return Collections.nCopies(orders, new Command.Reserve(grant, null));
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
    begin(roomy, 90);
    time.advance(Backlog.WINDOW);
    boolean slow = roomy.isStampede();
    begin(roomy, 110);
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
    begin(roomy, granted);

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
