package io.sluice.owner;

import static io.sluice.owner.OwnerScene.BUCKET;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.OutboxRow.OutboxKind;
import io.sluice.ledger.OwnerRequest.RequestKind;
import io.sluice.ledger.SkuLedger.NewSku;
import io.sluice.ledger.SkuLedger.StateChange;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.OrderStatus;
import io.sluice.model.Reason;
import io.sluice.model.Sku;
import io.sluice.model.SkuSettings;
import io.sluice.model.SkuState;
import io.sluice.stock.BucketCode;
import io.sluice.stock.InMemoryData;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a sale took, it gives back. */
class EndOfSaleTest {
  private final OwnerScene scene = OwnerScene.withStock(10);

  private void end() {
    scene.ledger.change(BUCKET.skuId(), StateChange.END);
  }

  private SkuState state() {
    return scene.ledger.sku(BUCKET.skuId()).result().orElseThrow().state();
  }

  private boolean isInRedis() {
    return scene.stock.hasAny(List.of(BUCKET)).result();
  }

  private Grant paid(String user) {
    Grant grant = scene.placed(user, 1);
    scene.append(new Command.Confirm(grant.token()));
    scene.settle();
    return grant;
  }

  @Test
  void shouldLeaveNothingInRedisWhenNothingIsHeld() {
    // given
    paid("alice");

    // when
    end();
    scene.settle();

    // then
    assertThat(state()).isEqualTo(SkuState.ENDED);
    assertThat(isInRedis()).isFalse();
    assertThat(scene.order("alice").status()).isEqualTo(OrderStatus.CONFIRMED);
    assertThat(scene.pending(OutboxKind.RESTOCK)).isEmpty();
  }

  @Test
  void shouldSellNothingMoreWhileItWaitsForItsLastOrder() {
    // given
    Grant grant = scene.placed("alice", 1);
    scene.settle();
    end();
    scene.settle();
    SkuState whileHeld = state();
    SkuState inRedis = scene.redis().state();

    // when
    scene.append(new Command.Cancel(grant.token(), Reason.BUYER));
    scene.settle();
    scene.settle();

    // then
    assertThat(List.of(whileHeld, inRedis, state()))
        .containsExactly(SkuState.ENDING, SkuState.CLOSED, SkuState.ENDED);
    assertThat(isInRedis()).isFalse();
    assertThat(scene.pending(OutboxKind.RELEASE)).isEmpty();
  }

  /** A grant that its buyer may have been told of is in the log, so it is booked before the end. */
  @Test
  void shouldNotEndBeforeWhatTheLogHasIsBooked() {
    // given
    Grant grant = scene.grant("alice", 1);
    end();
    scene.stock.wipe();
    scene.append(new Command.Reserve(grant, null));

    // when
    scene.settle();

    // then
    assertThat(state()).isEqualTo(SkuState.ENDING);
    assertThat(scene.order("alice").status()).isEqualTo(OrderStatus.PENDING);
    assertThat(scene.redis().code()).isEqualTo(BucketCode.OK);
    scene.append(new Command.Cancel(grant.token(), Reason.BUYER));
    scene.settle();
    scene.settle();
    assertThat(state()).isEqualTo(SkuState.ENDED);
    assertThat(isInRedis()).isFalse();
  }

  @Test
  void shouldRefundInTheLedgerAloneOnceItHasEnded() {
    // given
    Grant grant = paid("alice");
    end();
    scene.settle();

    // when
    scene.append(new Command.Refund(grant.token()));
    scene.settle();

    // then
    assertThat(scene.order("alice").status()).isEqualTo(OrderStatus.REFUNDED);
    assertThat(scene.pending(OutboxKind.RELEASE)).isEmpty();
    assertThat(isInRedis()).isFalse();
  }

  @Test
  void shouldUnloadAfterATakeOverWhatADeadOwnerHasLeft() {
    // given
    scene.calls.fail("unload", new IllegalStateException("the owner dies here"));
    end();
    scene.settle();
    SkuState before = state();
    boolean left = isInRedis();
    scene.calls.instead.remove("unload");
    scene.owner.stop();

    // when
    scene.takeOver();
    scene.settle();

    // then
    assertThat(before).isEqualTo(SkuState.ENDED);
    assertThat(left).isTrue();
    assertThat(isInRedis()).isFalse();
  }

  @Test
  void shouldUnloadWhatAnOldFileBringsBackWhenRedisHasANewHistory() {
    // given
    InMemoryData old = scene.stock.save();
    end();
    scene.settle();
    boolean ended = !isInRedis();

    // when
    scene.stock.restore(old);
    scene.stock.restart("redis2");
    scene.settle();

    // then
    assertThat(ended).isTrue();
    assertThat(isInRedis()).isFalse();
  }

  @Test
  void shouldUnloadWhatAZombieBringsBackWithinAMinute() {
    // given
    end();
    scene.settle();
    scene.stock.freeze(BUCKET, 1);
    scene.settle();
    boolean back = isInRedis();

    // when
    scene.owner.watchEnds();
    scene.settle();

    // then
    assertThat(back).isTrue();
    assertThat(isInRedis()).isFalse();
  }

  @Test
  void shouldNeitherLoadNorCompareItOnceItHasEnded() {
    // given
    end();
    scene.settle();
    scene.calls.of("freeze").clear();
    scene.calls.of("compare").clear();

    // when
    scene.ledger.request(RequestKind.LOAD, BUCKET);
    scene.ledger.request(RequestKind.REBUILD, BUCKET);
    scene.serveRequests();
    scene.owner.reconcile();
    scene.stock.restart("redis2");
    scene.settle();

    // then
    assertThat(scene.calls.of("freeze")).isEmpty();
    assertThat(scene.calls.of("compare")).isEmpty();
    assertThat(scene.ledger.openRequests(List.of(OwnerScene.PARTITION), 0, 10).result()).isEmpty();
    assertThat(isInRedis()).isFalse();
  }

  @Test
  void shouldEndByItselfADayAfterItHasClosed() {
    // given
    long closesAtMs = scene.clock.millis() + 1_000;
    SkuSettings settings = new SkuSettings(300, 0, 0, closesAtMs);
    scene.ledger.put(new NewSku(BUCKET.skuId(), 10, 1, Sku.Mode.FAST, settings));
    scene.pass(Duration.ofHours(23));
    scene.owner.watchEnds();
    scene.settle();
    SkuState before = state();

    // when
    scene.pass(Duration.ofHours(2));
    scene.owner.watchEnds();
    scene.settle();

    // then
    assertThat(before).isEqualTo(SkuState.OPEN);
    assertThat(state()).isEqualTo(SkuState.ENDED);
    assertThat(isInRedis()).isFalse();
  }
}
