package io.sluice.contract;

import static io.sluice.model.Grants.inEpoch;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.Batches;
import io.sluice.ledger.Fence;
import io.sluice.ledger.Ledger.Correction;
import io.sluice.ledger.OutboxRow;
import io.sluice.ledger.OutboxRow.OutboxKind;
import io.sluice.ledger.OwnerRequest;
import io.sluice.ledger.OwnerRequest.RequestKind;
import io.sluice.ledger.Step;
import io.sluice.ledger.Step.Result;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.Sku;
import io.sluice.testkit.Placements;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a ledger provides for owners: fences, the outbox, buckets and requests. */
abstract class OwnershipContract extends LedgerScene {
  private BucketId bucket;

  @BeforeEach
  void openSku() {
    bucket = sku(10);
  }

  @Test
  void shouldRaiseTheTermWhenTakenOver() {
    // given
    Fence first = get(ledger().takeOver(0, 0));

    // when
    Fence second = get(ledger().takeOver(0, 0));

    // then
    assertThat(second.term()).isGreaterThan(first.term());
    assertThat(second.nextOffset()).isEqualTo(first.nextOffset());
    assertThat(get(ledger().fences())).containsEntry(0, second);
  }

  @Test
  void shouldBeginElsewhereWhenReset() {
    // given
    Fence before = get(ledger().takeOver(0, 0));

    // when
    Fence reset = get(ledger().reset(0, 7));

    // then
    assertThat(reset.term()).isGreaterThan(before.term());
    assertThat(reset.nextOffset()).isEqualTo(7);
    assertThat(get(Batches.apply(ledger(), Step.check(before), List.of())))
        .isEqualTo(new Result.FenceLost(reset));
  }

  @Test
  void shouldPassTheLogWhenTheFenceIsMine() {
    // given
    Fence fence = own(bucket);
    long end = fence.nextOffset() + 5;

    // when
    Result result =
        get(Batches.apply(ledger(), Step.advance(fence, end), List.of(reserve(grant(bucket, 1)))));

    // then
    assertThat(applied(result).booked()).hasSize(1);
    assertThat(get(ledger().fences()).get(fence.partition()).nextOffset()).isEqualTo(end);
  }

  @Test
  void shouldWriteNothingWhenAnotherHasTakenOver() {
    // given
    Fence old = own(bucket);
    Fence now = own(bucket);
    List<Command> commands = List.of(reserve(grant(bucket, 1)));

    // when
    Result passing =
        get(Batches.apply(ledger(), Step.advance(old, old.nextOffset() + 1), commands));
    Result checking = get(Batches.apply(ledger(), Step.check(old), commands));

    // then
    assertThat(List.of(passing, checking)).containsOnly(new Result.FenceLost(now));
    assertThat(row(bucket).held()).isZero();
    assertThat(outbox(bucket, OutboxKind.EVENT)).isEmpty();
    assertThat(get(ledger().raiseEpoch(old, bucket, 0))).isEmpty();
    assertThat(row(bucket).epoch()).isEqualTo(1);
  }

  @Test
  void shouldWriteNothingWhenTheOffsetIsNotWhatIsRecorded() {
    // given
    Fence fence = own(bucket);
    Fence wrong = new Fence(fence.partition(), fence.term(), fence.nextOffset() + 3);

    // when
    Result result =
        get(
            Batches.apply(
                ledger(),
                Step.advance(wrong, wrong.nextOffset() + 1),
                List.of(reserve(grant(bucket, 1)))));

    // then
    assertThat(result).isEqualTo(new Result.FenceLost(fence));
    assertThat(row(bucket).held()).isZero();
  }

  @Test
  void shouldRecallTheAnswerWhenTheCommitsReplyWasLost() {
    // given
    BucketId bucket = sku(1);
    Fence fence = own(bucket);
    Step step = Step.advance(fence, fence.nextOffset() + 2);
    Grant dead = inEpoch(grant(bucket, 2), 9_000_000);
    Grant grant = grant(bucket, 1);
    List<Command> commands =
        List.of(reserve(grant), reserve(dead), new Command.Confirm(grant.token()));
    get(Batches.apply(ledger(), step, commands));
    List<String> eventsBefore = events(bucket);

    // when
    Result.Applied again = applied(get(Batches.apply(ledger(), step, commands)));

    // then
    assertThat(again.booked()).containsExactly(grant.token());
    assertThat(again.outbox()).contains(OutboxKind.EVENT, OutboxKind.DEAD, OutboxKind.RELEASE);
    assertThat(events(bucket)).isEqualTo(eventsBefore);
    assertThat(row(bucket).sold()).isEqualTo(1);
  }

