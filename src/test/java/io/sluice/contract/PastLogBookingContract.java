package io.sluice.contract;

import static io.sluice.model.Grants.inEpoch;
import static io.sluice.model.OrderStatus.CANCELED;
import static io.sluice.model.OrderStatus.CONFIRMED;
import static io.sluice.model.OrderStatus.REJECTED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.ledger.Fence;
import io.sluice.ledger.Ledger.Booked;
import io.sluice.ledger.OutboxRow.OutboxKind;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.Grants;
import io.sluice.model.Reason;
import io.vertx.core.Future;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How a ledger books grants that do not come from the order log. */
abstract class PastLogBookingContract extends LedgerScene {

  private BucketId bucket;

  @BeforeEach
  void openSku() {
    bucket = sku(10);
  }

  @Test
  void shouldLeaveTheFenceAloneWhenBookedBesideTheOwner() {
    // given
    Fence fence = own(bucket);
    List<Grant> grants = List.of(grant(bucket, 1));

    // when
    get(ledger().book(() -> grants));

    // then
    assertThat(get(ledger().fences())).containsEntry(fence.partition(), fence);
  }

  @Test
  void shouldCountEachOnceWhenTheLogHasThemAmongOthers() {
    // given
    Grant known = grant(bucket, 1);
    Grant ended = grant(bucket, 2);
    Grant fresh = grant(bucket, 3);
    get(ledger().book(() -> List.of(known, ended)));
    apply(bucket, new Command.Cancel(ended.token(), Reason.BUYER));

    // when
    var applied =
        read(
            bucket,
            reserve(known),
            reserve(fresh),
            new Command.Confirm(known.token()),
            reserve(ended),
            new Command.Confirm(fresh.token()));

    // then
    assertThat(applied.booked())
        .containsExactlyInAnyOrder(known.token(), fresh.token(), ended.token());
    assertThat(order(known.token()).status()).isEqualTo(CONFIRMED);
    assertThat(order(fresh.token()).status()).isEqualTo(CONFIRMED);
    assertThat(order(ended.token()).status()).isEqualTo(CANCELED);
    assertThat(row(bucket).held()).isZero();
    assertThat(row(bucket).sold()).isEqualTo(2);
    assertThat(events(bucket).stream().filter("ORDER_BOOKED"::equals)).hasSize(3);
  }

  @Test
  void shouldNotBeStaleWhenTheLogHasThemAfterARebuild() {
    // given
    Grant grant = grant(bucket, 1);
    get(ledger().book(() -> List.of(grant)));
    get(ledger().raiseEpoch(own(bucket), bucket, 0));

    // when
    var applied = read(bucket, reserve(grant), reserve(inEpoch(grant(bucket, 2), 2)));

    // then
    assertThat(applied.booked()).hasSize(2).contains(grant.token());
    assertThat(applied.stale()).isEmpty();
    assertThat(events(bucket)).containsExactly("ORDER_BOOKED", "ORDER_BOOKED");
  }

  @Test
  void shouldTellTheOrderAsItIsWhenItWasBookedBefore() {
    // given
    Grant grant = grant(bucket, 1);
    apply(bucket, reserve(grant), new Command.Cancel(grant.token(), Reason.BUYER));

    // when
    Booked again = get(ledger().book(() -> List.of(grant, grant)));

    // then
    assertThat(again.orders().get(grant.token()).status()).isEqualTo(CANCELED);
    assertThat(row(bucket).free()).isEqualTo(10);
    assertThat(outbox(bucket, OutboxKind.RELEASE)).hasSize(1);
  }

  @Test
  void shouldBookNothingWhenTheEpochIsOver() {
    // given
    Grant old = grant(bucket, 1);
    Grant now = inEpoch(grant(bucket, 2), 2);
    get(ledger().raiseEpoch(own(bucket), bucket, 0));

    // when
    Booked booked = get(ledger().book(() -> List.of(old, now)));

    // then
    assertThat(booked.orders()).containsOnlyKeys(now.token());
    assertThat(get(ledger().orders(List.of(old.token())))).isEmpty();
    assertThat(row(bucket).held()).isEqualTo(1);
    assertThat(events(bucket)).containsExactly("STALE_GRANT_DROPPED", "ORDER_BOOKED");
  }

  /** As in a ledger that was restored, and has grants of the earlier epoch still to read. */
  @Test
  void shouldRaiseNoEpochOfWhichTheLogMayHaveEarlierGrants() {
    // given
    Grant ahead = inEpoch(grant(bucket, 1), 6);
    Grant first = grant(bucket, 2);

    // when
    Booked booked = get(ledger().book(() -> List.of(ahead)));
    var swept = apply(bucket, reserve(inEpoch(grant(bucket, 3), 6)));
    var logged = read(bucket, reserve(first));

    // then
    assertThat(booked.unsound()).isTrue();
    assertThat(swept.ahead()).containsExactly(bucket);
    assertThat(logged.booked()).containsExactly(first.token());
    assertThat(order(ahead.token()).epoch()).isEqualTo(6);
    assertThat(row(bucket).epoch()).isEqualTo(1);
    assertThat(row(bucket).held()).isEqualTo(3);
    assertThat(get(ledger().raiseEpoch(own(bucket), bucket, 0)).orElseThrow().epoch()).isEqualTo(7);
  }

  @Test
  void shouldTellTheRejectionWhenItIsBookedAgainAndThereIsRoom() {
    // given
    BucketId bucket = sku(1);
    Grant grant = grant(bucket, 1, 2);
    read(bucket, reserve(grant));
    restock(bucket.skuId(), "more", 5);

    // when
    Booked again = get(ledger().book(() -> List.of(grant)));

    // then
    assertThat(again.orders().get(grant.token()).status()).isEqualTo(REJECTED);
    assertThat(row(bucket).held()).isZero();
  }

  @Test
  void shouldSetTheSecondOrderAsideWhenTwoClaimOneSeq() {
    // given
    Grant first = grant(bucket, 1);
    Grant second = grant(bucket, 2);
    Grant twin = Grants.withSeq(second, first.seq());
    Grant third = grant(bucket, 3);
    get(ledger().book(() -> List.of(first)));

    // when
    Booked booked = get(ledger().book(() -> List.of(twin, third)));

    // then
    assertThat(booked.unsound()).isTrue();
    assertThat(booked.orders()).containsOnlyKeys(third.token());
    assertThat(outbox(bucket, OutboxKind.DEAD)).hasSize(1);
    assertThat(row(bucket).held()).isEqualTo(2);
  }

  @Test
  void shouldBookEachOnceWhenManyBookTheSameBucketAtOnce() {
    // given
    BucketId bucket = sku(100);
    List<Grant> grants = IntStream.rangeClosed(1, 12).mapToObj(i -> grant(bucket, i)).toList();

    // when
    List<Future<Booked>> bookings =
        IntStream.range(0, 6).mapToObj(i -> ledger().book(() -> grants.subList(i, i + 7))).toList();

    // then
    get(Future.all(bookings));
    assertThat(row(bucket).held()).isEqualTo(12);
    assertThat(events(bucket)).hasSize(12);
  }

  @Test
  void shouldRefuseTheCallWhenTheGrantsAreOfTwoBuckets() {
    // given
    List<Grant> grants = List.of(grant(sku(1), 1), grant(sku(1), 2));

    // when, then
    assertThatThrownBy(() -> get(ledger().book(() -> grants)))
        .hasMessageContaining("Expected grants of one bucket");
  }
}
