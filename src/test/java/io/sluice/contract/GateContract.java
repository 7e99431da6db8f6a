package io.sluice.contract;

import static io.sluice.model.Grants.at;
import static io.sluice.model.Grants.inEpoch;
import static io.sluice.model.OrderStatus.CANCELED;
import static io.sluice.model.OrderStatus.PENDING;
import static io.sluice.model.OrderStatus.REJECTED;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.BucketRow.LoadRow;
import io.sluice.ledger.OutboxRow.OutboxKind;
import io.sluice.ledger.Step.Result;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.Grants;
import io.sluice.model.Reason;
import io.sluice.model.Sku;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which grants a ledger accepts, and what it does with the others. */
abstract class GateContract extends LedgerScene {

  private BucketId bucket;

  @BeforeEach
  void openSku() {
    bucket = sku(10);
  }

  @Test
  void shouldDeadLetterTheOneCommandWhenItsDataIsImpossible() {
    // given
    BucketId unknown = new BucketId(newSkuId(), 0);
    Grant good = grant(bucket, 1);

    // when
    Result.Applied applied =
        apply(
            bucket,
            new Command.Malformed("{]", "Expected JSON, but got something else"),
            reserve(grant(unknown, 1)),
            reserve(grant(new BucketId(bucket.skuId(), 1), 1)),
            reserve(grant(bucket, 2, 1_001)),
            reserve(inEpoch(grant(bucket, 3), 9_000_000)),
            reserve(good));

    // then
    assertThat(applied.booked()).containsExactly(good.token());
    assertThat(applied.outbox()).contains(OutboxKind.DEAD);
    assertThat(outbox(bucket, OutboxKind.DEAD)).hasSize(5);
    assertThat(row(bucket).held()).isEqualTo(1);
  }

  @Test
  void shouldEndHoldsThatAreOverWhenThereIsNoRoomForALaterGrant() {
    // given
    Sku sku = sku(22, 11);
    BucketId bucket = new BucketId(sku.skuId(), 1);
    BucketId beside = new BucketId(sku.skuId(), 10);
    Grant over = at(grant(bucket, 1), 1_000, 2_000);
    Grant besides = at(grant(beside, 2), 1_000, 1_500);
    apply(bucket, reserve(over));
    apply(bucket, reserve(at(grant(bucket, 3), 1_000, 9_000_000)));
    apply(beside, reserve(besides));
    Grant later = at(grant(bucket, 4), 5_000_000, 6_000_000);

    // when
    Result.Applied applied = apply(bucket, reserve(later));

    // then
    assertThat(applied.full()).isEmpty();
    assertThat(applied.outbox()).contains(OutboxKind.RELEASE);
    assertThat(order(over.token()).status()).isEqualTo(CANCELED);
    assertThat(order(over.token()).reason()).isEqualTo(Reason.TIMEOUT);
    assertThat(order(besides.token()).status()).isEqualTo(PENDING);
    assertThat(order(later.token()).status()).isEqualTo(PENDING);
    assertThat(row(bucket).held()).isEqualTo(2);
  }

  @Test
  void shouldTakeTheEpochOfAGrantOverWhenTheLedgerHasForgottenIt() {
    // given
    Grant first = inEpoch(grant(bucket, 1), 6);
    Grant second = inEpoch(grant(bucket, 2), 6);

    // when
    Result.Applied applied = read(bucket, reserve(first));
    Result.Applied after = read(bucket, reserve(second));

    // then
    assertThat(applied.ahead()).containsExactly(bucket);
    assertThat(applied.booked()).containsExactly(first.token());
    assertThat(after.ahead()).as("once, not with each order").isEmpty();
    assertThat(row(bucket).epoch()).isEqualTo(6);
    assertThat(row(bucket).held()).isEqualTo(2);
  }

  @Test
  void shouldSetTheSecondOrderAsideWhenTwoClaimOneSeq() {
    // given
    Grant first = grant(bucket, 1);
    Grant third = grant(bucket, 3);
    apply(bucket, reserve(first));

    // when
    Result.Applied applied =
        read(
            bucket,
            reserve(grant(bucket, 2)),
            reserve(Grants.withSeq(grant(bucket, 4), first.seq())),
            reserve(third),
            reserve(Grants.withSeq(grant(bucket, 5), third.seq())),
            new Command.Confirm(third.token()));

    // then
    assertThat(applied.clashing()).containsExactly(bucket);
    assertThat(applied.booked())
        .containsExactly(grant(bucket, 2).token(), grant(bucket, 3).token());
    assertThat(outbox(bucket, OutboxKind.DEAD)).hasSize(2);
    assertThat(row(bucket).held()).isEqualTo(2);
    assertThat(row(bucket).sold()).isEqualTo(1);
    assertThat(apply(bucket, reserve(first)).clashing()).isEmpty();
  }

  @Test
  void shouldKeepARejectionWhenTheOrderComesAgainAndThereIsRoom() {
    // given
    BucketId bucket = sku(1);
    Grant first = grant(bucket, 1);
    Grant second = grant(bucket, 2);
    read(bucket, reserve(first), reserve(second));
    apply(bucket, new Command.Cancel(first.token(), Reason.BUYER));

    // when
    Result.Applied again = read(bucket, reserve(second), new Command.Confirm(second.token()));

    // then
    assertThat(again.booked()).containsExactly(second.token());
    assertThat(order(second.token()).status()).isEqualTo(REJECTED);
    assertThat(order(second.token()).latePaidAtMs()).isPositive();
    assertThat(order(second.token()).version()).isEqualTo(2);
    assertThat(row(bucket).held()).isZero();
  }

  @Test
  void shouldTakeAnOrderForADuplicateWhenItComesAgainAndThereIsNoRoom() {
    // given
    BucketId bucket = sku(1);
    Grant grant = grant(bucket, 1);
    read(bucket, reserve(grant));

    // when
    Result.Applied again = read(bucket, reserve(grant));

    // then
    assertThat(again.full()).isEmpty();
    assertThat(again.booked()).containsExactly(grant.token());
    assertThat(again.outbox()).isEmpty();
    assertThat(row(bucket).held()).isEqualTo(1);
    assertThat(order(grant.token()).status()).isEqualTo(PENDING);
  }

  @Test
  void shouldKeepTheSaleAndTheReferenceOfAnOrder() {
    // given
    Grant plain = grant(bucket, 1);
    Grant other = grant(bucket, 2);
    Grant grant = Grants.with(plain, plain.qty(), plain.seq(), 4, "cart|7'\\\"");

    // when
    read(bucket, reserve(grant), reserve(other));
    apply(bucket, new Command.Confirm(grant.token()));

    // then
    assertThat(order(grant.token()))
        .extracting("saleNo", "reference")
        .containsExactly(4L, grant.reference());
    assertThat(get(ledger().loadRows(row(bucket), Optional.empty(), 10)))
        .extracting(LoadRow::grant)
        .containsExactly(grant, other);
  }
}
