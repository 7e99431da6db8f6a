package io.sluice.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.Outbox.OutboxKind;
import io.sluice.ledger.Outbox.OutboxRow;
import io.sluice.ledger.SkuLedger.ChangeResult;
import io.sluice.ledger.SkuLedger.NewSku;
import io.sluice.ledger.SkuLedger.PutResult;
import io.sluice.ledger.SkuLedger.StateChange;
import io.sluice.ledger.rules.OutboxPayload;
import io.sluice.model.BucketId;
import io.sluice.model.Placement;
import io.sluice.model.Sku;
import io.sluice.model.SkuSettings;
import io.sluice.model.SkuState;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a ledger provides for operators, except restocks. */
abstract class SkuLedgerContract extends LedgerScene {

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
                new Sku(
                    wanted.skuId(),
                    10,
                    10,
                    3,
                    Sku.Mode.FAST,
                    SETTINGS,
                    SkuState.OPEN,
                    SkuState.OPEN,
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
  void shouldTellTheConflictWhenAFixedSettingDiffers() {
    // given
    long skuId = sku(10, 2).skuId();

    // when
    List<PutResult> results =
        List.of(
            get(skus().put(new NewSku(skuId, 11, 2, Sku.Mode.FAST, SETTINGS))),
            get(skus().put(new NewSku(skuId, 10, 3, Sku.Mode.FAST, SETTINGS))),
            get(skus().put(new NewSku(skuId, 10, 2, Sku.Mode.DIRECT, SETTINGS))));

    // then
    assertThat(results)
        .containsExactly(
            new PutResult.Conflict("total_stock", "10", "11"),
            new PutResult.Conflict("buckets", "2", "3"),
            new PutResult.Conflict("mode", "fast", "direct"));
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

  @Test
  void shouldScheduleWhenItOpensLater() {
    // given
    long opensAtMs = get(ledger().nowMs()) + 60_000;
    SkuSettings later = new SkuSettings(300, 0, opensAtMs, 0);

    // when
    Sku sku = put(new NewSku(newSkuId(), 10, 1, Sku.Mode.FAST, later));

    // then
    assertThat(sku.state()).isEqualTo(SkuState.SCHEDULED);
    Sku now = put(new NewSku(sku.skuId(), 10, 1, Sku.Mode.FAST, SETTINGS));
    assertThat(now.state()).isEqualTo(SkuState.OPEN);
  }

  @Test
  void shouldOpenNowWhenTheOperatorSaysSo() {
    // given
    long nowMs = get(ledger().nowMs());
    SkuSettings over = new SkuSettings(300, 0, nowMs + 60_000, nowMs - 60_000);
    Sku sku = put(new NewSku(newSkuId(), 10, 1, Sku.Mode.FAST, over));

    // when
    Sku opened = changed(sku.skuId(), StateChange.OPEN);

    // then
    assertThat(opened.state().at(nowMs, over.opensAtMs(), opened.settings().closesAtMs()))
        .isEqualTo(SkuState.OPEN);
    assertThat(opened.settings()).isEqualTo(new SkuSettings(300, 0, nowMs + 60_000, 0));
    assertThat(row(new BucketId(sku.skuId(), 0)).state()).isEqualTo(SkuState.OPEN);
  }

  @Test
  void shouldRestoreWhatWasWhenUnfrozen() {
    // given
    Sku sku = sku(10, 1);
    changed(sku.skuId(), StateChange.CLOSE);
    changed(sku.skuId(), StateChange.FREEZE);

    // when
    ChangeResult opened = get(skus().change(sku.skuId(), StateChange.OPEN));
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
  void shouldKeepTheFreezeWhenSettingsChangeMeanwhile() {
    // given
    Sku sku = sku(10, 1);
    changed(sku.skuId(), StateChange.FREEZE);

    // when
    Sku put = put(new NewSku(sku.skuId(), 10, 1, Sku.Mode.FAST, new SkuSettings(60, 0, 0, 0)));

    // then
    assertThat(put.state()).isEqualTo(SkuState.FROZEN);
    assertThat(put.thawedState()).isEqualTo(SkuState.OPEN);
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
    assertThat(get(skus().sku(sku.skuId())).orElseThrow().state()).isEqualTo(SkuState.FROZEN);
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
    ChangeResult result = get(skus().change(skuId, StateChange.OPEN));

    // then
    assertThat(result).isEqualTo(new ChangeResult.Unknown());
    assertThat(get(skus().sku(skuId))).isEmpty();
    assertThat(get(skus().audit(skuId))).isEmpty();
    assertThat(get(skus().bucketsOf(skuId))).isEmpty();
    assertThat(get(ledger().bucket(new BucketId(skuId, 0)))).isEmpty();
  }

  private Sku changed(long skuId, StateChange change) {
    ChangeResult result = get(skus().change(skuId, change));
    assertThat(result).isInstanceOf(ChangeResult.Done.class);
    return ((ChangeResult.Done) result).sku();
  }

  private List<OutboxRow> ceilingsOf(long skuId) {
    return IntStream.range(0, partitions())
        .boxed()
        .flatMap(partition -> outbox(partition, OutboxKind.RESTOCK).stream())
        .filter(row -> row.eventType().equals(OutboxPayload.CEILING))
        .filter(row -> OutboxPayload.bucketOf(row.payload()).skuId() == skuId)
        .toList();
  }
}