  @Test
  void shouldHideRowsWhenTheyAreSent() {
    // given
    IntStream.rangeClosed(1, 3).forEach(n -> apply(bucket, reserve(grant(bucket, n))));
    List<OutboxRow> rows = outbox(bucket, OutboxKind.EVENT);

    // when
    get(ledger().sent(List.of(rows.get(1))));

    // then
    assertThat(outbox(bucket, OutboxKind.EVENT)).containsExactly(rows.get(0), rows.get(2));
    int partition = Placements.partitionOf(bucket, partitions());
    assertThat(get(ledger().pending(partition, OutboxKind.EVENT, 0, 1)))
        .containsExactly(rows.get(0));
  }

  /** A ledger that was put back to an earlier state gives an id to another row. */
  @Test
  void shouldNotMarkAnotherRowThatHasTheIdOfOneThatWasSent() {
    // given
    apply(bucket, reserve(grant(bucket, 1)));
    OutboxRow row = outbox(bucket, OutboxKind.EVENT).get(0);

    // when
    get(ledger().sent(List.of(like(row, row.partition(), row.createdAtMs() - 1))));
    get(ledger().sent(List.of(like(row, row.partition() + 1, row.createdAtMs()))));
    List<OutboxRow> left = outbox(bucket, OutboxKind.EVENT);
    get(ledger().sent(List.of(like(row, row.partition(), row.createdAtMs() - 1), row)));

    // then
    assertThat(left).containsExactly(row);
    assertThat(outbox(bucket, OutboxKind.EVENT)).isEmpty();
  }

  private static OutboxRow like(OutboxRow row, int partition, long createdAtMs) {
    return new OutboxRow(
        row.id(), partition, row.kind(), row.eventType(), row.payload(), createdAtMs);
  }

  @Test
  void shouldPurgeOnlyWhatIsSentAndOld() {
    // given
    int partition = Placements.partitionOf(bucket, partitions());
    long longAgoMs = 1;
    long soonMs = get(ledger().nowMs()) + 60_000;
    get(ledger().purge(partition, soonMs, 10_000));
    IntStream.rangeClosed(1, 3)
        .forEach(n -> apply(bucket, reserve(inEpoch(grant(bucket, n), 9_000_000))));
    List<OutboxRow> rows = outbox(bucket, OutboxKind.DEAD);
    get(ledger().sent(List.of(rows.get(0), rows.get(1))));

    // when
    int young = get(ledger().purge(partition, longAgoMs, 10));
    int first = get(ledger().purge(partition, soonMs, 1));
    int second = get(ledger().purge(partition, soonMs, 10));

    // then
    assertThat(List.of(young, first, second)).containsExactly(0, 1, 1);
    assertThat(outbox(bucket, OutboxKind.DEAD)).containsExactly(rows.get(2));
  }

  /** What is not noted yet is there until it is. */
  @Test
  void shouldDeleteEventsThatAreSentOnlyAsTheyAreNoted() {
    // given
    int partition = Placements.partitionOf(bucket, partitions());
    long soonMs = get(ledger().nowMs()) + 60_000;
    get(ledger().noteSent(partition));
    get(ledger().purge(partition, soonMs, 10_000));
    IntStream.rangeClosed(1, 3).forEach(n -> apply(bucket, reserve(grant(bucket, n))));
    List<OutboxRow> rows = outbox(bucket, OutboxKind.EVENT);
    get(ledger().sent(List.of(rows.get(0), rows.get(2))));

    // when
    int purged = get(ledger().purge(partition, soonMs, 10));
    boolean hasMore = get(ledger().noteSent(partition));
    boolean hasMoreAgain = get(ledger().noteSent(partition));

    // then
    assertThat(purged).isZero();
    assertThat(List.of(hasMore, hasMoreAgain)).containsOnly(false);
    assertThat(outbox(bucket, OutboxKind.EVENT)).containsExactly(rows.get(1));
  }

