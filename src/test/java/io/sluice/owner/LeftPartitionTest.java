package io.sluice.owner;

import static io.sluice.owner.OwnerScene.BUCKET;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.Fence;
import io.sluice.ledger.SaleLedger;
import io.sluice.ledger.SaleLedger.NewSale;
import io.sluice.ledger.SaleLedger.SaleSku;
import io.sluice.ledger.SaleSkus;
import io.sluice.ledger.SkuLedger.DeleteResult;
import io.sluice.ledger.SkuLedger.StateChange;
import io.sluice.model.Sale.SaleTerms;
import io.sluice.model.SkuSettings.Watermarks;
import io.sluice.stock.BucketCode;
import io.sluice.stock.InMemoryData;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A bucket that goes on to another partition with its SKU's next sale leaves nothing in Redis. */
class LeftPartitionTest {
  private static final int OTHER = 1;

  /** Sales with carts, named so that their SKUs are in the one partition or the other. */
  private static final String ELSEWHERE = "together";

  private static final String HERE = "next";

  private final OwnerScene scene = OwnerScene.besideAnother(10);

  private boolean isInRedis() {
    return scene.stock.hasAny(List.of(BUCKET)).result();
  }

  private void end() {
    scene.ledger.change(BUCKET.skuId(), StateChange.END);
    scene.settle();
  }

  /**
   * It ends and goes elsewhere while it cannot be deleted from Redis; that is tried again later.
   */
  private void leavesWithoutBeingDeleted() {
    scene.calls.fail("unload", new IllegalStateException("Redis is away"));
    end();
    joins(ELSEWHERE);
    scene.calls.instead.remove("unload");
  }

  private void endThere() {
    scene.ledger.change(BUCKET.skuId(), StateChange.END);
    Fence there = scene.ledger.takeOver(OTHER, 0).result();
    scene.ledger.raiseEpoch(there, BUCKET, 0).result();
  }

  private void joins(String sale) {
    SaleTerms terms = new SaleTerms(0, 0, 300, false);
    SaleSku sku = SaleSkus.of(BUCKET.skuId(), 10, 1, 0, new Watermarks(20, 5));
    assertThat(
            scene.ledger.sales().put(new NewSale(sale, sale, true, terms, List.of(sku))).result())
        .isInstanceOf(SaleLedger.PutResult.Done.class);
    assertThat(scene.row().partition()).isEqualTo(sale.equals(HERE) ? 0 : OTHER);
  }

  @Test
  void shouldUnloadItWhenTheFirstAttemptFailedAndItHasLeft() {
    // given
    leavesWithoutBeingDeleted();
    boolean left = isInRedis();

    // when
    scene.settle();

    // then
    assertThat(left).isTrue();
    assertThat(isInRedis()).isFalse();
    assertThat(scene.row().epoch()).isEqualTo(scene.row().sinceEpoch() + 1);
  }

  @Test
  void shouldUnloadItAfterATakeOverWhenItHasLeft() {
    // given
    leavesWithoutBeingDeleted();
    boolean left = isInRedis();
    scene.owner.stop();

    // when
    scene.takeOver();
    scene.settle();

    // then
    assertThat(left).isTrue();
    assertThat(isInRedis()).isFalse();
  }

  @Test
  void shouldUnloadItAfterATakeOverWhenItsSkuWasDeleted() {
    // given
    scene.calls.fail("unload", new IllegalStateException("Redis is away"));
    end();
    DeleteResult deleted = scene.ledger.delete(BUCKET.skuId()).result();
    scene.calls.instead.remove("unload");
    boolean left = isInRedis();
    scene.owner.stop();

    // when
    scene.takeOver();
    scene.settle();

    // then
    assertThat(deleted).isEqualTo(new DeleteResult.Done());
    assertThat(left).isTrue();
    assertThat(isInRedis()).isFalse();
  }

  @Test
  void shouldLoadItOnceItIsMadeAgainWhileRedisHasTheDeletedOne() {
    // given
    scene.calls.fail("unload", new IllegalStateException("Redis is away"));
    end();
    long before = scene.redis().epoch();
    scene.ledger.delete(BUCKET.skuId());
    scene.calls.instead.remove("unload");

    // when
    scene.addAgain(7);
    scene.serveRequests();
    scene.settle();

    // then
    assertThat(scene.redis().code()).isEqualTo(BucketCode.OK);
    assertThat(scene.redis().total()).isEqualTo(7);
    assertThat(scene.redis().epoch()).isEqualTo(scene.row().epoch()).isGreaterThan(before);
    assertThat(scene.ledger.goneBuckets(0, Optional.empty(), 10).result()).isEmpty();
  }

  @Test
  void shouldUnloadWhatAnOldFileBringsBackOfItWhenItHasLeft() {
    // given
    InMemoryData old = scene.stock.save();
    end();
    joins(ELSEWHERE);
    boolean ended = !isInRedis();

    // when
    scene.stock.restore(old);
    scene.stock.restart("redis2");
    boolean back = isInRedis();
    scene.settle();

    // then
    assertThat(ended).isTrue();
    assertThat(back).isTrue();
    assertThat(isInRedis()).isFalse();
  }

  /** Its row was read before; the request to load it finds that of its deletion. */
  @Test
  void shouldLoadItWhenItComesBackWhileItIsDeleted() {
    // given
    leavesWithoutBeingDeleted();
    scene.calls.instead.put(
        "hasAny",
        asked -> {
          scene.calls.instead.remove("hasAny");
          endThere();
          joins(HERE);
          scene.serveRequests();
          return null;
        });

    // when
    for (int i = 0; i < 1_000 && !isLoadAnswered(); i++) {
      scene.advance(Duration.ofMillis(50));
    }

    // then
    assertThat(isLoadAnswered()).isTrue();
    assertThat(scene.redis().code()).isEqualTo(BucketCode.OK);
    assertThat(scene.redis().epoch()).isEqualTo(scene.row().epoch());
  }

  private boolean isLoadAnswered() {
    return scene.calls.instead.isEmpty()
        && scene.ledger.openRequests(List.of(OwnerScene.PARTITION), 0, 10).result().isEmpty();
  }

  /** In a ledger that was restored, this partition may be where it was afterwards. */
  @Test
  void shouldKeepWhatItHasLeftAsLongAsTheLogLacksRecords() {
    // given
    leavesWithoutBeingDeleted();
    scene.calls.answer("beginOffset", 1_000L);

    // when
    scene.settle();
    boolean kept = isInRedis();
    scene.calls.answer("hasLost", true);
    scene.calls.instead.remove("beginOffset");
    scene.owner.watchEnds();
    scene.settle();
    boolean keptStill = isInRedis();
    scene.calls.instead.remove("hasLost");
    scene.owner.watchEnds();
    scene.settle();

    // then
    assertThat(List.of(kept, keptStill, isInRedis())).containsExactly(true, true, false);
  }

  @Test
  void shouldLeaveItAloneOnceItIsBack() {
    // given
    end();
    joins(ELSEWHERE);
    endThere();
    joins(HERE);
    scene.serveRequests();
    scene.settle();
    scene.calls.of("freeze").clear();

    // when
    scene.owner.watchEnds();
    scene.settle();

    // then
    assertThat(scene.redis().code()).isEqualTo(BucketCode.OK);
    assertThat(scene.calls.of("freeze")).isEmpty();
    assertThat(scene.ledger.goneBuckets(0, Optional.empty(), 10).result()).isEmpty();
  }
}
