package io.sluice.contract;

import static io.sluice.model.OrderStatus.PENDING;
import static io.sluice.model.OrderStatus.REJECTED;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.OutboxRow.OutboxKind;
import io.sluice.ledger.Step.Result;
import io.sluice.ledger.rules.OutboxPayload;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.OrderToken;
import io.sluice.model.Reason;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What a ledger does with grants that are written off and whose tokens Sluice cannot have made: a
 * token is stored as 128 bits, of which other texts exist.
 */
abstract class RejectContract extends LedgerScene {

  /** Another text of the same 128 bits. */
  private static OrderToken twin(OrderToken token) {
    int last = token.value().length() - 1;
    String text = token.value().substring(0, last) + (char) (token.value().charAt(last) + 1);
    return OrderToken.parse(text).orElseThrow();
  }

  /** As no parser accepts it. */
  private static OrderToken undecodable(OrderToken token) {
    String text = token.value().replaceAll("[^.]{21}(.)$", "*".repeat(21) + "$1");
    return new OrderToken(token.skuId(), token.bucket(), text);
  }

  private static Command reject(Grant grant, OrderToken token) {
    return new Command.Reject(
        new Grant(token, grant.userId(), grant.units(), null, null), Reason.UNPROCESSABLE);
  }

  private BucketId bucket;

  @BeforeEach
  void openSku() {
    bucket = sku(10);
  }

  @Test
  void shouldBookTheRestWhenATokenHasTheBytesOfAnOrder() {
    // given
    Grant booked = grant(bucket, 1);
    apply(bucket, reserve(booked));
    OrderToken twin = twin(booked.token());

    // when
    Result.Applied applied =
        apply(
            bucket,
            reserve(grant(bucket, 2)),
            reject(grant(bucket, 3), twin),
            reserve(grant(bucket, 4)));

    // then
    assertThat(applied.booked()).hasSize(2);
    assertThat(order(booked.token()).status()).isEqualTo(PENDING);
    assertThat(outbox(bucket, OutboxKind.DEAD)).hasSize(1);
    assertThat(entries(bucket, OutboxKind.RELEASE))
        .extracting(release -> OutboxPayload.releaseOf(release.payload()))
        .containsExactly(new OutboxPayload.Release(twin, 1, 3));
    assertThat(get(ledger().orders(List.of(twin)))).isEmpty();
  }

  @Test
  void shouldNotTakeTheRowOfAnOrderThatIsBookedLater() {
    // given
    Grant grant = grant(bucket, 1);
    apply(bucket, reject(grant(bucket, 2), twin(grant.token())));

    // when
    Result.Applied applied = read(bucket, reserve(grant));

    // then
    assertThat(applied.booked()).containsExactly(grant.token());
    assertThat(order(grant.token()).status()).isEqualTo(PENDING);
  }

  @Test
  void shouldBookTheRestWhenATokenHasTheBytesOfARejectedOrder() {
    // given
    Grant rejected = grant(bucket, 1);
    apply(bucket, new Command.Reject(rejected, Reason.UNPROCESSABLE));
    Command again = reject(grant(bucket, 2), twin(rejected.token()));

    // when
    Result.Applied applied = apply(bucket, again, reserve(grant(bucket, 3)), again);

    // then
    assertThat(applied.booked()).hasSize(1);
    assertThat(order(rejected.token()).status()).isEqualTo(REJECTED);
    assertThat(order(rejected.token()).version()).isEqualTo(1);
  }

  @Test
  void shouldBookTheRestWhenATokenHasNoBytes() {
    // given
    Grant odd = grant(bucket, 1);

    // when
    Result.Applied applied =
        apply(bucket, reject(odd, undecodable(odd.token())), reserve(grant(bucket, 2)));

    // then
    assertThat(applied.booked()).hasSize(1);
    assertThat(outbox(bucket, OutboxKind.DEAD)).hasSize(1);
    assertThat(outbox(bucket, OutboxKind.RELEASE)).isEmpty();
    assertThat(row(bucket).held()).isEqualTo(1);
  }
}
