package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.Fence;
import io.sluice.ledger.Ledger;
import io.sluice.ledger.LedgerUnavailableException;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.Grants;
import io.sluice.model.OrderStatus;
import io.sluice.model.Reason;
import io.sluice.monitor.Alarm;
import io.sluice.owner.RebuildRequest.RebuildSupersededException;
import io.sluice.stock.BucketCode;
import io.sluice.stock.StockStore;
import io.sluice.stock.StockStore.Overdue;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Grants that only Redis has. */
class UnbookedGrantsTest {
  private static final LedgerUnavailableException AWAY =
      new LedgerUnavailableException("away", null);
  private static final int MANY = 2 * UnbookedGrants.PAGE_MAX + 1;

  private final OwnerScene scene = OwnerScene.withStock(2 * StockStore.PASSED_OVER);
  private final UnbookedGrants unit = new UnbookedGrants(context());

  @Test
  void shouldBookAllPageAfterPage() {
    // given
    grantMany(MANY);

    // when
    Future<Void> booked = unit.bookAll(OwnerScene.BUCKET);

    // then
    assertThat(booked.succeeded()).isTrue();
    assertThat(scene.row().held()).isEqualTo(MANY);
    assertThat(scene.redis().unbookedCount()).isZero();
    assertThat(scene.calls.of("overdue")).hasSize(3);
  }

  @Test
  void shouldAskForNoPageWhenNothingIsUnbooked() {
    // when
    Future<Void> booked = unit.bookAll(OwnerScene.BUCKET);

    // then
    assertThat(booked.succeeded()).isTrue();
    assertThat(scene.calls.of("overdue")).isEmpty();
  }

  @Test
  void shouldAskForNoMorePagesThanWereCounted() {
    // given
    grantMany(2 * UnbookedGrants.PAGE_MAX);

    // when
    unit.bookAll(OwnerScene.BUCKET);

    // then
    assertThat(scene.calls.of("overdue")).hasSize(2);
  }

  /**
   * Grants made in the meantime also come through the log, so booking them is not repeated without
   * end.
   */
  @Test
  void shouldNotRunAfterWhatIsGrantedMeanwhile() {
    // given
    grantMany(UnbookedGrants.PAGE_MAX);
    scene.calls.instead.put(
        "book",
        call -> {
          scene.grant("late" + scene.calls.of("book").size(), 1);
          return null;
        });

    // when
    Future<Void> booked = unit.bookAll(OwnerScene.BUCKET);

    // then
    assertThat(booked.succeeded()).isTrue();
    assertThat(scene.calls.of("book")).hasSize(1);
  }

  @Test
  void shouldEndWhenRedisListsNothingOfWhatItCounts() {
    // given
    grantMany(1);
    scene.calls.answer("overdue", new Overdue(BucketCode.LOST, List.of()));

    // when
    Future<Void> booked = unit.bookAll(OwnerScene.BUCKET);

    // then
    assertThat(booked.succeeded()).isTrue();
    assertThat(scene.calls.of("overdue")).hasSize(1);
  }

  /** A page without a grant was taken for the last one. */
  @Test
  void shouldGoOnBehindTokensThatHaveNoRecord() {
    // given
    grantMany(StockStore.PASSED_OVER + 1);
    scene.calls.instead.put(
        "overdue",
        call ->
            call[3].equals(0)
                ? Future.succeededFuture(new Overdue(BucketCode.OK, List.of()))
                : null);

    // when
    Future<Void> booked = unit.bookAll(OwnerScene.BUCKET);

    // then
    assertThat(booked.succeeded()).isTrue();
    assertThat(scene.row().held()).isEqualTo(1);
    assertThat(scene.calls.of("overdue")).hasSize(2);
  }

  /** It was frozen by an owner that died; then a rebuild drops what only Redis knows. */
  @Test
  void shouldBookAllOfABucketThatIsFrozen() {
    // given
    grantMany(MANY);
    scene.stock.freeze(OwnerScene.BUCKET, scene.redis().term());

    // when
    Future<Void> booked = unit.bookAll(OwnerScene.BUCKET);

    // then
    assertThat(booked.succeeded()).isTrue();
    assertThat(scene.row().held()).isEqualTo(MANY);
  }

  /** The next page would contain the same grants again. */
  @Test
  void shouldFailWhenRedisDoesNotTakeThemOut() {
    // given
    grantMany(MANY);
    scene.calls.answer("book", BucketCode.STALE_TERM);

    // when
    Future<Void> booked = unit.bookAll(OwnerScene.BUCKET);

    // then
    assertThat(booked.cause()).isInstanceOf(RebuildSupersededException.class);
    assertThat(scene.calls.of("book")).hasSize(1);
  }

  @Test
  void shouldFailAndRejectNothingWhenTheLedgerIsAway() {
    // given
    Grant grant = scene.grant("alice", 1);
    scene.calls.fail("apply", AWAY);

    // when
    Future<Void> booked = unit.book(List.of(grant));

    // then
    assertThat(booked.cause()).isSameAs(AWAY);
    assertThat(scene.calls.of("rehearse")).isEmpty();
  }

  @Test
  void shouldRejectTheOneThatTheLedgerCannotStoreAndBookTheOthers() {
    // given
    List<Grant> grants = grantMany(3);
    scene.calls.refuse(new Command.Reserve(grants.get(1), null));
    long before = Alarm.SWEPT_GRANT_REFUSED.raised();

    // when
    Future<Void> booked = unit.book(grants);

    // then
    assertThat(booked.succeeded()).isTrue();
    assertThat(Alarm.SWEPT_GRANT_REFUSED.raised()).isEqualTo(before + 1);
    expectTheSecondRejected();
  }

  /** Only something else than Sluice can have written it into Redis. */
  @Test
  void shouldRejectTheOneThatNoGateLetsInAndBookTheOthers() {
    // given
    List<Grant> grants = new ArrayList<>(grantMany(3));
    Grant odd = grants.get(1);
    grants.set(
        1, Grants.of(odd.token(), odd.userId(), 0, odd.seq(), odd.epoch(), odd.grantedAtMs(), 0));

    // when
    Future<Void> booked = unit.book(grants);

    // then
    assertThat(booked.succeeded()).isTrue();
    expectTheSecondRejected();
  }

  private void expectTheSecondRejected() {
    assertThat(scene.order("buyer0").status()).isEqualTo(OrderStatus.PENDING);
    assertThat(scene.order("buyer1").status()).isEqualTo(OrderStatus.REJECTED);
    assertThat(scene.order("buyer1").reason()).isEqualTo(Reason.UNPROCESSABLE);
    assertThat(scene.order("buyer2").status()).isEqualTo(OrderStatus.PENDING);
  }

  private List<Grant> grantMany(int count) {
    return IntStream.range(0, count).mapToObj(i -> scene.grant("buyer" + i, 1)).toList();
  }

  /** The context of the scene's owner, which is idle meanwhile. */
  private OwnerContext context() {
    Fence fence = scene.ledger.fences().result().get(OwnerScene.PARTITION);
    Ownership ownership = new Ownership(fence, new KnownFences(), () -> {});
    Ledger ledger = scene.calls.before(Ledger.class, scene.ledger);
    scene.calls.of("overdue").clear();
    scene.calls.of("book").clear();
    return OwnerScene.context(
        ownership,
        ledger,
        scene.calls.before(StockStore.class, scene.stock),
        scene.log,
        scene.events);
  }
}