  @Test
  void shouldPageThroughAPartitionsBuckets() {
    // given
    Sku sku = sku(100, 16);
    List<BucketId> mine =
        IntStream.range(0, 16)
            .mapToObj(i -> new BucketId(sku.skuId(), i))
            .filter(id -> Placements.partitionOf(id, partitions()) == 0)
            .toList();
    BucketId before = new BucketId(sku.skuId() - 1, 999);

    // when
    var first = get(ledger().buckets(0, Optional.of(before), 1));
    var rest = get(ledger().buckets(0, Optional.of(first.get(0).id()), 100));

    // then
    assertThat(first).extracting(row -> row.id()).containsExactly(mine.get(0));
    assertThat(rest)
        .extracting(row -> row.id())
        .containsExactlyElementsOf(mine.subList(1, mine.size()));
    assertThat(get(ledger().buckets(0, Optional.empty(), 100_000))).containsAll(rest);
  }

  @Test
  void shouldReuseARequestWhileItIsOpen() {
    // given
    long first = get(skus().request(RequestKind.REBUILD, bucket));

    // when
    long again = get(skus().request(RequestKind.REBUILD, bucket));
    long other = get(skus().request(RequestKind.RECONCILE, bucket));
    get(ledger().answerRequests(List.of(first), "{\"ok\":true}"));
    get(ledger().answerRequests(List.of(first), "{\"ok\":false}"));
    long next = get(skus().request(RequestKind.REBUILD, bucket));

    // then
    assertThat(again).isEqualTo(first);
    assertThat(List.of(other, next)).doesNotContain(first);
    assertThat(get(skus().answer(first))).contains("{\"ok\":true}");
    assertThat(get(skus().answer(next))).isEmpty();
  }

  @Test
  void shouldPurgeOnlyRequestsThatAreAnsweredAndOld() {
    // given
    int partition = Placements.partitionOf(bucket, partitions());
    long soonMs = get(ledger().nowMs()) + 60_000;
    get(ledger().purgeRequests(partition, soonMs, 10_000));
    long answered = get(skus().request(RequestKind.REBUILD, bucket));
    long alsoAnswered = get(skus().request(RequestKind.LOAD, bucket));
    get(ledger().answerRequests(List.of(answered), "{}"));
    get(ledger().answerRequests(List.of(alsoAnswered), "{}"));
    long open = get(skus().request(RequestKind.REBUILD, bucket));

    // when
    int young = get(ledger().purgeRequests(partition, 1, 10));
    int first = get(ledger().purgeRequests(partition, soonMs, 1));
    int second = get(ledger().purgeRequests(partition, soonMs, 10));

    // then
    assertThat(List.of(young, first, second)).containsExactly(0, 1, 1);
    assertThat(get(ledger().openRequests(List.of(partition), 0, 10_000)))
        .extracting(OwnerRequest::id)
        .contains(open);
    assertThat(get(skus().answer(answered))).isEmpty();
  }

  @Test
  void shouldListOpenRequestsOfTheOwnersPartitions() {
    // given
    int partition = Placements.partitionOf(bucket, partitions());
    long rebuild = get(skus().request(RequestKind.REBUILD, bucket));

    // when
    List<OwnerRequest> mine = get(ledger().openRequests(List.of(partition), 0, 10_000));

    // then
    assertThat(mine)
        .filteredOn(request -> request.bucket().equals(Optional.of(bucket)))
        .extracting(OwnerRequest::kind)
        .containsExactly(RequestKind.LOAD, RequestKind.REBUILD);
    assertThat(mine)
        .contains(new OwnerRequest(rebuild, partition, RequestKind.REBUILD, Optional.of(bucket)));
    int other = (partition + 1) % partitions();
    assertThat(get(ledger().openRequests(List.of(other), 0, 10_000)))
        .doesNotContainAnyElementsOf(mine);
    assertThat(get(ledger().openRequests(List.of(), 0, 10))).isEmpty();
    assertThat(get(ledger().openRequests(List.of(partition), rebuild - 1, 1)))
        .extracting(OwnerRequest::id)
        .containsExactly(rebuild);
    assertThat(get(ledger().openRequests(List.of(partition), rebuild, 10))).isEmpty();
  }

  @Test
  void shouldRememberCorrections() {
    // given
    get(ledger().correct(new Correction("1001:0", "{\"held\":1}", "{\"held\":2}", "drift", 0)));

    // when
    get(ledger().correct(new Correction("1001:1", "a", "b", "drift", 0)));

    // then
    List<Correction> last = get(ledger().corrections(2));
    assertThat(last).extracting(Correction::what).containsExactly("1001:1", "1001:0");
    assertThat(last.get(0).atMs()).isPositive();
  }
}
