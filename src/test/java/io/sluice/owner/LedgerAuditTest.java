package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Named.named;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.sluice.model.Command;
import io.sluice.model.SkuState;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class LedgerAuditTest {
  private static final String WHY =
      "Expected the counters to be total 10, held 2, sold 2 as the rows say, but they are 10, 3, 2";

  private final OwnerScene scene = OwnerScene.withStock(10);

  @Test
  void shouldLeaveASkuAloneWhenItsRowsAddUp() {
    // given
    sell();

    // when
    audit();

    // then
    assertThat(scene.watched.freezes).isEmpty();
  }

  /** How many rows are audited at once, and what happens then. */
  static Stream<Arguments> audits() {
    return Stream.of(
        audit("of few rows", 1_000, at -> at.scene.owner.reconcile()),
        audit("as an operator asks for a comparison", 1_000, LedgerAuditTest::ask),
        audit("of many rows", 2, LedgerAuditTest::audit),
        audit("of many rows that were audited before", 2, LedgerAuditTest::audit));
  }

  private static Arguments audit(String name, int rowsMax, Consumer<LedgerAuditTest> audit) {
    return arguments(named(name, audit), rowsMax, name.endsWith("before"));
  }

  private void ask() {
    scene.ledger.requestReconcile(OwnerScene.PARTITION);
    scene.serveRequests();
  }

  @ParameterizedTest
  @MethodSource("audits")
  void shouldFreezeASkuWhenACounterIsWrong(
      Consumer<LedgerAuditTest> audit, int rowsMax, boolean again) {
    // given
    sell();
    scene.watched.auditRowsMax = rowsMax;
    if (again) {
      audit.accept(this);
    }
    scene.ledger.plantHeld(OwnerScene.BUCKET, 1);

    // when
    audit.accept(this);

    // then
    assertThat(scene.watched.freezes).contains(WHY);
    assertThat(scene.row().state()).isEqualTo(SkuState.FROZEN);
  }

  /** Its counters may not be moved again before an operator has looked. */
  @Test
  void shouldNotAuditASkuThatIsFrozenAndEachOtherOnce() {
    // given
    scene.addSku(3);
    scene.ledger.freezeSku(OwnerScene.BUCKET.skuId(), "test");
    scene.calls.of("audit").clear();

    // when
    scene.owner.reconcile();

    // then
    assertThat(scene.calls.of("audit"))
        .extracting(call -> call[0])
        .containsExactly(OwnerScene.BUCKET.skuId() + 1);
  }

  @Test
  void shouldPauseBeforeALargeSkuHoweverOftenItIsWoken() {
    // given
    sell();
    scene.watched.auditRowsMax = 2;
    scene.ledger.plantHeld(OwnerScene.BUCKET, 1);

    // when
    scene.owner.reconcile();
    scene.owner.reconcile();
    scene.owner.reconcile();
    int early = scene.calls.of("mark").size();
    audit();

    // then
    assertThat(early).isZero();
    assertThat(scene.watched.freezes).contains(WHY);
  }

  @Test
  void shouldLeaveALargeSkuAloneWhenItIsSoldWhileItIsSummed() {
    // given
    sell();
    scene.watched.auditRowsMax = 2;
    scene.owner.reconcile();
    rest();

    // when
    scene.placed("late", 2);
    scene.work();
    audit();

    // then
    assertThat(scene.isBooked("late")).isTrue();
    assertThat(scene.watched.freezes).isEmpty();
  }

  @Test
  void shouldSumALargeSkuAgainBeforeItIsFrozen() {
    // given
    sell();
    scene.watched.auditRowsMax = 2;
    scene.owner.reconcile();
    scene.ledger.plantHeld(OwnerScene.BUCKET, 1);
    rest();
    scene.ledger.plantHeld(OwnerScene.BUCKET, -1);

    // when
    audit();

    // then
    assertThat(scene.watched.freezes).isEmpty();
  }

  /** The audits of eight partitions took a fifth of a processor from the grants of a stampede. */
  @Test
  void shouldSumNoFurtherSliceInAStampede() {
    // given
    sell();
    scene.watched.auditRowsMax = 2;
    scene.isStampede = true;
    scene.owner.reconcile();
    int before = scene.watched.sums;

    // when
    scene.advance(LedgerAudit.REST);
    scene.advance(LedgerAudit.REST);
    int whileResting = scene.watched.sums;
    scene.isStampede = false;
    scene.advance(LedgerAudit.REST);
    scene.advance(LedgerAudit.REST);

    // then
    assertThat(whileResting).isEqualTo(before);
    assertThat(scene.watched.sums).isGreaterThan(before);
  }

  /** Ten SKUs of each partition every five seconds are a cost when nothing happens all day. */
  @Test
  void shouldAuditOneOfEachPageWhenRedisHasWrittenNothingSinceAllAgreed() {
    // given
    scene.addSku(1);
    reconcile(2);
    scene.calls.of("audit").clear();

    // when
    reconcile(6);

    // then
    assertThat(scene.calls.of("audit")).hasSize(6);
    assertThat(scene.calls.of("audit").stream().map(call -> call[0]).distinct()).hasSize(2);
  }

  /** A payment in another bucket is shown neither by Redis nor by the row of the first one. */
  @Test
  void shouldAuditASkuOfSeveralBucketsAgainWhenRedisHasWrittenNothing() {
    // given
    scene.addSku(2);
    reconcile(2);
    scene.calls.of("audit").clear();

    // when
    reconcile(6);

    // then
    assertThat(scene.calls.of("audit").stream().map(call -> call[0]))
        .filteredOn(skuId -> skuId.equals(OwnerScene.BUCKET.skuId() + 1))
        .hasSize(6);
  }

  @Test
  void shouldAuditAllWhenRedisHasWrittenSomething() {
    // given
    scene.addSku(1);
    reconcile(2);
    scene.placed("erin", 1);
    scene.work();
    scene.calls.of("audit").clear();

    // when
    reconcile(1);

    // then
    assertThat(scene.calls.of("audit")).hasSize(2);
  }

  private void reconcile(int times) {
    for (int i = 0; i < times; i++) {
      scene.owner.reconcile();
    }
  }

  /** Seven rows: one restock, four holds, two confirmed. */
  private void sell() {
    for (String user : new String[] {"alice", "bob", "carol", "dave"}) {
      scene.placed(user, 1);
    }
    scene.work();
    scene.append(
        new Command.Confirm(scene.token("alice")), new Command.Confirm(scene.token("bob")));
    scene.work();
  }

  /** Runs one whole audit, and the second sum over the SKUs that disagreed. */
  private void audit() {
    scene.owner.reconcile();
    for (int slice = 0; slice < 20; slice++) {
      rest();
    }
    scene.work();
  }

  private void rest() {
    scene.advance(LedgerAudit.REST);
  }
}
