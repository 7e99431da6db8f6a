package io.sluice.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.OutboxRow;
import io.sluice.ledger.OutboxRow.OutboxKind;
import io.sluice.ledger.Put;
import io.sluice.ledger.Put.Fault;
import io.sluice.ledger.SkuLedger.ChangeResult;
import io.sluice.ledger.SkuLedger.NewSku;
import io.sluice.ledger.SkuLedger.PutResult;
import io.sluice.ledger.SkuLedger.RestockResult;
import io.sluice.ledger.SkuLedger.StateChange;
import io.sluice.ledger.rules.OutboxPayload;
import io.sluice.model.BucketId;
import io.sluice.model.IfMatch;
import io.sluice.model.Placement;
import io.sluice.model.Sku;
import io.sluice.model.SkuSettings;
import io.sluice.model.SkuState;
import io.sluice.model.Skus;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a ledger provides for operators, except restocks. */
abstract class SkuLedgerContract extends LedgerScene {
  private static final Set<String> FIELDS =
      Set.of(
          "total_stock",
          "buckets",
          "mode",
          "payment_window_s",
          "limit_per_user",
          "opens_at",
          "closes_at",
          "ticket",
          "name");

  @Test
  void shouldCreateWhenPutForTheFirstTime() {
    // given
    NewSku wanted = new NewSku(newSkuId(), 10, 3, Sku.Mode.FAST, SETTINGS);

    // when
    PutResult result = get(skus().put(wanted));

    // then
    assertThat(result)
        .isEqualTo(
            new PutResult.Done(
                Skus.open(
                    wanted.skuId(),
                    10,
                    3,
                    Sku.Mode.FAST,
                    SETTINGS,
                    Placement.first(wanted.skuId(), 3, partitions())),
                true));
    assertThat(get(skus().bucketsOf(wanted.skuId())))
        .extracting(row -> row.allotted())
        .containsExactly(4L, 3L, 3L);
    assertThat(ceilingsOf(wanted.skuId())).hasSize(3);
    assertThat(get(skus().sku(wanted.skuId()))).contains(((PutResult.Done) result).sku());
    assertThat(get(skus().skus(wanted.skuId() - 1, 1)))
        .containsExactly(((PutResult.Done) result).sku());
  }

  @Test
  void shouldChangeNothingWhenPutAgain() {
    // given
    Sku sku = sku(10, 2);

    // when
    PutResult again = get(skus().put(new NewSku(sku.skuId(), 10, 2, Sku.Mode.FAST, SETTINGS)));

    // then
    assertThat(again).isEqualTo(new PutResult.Done(sku, false));
    assertThat(row(new BucketId(sku.skuId(), 0)).version()).isEqualTo(1);
    assertThat(ceilingsOf(sku.skuId())).hasSize(2);
  }

  @Test
  void shouldKeepItsNameUntilAPutHasAnother() {
    // given
    long skuId = newSkuId();
    String name = "Ph\u00f6ne \ud83d\udcf1";

    // when
    Sku named = put(new NewSku(skuId, 10, 1, Sku.Mode.FAST, SETTINGS, name, leaves()));
    Sku kept = put(new NewSku(skuId, 10, 1, Sku.Mode.FAST, SETTINGS, null, leaves("name")));
    PutResult again =
        get(skus().put(new NewSku(skuId, 10, 1, Sku.Mode.FAST, SETTINGS, "Case", leaves())));
    Sku other = known(skuId);
    Sku none = put(new NewSku(skuId, 10, 1, Sku.Mode.FAST, SETTINGS, null, leaves()));

    // then
    assertThat(named.name()).isEqualTo(name);
    assertThat(kept).isEqualTo(named);
    assertThat(again).isEqualTo(new PutResult.Done(other, false, List.of("name")));
    assertThat(other.name()).isEqualTo("Case");
    assertThat(other.tag()).isNotEqualTo(named.tag());
    assertThat(none.name()).isNull();
    assertThat(known(skuId)).isEqualTo(none);
  }

