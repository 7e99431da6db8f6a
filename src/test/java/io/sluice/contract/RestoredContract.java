package io.sluice.contract;

import static io.sluice.model.Grants.inEpoch;
import static io.sluice.model.OrderStatus.CANCELED;
import static io.sluice.model.OrderStatus.CONFIRMED;
import static io.sluice.model.OrderStatus.PENDING;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.Batches;
import io.sluice.ledger.Fence;
import io.sluice.ledger.OutboxRow.OutboxKind;
import io.sluice.ledger.Step;
import io.sluice.ledger.Step.Result;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.Grants;
import io.sluice.model.OrderToken;
import io.sluice.model.Reason;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The log is read again from an earlier offset, and grants of the current epoch, which are booked
 * without being looked for, meet rows that exist: by their token, their place, or both.
 */
abstract class RestoredContract extends LedgerScene {

  /** Goes back to the offset that the log had before these records. */
  private Result.Applied readAgain(BucketId bucket, Fence before, Command... commands) {
    get(ledger().reset(before.partition(), before.nextOffset()));
    return read(bucket, commands);
  }

  private void expectSound(BucketId bucket, Result.Applied applied, OrderToken... booked) {
    assertThat(applied.booked()).containsExactly(booked);
    assertThat(applied.clashing()).isEmpty();
    assertThat(applied.full()).isEmpty();
    assertThat(outbox(bucket, OutboxKind.DEAD)).isEmpty();
  }

  private BucketId bucket;

  @BeforeEach
  void openSku() {
    bucket = sku(10);
  }

  @Test
  void shouldBookOnlyWhatIsNewWhenTheLogIsReadAgain() {
    // given
    Fence before = own(bucket);
    Grant held = grant(bucket, 1);
    Grant paid = grant(bucket, 2);
    Grant ended = grant(bucket, 3);
    Grant fresh = grant(bucket, 4);
    read(bucket, reserve(held), reserve(paid), reserve(ended), new Command.Confirm(paid.token()));
    apply(bucket, new Command.Cancel(ended.token(), Reason.TIMEOUT));
    int events = events(bucket).size();

    // when
    Result.Applied again =
        readAgain(
            bucket,
            before,
            reserve(held),
            reserve(paid),
            reserve(ended),
            new Command.Confirm(paid.token()),
            reserve(fresh));

    // then
    expectSound(bucket, again, held.token(), paid.token(), ended.token(), fresh.token());
    assertThat(order(held.token()).status()).isEqualTo(PENDING);
    assertThat(order(paid.token()).status()).isEqualTo(CONFIRMED);
    assertThat(order(ended.token()).status()).isEqualTo(CANCELED);
    assertThat(events(bucket)).hasSize(events + 1);
    assertThat(List.of(row(bucket).held(), row(bucket).sold())).containsExactly(2L, 1L);
  }

  @Test
  void shouldTakeTheOrderForADuplicateWhenItHasAnotherPlace() {
    // given
    Grant first = grant(bucket, 1);
    read(bucket, reserve(first));
    get(ledger().raiseEpoch(own(bucket), bucket, 1));

    // when
    Result.Applied applied =
        read(bucket, reserve(inEpoch(first, 2)), reserve(inEpoch(grant(bucket, 2), 2)));

    // then
    expectSound(bucket, applied, first.token(), grant(bucket, 2).token());
    assertThat(order(first.token()).epoch()).isEqualTo(1);
    assertThat(row(bucket).held()).isEqualTo(2);
  }

  /** Only the order whose place another one has is set aside. */
  @Test
  void shouldNotTakeADuplicateForAClashWhenAnotherOrderClashes() {
    // given
    Fence before = own(bucket);
    Grant first = grant(bucket, 1);
    Grant second = grant(bucket, 2);
    read(bucket, reserve(first), reserve(second));
    Grant third = grant(bucket, 3);
    Grant twin =
        Grants.of(third.token(), Buyers.of(3), 1, 2, 1, third.grantedAtMs(), third.payBeforeMs());

    // when
    Result.Applied again =
        readAgain(bucket, before, reserve(twin), reserve(second), reserve(first));

    // then
    assertThat(again.clashing()).containsExactly(bucket);
    assertThat(again.booked()).containsExactly(second.token(), first.token());
    assertThat(outbox(bucket, OutboxKind.DEAD)).hasSize(1);
    assertThat(row(bucket).held()).isEqualTo(2);
  }

  @Test
  void shouldRehearseWithoutARefusalWhenTheLogIsReadAgain() {
    // given
    Fence before = own(bucket);
    Command[] commands = {reserve(grant(bucket, 1)), reserve(grant(bucket, 2))};
    read(bucket, commands);
    Fence restored = get(ledger().reset(before.partition(), before.nextOffset()));
    Step step = Step.advance(restored, restored.nextOffset() + 1);

    // when
    get(ledger().rehearse(step, Arrays.asList(commands)));

    // then
    assertThat(row(bucket).held()).isEqualTo(2);
    assertThat(applied(get(Batches.apply(ledger(), step, Arrays.asList(commands)))).booked())
        .hasSize(2);
  }
}