  @Test
  void shouldTellTheConflictWhenAFixedSettingDiffers() {
    // given
    long skuId = sku(10, 2).skuId();
    restock(skuId, "r1", 5);

    // when
    PutResult first = get(skus().put(new NewSku(skuId, 10, 2, Sku.Mode.FAST, SETTINGS)));
    List<PutResult> results =
        List.of(
            get(skus().put(new NewSku(skuId, 11, 2, Sku.Mode.FAST, SETTINGS))),
            get(skus().put(new NewSku(skuId, 10, 3, Sku.Mode.FAST, SETTINGS))),
            get(skus().put(new NewSku(skuId, 10, 2, Sku.Mode.DIRECT, SETTINGS))));

    // then
    assertThat(results)
        .containsExactly(
            new PutResult.TotalFixed(10, 15, 11, false),
            new PutResult.Conflict("buckets", "2", "3"),
            new PutResult.Conflict("mode", "fast", "direct"));
    assertThat(first)
        .as("the stock of the first PUT, whatever came since")
        .isInstanceOf(PutResult.Done.class);
  }

  @Test
  void shouldRaiseTheVersionsWhenSettingsChange() {
    // given
    Sku sku = sku(10, 2);
    SkuSettings other = new SkuSettings(60, 2, 0, 0, true);

    // when
    Sku changed = put(new NewSku(sku.skuId(), 10, 2, Sku.Mode.FAST, other));

    // then
    assertThat(changed.settings()).isEqualTo(other);
    assertThat(get(skus().bucketsOf(sku.skuId())))
        .allSatisfy(
            row -> {
              assertThat(row.version()).isEqualTo(2);
              assertThat(row.settings()).isEqualTo(other);
            });
    assertThat(ceilingsOf(sku.skuId())).hasSize(4);
  }

  /** A PUT without opens_at opened the SKU of tomorrow, one without limit_per_user had no limit. */
  @Test
  void shouldKeepWhatAPutLeavesOut() {
    // given
    long laterMs = get(ledger().nowMs()) + 60_000;
    SkuSettings set = new SkuSettings(60, 2, laterMs, laterMs + 1, true);
    Sku was = put(new NewSku(newSkuId(), 10, 2, Sku.Mode.FAST, set));

    // when
    PutResult some =
        get(skus().put(leaving(was, new SkuSettings(70, 0, 0, 0), "payment_window_s")));
    PutResult none = get(skus().put(leaving(was, SETTINGS)));

    // then
    SkuSettings changed = new SkuSettings(70, 2, laterMs, laterMs + 1, true);
    Sku now = known(was.skuId());
    assertThat(now.settings()).isEqualTo(changed);
    assertThat(now.state()).isEqualTo(SkuState.SCHEDULED);
    assertThat(some).isEqualTo(new PutResult.Done(now, false, List.of("payment_window_s")));
    assertThat(none).isEqualTo(new PutResult.Done(now, false));
    assertThat(ceilingsOf(was.skuId())).hasSize(4);
  }

  @Test
  void shouldChangeToNoneWhatIsGivenAsNone() {
    // given
    long laterMs = get(ledger().nowMs()) + 60_000;
    SkuSettings set = new SkuSettings(60, 2, laterMs, laterMs + 1, true);
    Sku was = put(new NewSku(newSkuId(), 10, 2, Sku.Mode.FAST, set));

    // when
    PutResult.Done done =
        (PutResult.Done)
            get(
                skus()
                    .put(
                        leaving(
                            was,
                            new SkuSettings(0, 0, 0, 0, false),
                            "limit_per_user",
                            "opens_at",
                            "closes_at",
                            "ticket")));

    // then
    assertThat(done.sku().settings()).isEqualTo(new SkuSettings(60, 0, 0, 0, false));
    assertThat(done.sku().state()).isEqualTo(SkuState.OPEN);
    assertThat(done.changed()).containsExactly("limit_per_user", "opens_at", "closes_at", "ticket");
  }

  @Test
  void shouldNeedTheStockOfANewSkuOnly() {
    // given
    NewSku wanted = new NewSku(newSkuId(), 0, 1, Sku.Mode.FAST, SETTINGS, leaves("total_stock"));

    // when
    PutResult created = get(skus().put(wanted));

    // then
    assertThat(created).isEqualTo(new PutResult.Invalid("total_stock", Fault.MISSING));
    assertThat(get(skus().sku(wanted.skuId()))).isEmpty();
  }

  @Test
  void shouldChangeNothingWhenItHasChangedSinceItWasRead() {
    // given
    Sku read = sku(10, 1);
    Sku now = put(new NewSku(read.skuId(), 10, 1, Sku.Mode.FAST, new SkuSettings(60, 0, 0, 0)));

    // when
    PutResult late = get(skus().put(onlyIf(read.skuId(), IfMatch.of(read.tag()))));
    PutResult absent = get(skus().put(onlyIf(newSkuId(), IfMatch.EXISTS)));
    PutResult right = get(skus().put(onlyIf(read.skuId(), IfMatch.of(now.tag()))));
    PutResult again = get(skus().put(onlyIf(read.skuId(), IfMatch.EXISTS)));

    // then
    assertThat(late).isEqualTo(new PutResult.Moved(true));
    assertThat(absent).isEqualTo(new PutResult.Moved(false));
    assertThat(right).isInstanceOf(PutResult.Done.class);
    assertThat(again).isInstanceOf(PutResult.Done.class);
  }

  @Test
  void shouldHaveAnotherTagAfterEachChange() {
    // given
    Sku sku = sku(10, 1);

    // when
    Set<String> tags =
        Set.of(
            sku.tag(),
            put(new NewSku(sku.skuId(), 10, 1, Sku.Mode.FAST, new SkuSettings(60, 0, 0, 0))).tag(),
            changed(sku.skuId(), StateChange.FREEZE).tag(),
            changed(sku.skuId(), StateChange.UNFREEZE).tag() + "again",
            changed(sku.skuId(), StateChange.CLOSE).tag());

    // then
    assertThat(tags).hasSize(5);
    assertThat(known(sku.skuId()).tag()).isIn(tags);
  }

  /** A closes_at a year back ended the SKU for good a minute later. */
  @Test
  void shouldRefuseATimeThatHasPassed() {
    // given
    long nowMs = get(ledger().nowMs());
    Sku was = sku(10, 1);
    SkuSettings closed = new SkuSettings(300, 0, 0, nowMs - 1);
    SkuSettings opened = new SkuSettings(300, 0, nowMs - Put.NOW_MS, 0);

    // when
    List<PutResult> results =
        List.of(
            get(skus().put(leaving(was, closed, "closes_at"))),
            get(skus().put(leaving(was, opened, "opens_at"))),
            get(skus().put(new NewSku(newSkuId(), 1, 1, Sku.Mode.FAST, closed, leaves()))),
            get(skus().put(new NewSku(newSkuId(), 1, 1, Sku.Mode.FAST, opened, leaves()))));

    // then
    assertThat(results)
        .containsExactly(
            new PutResult.Invalid("closes_at", Fault.PASSED),
            new PutResult.Invalid("opens_at", Fault.PASSED),
            new PutResult.Invalid("closes_at", Fault.PASSED),
            new PutResult.Invalid("opens_at", Fault.PASSED));
    assertThat(get(skus().sku(was.skuId()))).contains(was);
  }

  @Test
  void shouldTakeATimeThatHasPassedWhenTheSkuHasIt() {
    // given
    long nowMs = get(ledger().nowMs());
    SkuSettings over = new SkuSettings(300, 0, nowMs - 120_000, nowMs - 60_000);
    Sku was = put(new NewSku(newSkuId(), 10, 1, Sku.Mode.FAST, over));

    // when
    PutResult again =
        get(skus().put(new NewSku(was.skuId(), 10, 1, Sku.Mode.FAST, over, leaves())));
    PutResult other =
        get(
            skus()
                .put(leaving(was, new SkuSettings(60, 0, 0, nowMs - 60_000), "payment_window_s")));

    // then
    assertThat(again).isEqualTo(new PutResult.Done(was, false));
    assertThat(other).isInstanceOf(PutResult.Done.class);
  }

  @Test
  void shouldTakeAnOpeningThatWasMeantAsNow() {
    // given
    long nowMs = get(ledger().nowMs());
    SkuSettings set = new SkuSettings(300, 0, nowMs - 1_000, 0);

    // when
    PutResult result = get(skus().put(new NewSku(newSkuId(), 1, 1, Sku.Mode.FAST, set, leaves())));

    // then
    assertThat(((PutResult.Done) result).sku().state()).isEqualTo(SkuState.OPEN);
  }

  @Test
  void shouldRefuseAClosingBeforeTheOpeningThatStays() {
    // given
    long laterMs = get(ledger().nowMs()) + 60_000;
    Sku was = put(new NewSku(newSkuId(), 1, 1, Sku.Mode.FAST, new SkuSettings(300, 0, laterMs, 0)));

    // when
    PutResult result =
        get(skus().put(leaving(was, new SkuSettings(300, 0, 0, laterMs - 1), "closes_at")));

    // then
    assertThat(result).isEqualTo(new PutResult.Invalid("closes_at", Fault.NOT_AFTER));
  }

  private static Put leaves(String... fields) {
    return new Put(Set.of(fields), IfMatch.NOTHING, false);
  }

  /** If-Match of a change of the state, and of a restock, was not looked at. */
  @Test
  void shouldChangeNoStateWhenItHasChangedSinceItWasRead() {
    // given
    Sku read = sku(10, 2);
    long skuId = read.skuId();
    IfMatch old = IfMatch.of(read.tag());
    get(skus().change(skuId, StateChange.CLOSE, old));
    Sku now = known(skuId);

    // when
    List<ChangeResult> late =
        Stream.of(StateChange.values())
            .map(change -> get(skus().change(skuId, change, old)))
            .toList();
    RestockResult lateRestock = get(skus().restock(skuId, "r1", 5, old));
    ChangeResult unknown = get(skus().change(newSkuId(), StateChange.OPEN, IfMatch.EXISTS));

    // then
    assertThat(now.state()).isEqualTo(SkuState.CLOSED);
    assertThat(late).hasSize(6).containsOnly(new ChangeResult.Moved());
    assertThat(lateRestock).isEqualTo(new RestockResult.Moved());
    assertThat(unknown).isEqualTo(new ChangeResult.Unknown());
    assertThat(get(skus().sku(skuId))).contains(now);
  }

  /** The restock itself has changed the SKU. */
  @Test
  void shouldTellOfARestockThatIsRecordedWhenItIsAskedForAgain() {
    // given
    Sku sku = sku(10, 2);
    IfMatch its = IfMatch.of(sku.tag());

    // when
    RestockResult first = get(skus().restock(sku.skuId(), "r1", 5, its));
    RestockResult again = get(skus().restock(sku.skuId(), "r1", 5, its));
    RestockResult another = get(skus().restock(sku.skuId(), "r2", 5, its));

    // then
    assertThat(first).isInstanceOf(RestockResult.Done.class);
    assertThat(again).isEqualTo(first);
    assertThat(another).isEqualTo(new RestockResult.Moved());
  }

  /** A PUT that gives only these fields. */
  private static NewSku leaving(Sku sku, SkuSettings settings, String... given) {
    Set<String> leaves = new HashSet<>(FIELDS);
    List.of(given).forEach(leaves::remove);
    Put put = new Put(leaves, IfMatch.NOTHING, false);
    return new NewSku(sku.skuId(), 0, 1, Sku.Mode.FAST, settings, put);
  }

  private static NewSku onlyIf(long skuId, IfMatch ifMatch) {
    Put put = new Put(FIELDS, ifMatch, false);
    return new NewSku(skuId, 0, 1, Sku.Mode.FAST, SETTINGS, put);
  }

  @Test
  void shouldOpenNowWhenTheOperatorSaysSo() {
    // given
    long nowMs = get(ledger().nowMs());
    SkuSettings over = new SkuSettings(300, 0, nowMs - 120_000, nowMs - 60_000);
    Sku sku = put(new NewSku(newSkuId(), 10, 1, Sku.Mode.FAST, over));

    // when
    Sku opened = changed(sku.skuId(), StateChange.OPEN);

    // then
    assertThat(opened.state().at(nowMs, over.opensAtMs(), opened.settings().closesAtMs()))
        .isEqualTo(SkuState.OPEN);
    assertThat(opened.settings()).isEqualTo(new SkuSettings(300, 0, nowMs - 120_000, 0));
    assertThat(row(new BucketId(sku.skuId(), 0)).state()).isEqualTo(SkuState.OPEN);
  }

  @Test
  void shouldRestoreWhatWasWhenUnfrozen() {
    // given
    Sku sku = sku(10, 1);
    changed(sku.skuId(), StateChange.CLOSE);
    changed(sku.skuId(), StateChange.FREEZE);

    // when
    ChangeResult opened = change(sku.skuId(), StateChange.OPEN);
    Sku unfrozen = changed(sku.skuId(), StateChange.UNFREEZE);

    // then
    assertThat(opened).isEqualTo(new ChangeResult.IsFrozen());
    assertThat(unfrozen.state()).isEqualTo(SkuState.CLOSED);
    assertThat(changed(sku.skuId(), StateChange.OPEN).state()).isEqualTo(SkuState.OPEN);
  }

  @Test
  void shouldChangeNothingWhenTheStateIsThatAlready() {
    // given
    Sku sku = sku(10, 1);
    changed(sku.skuId(), StateChange.FREEZE);
    long version = row(new BucketId(sku.skuId(), 0)).version();

    // when
    Sku again = changed(sku.skuId(), StateChange.FREEZE);

    // then
    assertThat(again.thawedState()).isEqualTo(SkuState.OPEN);
    assertThat(row(new BucketId(sku.skuId(), 0)).version()).isEqualTo(version);
  }

  @Test
  void shouldFreezeOnceWhenAnAlarmSaysSo() {
    // given
    Sku sku = sku(10, 2);
    BucketId first = new BucketId(sku.skuId(), 0);

    // when
    get(ledger().freezeSku(sku.skuId(), "rows and counters disagree"));
    get(ledger().freezeSku(sku.skuId(), "again"));

    // then
    assertThat(known(sku.skuId()).state()).isEqualTo(SkuState.FROZEN);
    List<OutboxRow> events = outbox(first, OutboxKind.EVENT);
    assertThat(events).extracting(OutboxRow::eventType).containsExactly("SKU_FROZEN");
    assertThat(OutboxPayload.key(events.get(0).payload())).isEqualTo(String.valueOf(sku.skuId()));
    assertThat(OutboxPayload.order(events.get(0).payload())).isEmpty();
    assertThat(ceilingsOf(sku.skuId())).hasSize(4);
  }

  @Test
  void shouldSayUnknownWhenThereIsNoSuchSku() {
    // given
    long skuId = newSkuId();

    // when
    ChangeResult result = change(skuId, StateChange.OPEN);

    // then
    assertThat(result).isEqualTo(new ChangeResult.Unknown());
    assertThat(get(skus().sku(skuId))).isEmpty();
    assertThat(get(skus().audit(skuId))).isEmpty();
    assertThat(get(skus().bucketsOf(skuId))).isEmpty();
    assertThat(get(ledger().bucket(new BucketId(skuId, 0)))).isEmpty();
  }

  private Sku changed(long skuId, StateChange change) {
    ChangeResult result = change(skuId, change);
    assertThat(result).isInstanceOf(ChangeResult.Done.class);
    return ((ChangeResult.Done) result).sku();
  }

  private List<OutboxRow> ceilingsOf(long skuId) {
    return restocks(skuId, OutboxPayload.CEILING);
  }
}
