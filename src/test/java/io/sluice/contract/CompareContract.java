package io.sluice.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.BucketRow;
import io.sluice.ledger.Fence;
import io.sluice.ledger.Ledger.StillBucket;
import io.sluice.ledger.OutboxRow;
import io.sluice.ledger.OutboxRow.OutboxKind;
import io.sluice.ledger.OwnerRequest;
import io.sluice.ledger.OwnerRequest.RequestKind;
import io.sluice.ledger.rules.OutboxList;
import io.sluice.ledger.rules.OutboxPayload;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.OrderToken;
import io.sluice.model.Reason;
import io.sluice.model.Sku;
import io.sluice.testkit.Placements;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The state of a bucket that a ledger shows for a comparison with Redis. */
abstract class CompareContract extends LedgerScene {

  private record Seen(
      BucketRow row,
      boolean restocking,
      Optional<Map<OrderToken, Integer>> unreleased,
      Set<OrderToken> booked) {}

  private Optional<Seen> compare(Fence fence, BucketId bucket, OrderToken... tokens) {
    return get(ledger().compare(fence, bucket, still -> look(still, List.of(tokens))));
  }

  private static Future<Seen> look(StillBucket still, List<OrderToken> tokens) {
    return still
        .bookedOf()
        .apply(tokens)
        .map(booked -> new Seen(still.row(), still.restocking(), still.unreleased(), booked));
  }

  private void told(BucketId bucket) {
    get(ledger().sent(outbox(bucket, OutboxKind.RESTOCK)));
  }

  private BucketId bucket;

  @BeforeEach
  void openSku() {
    bucket = sku(10);
  }

  @Test
  void shouldShowWhatBelongsTogetherWhenComparing() {
    // given
    told(bucket);
    Grant held = grant(bucket, 1, 2);
    Grant ended = grant(bucket, 2, 3);
    Grant unbooked = grant(bucket, 3);
    apply(bucket, reserve(held), reserve(ended), new Command.Cancel(ended.token(), Reason.BUYER));

    // when
    Seen seen =
        compare(own(bucket), bucket, held.token(), ended.token(), unbooked.token()).orElseThrow();

    // then
    assertThat(seen)
        .isEqualTo(
            new Seen(
                row(bucket),
                false,
                Optional.of(Map.of(ended.token(), 0)),
                Set.of(held.token(), ended.token())));
    assertThat(seen.row().held()).isEqualTo(2);
  }

  @Test
  void shouldForgetAReleaseWhenItIsSent() {
    // given
    Grant ended = grant(bucket, 1);
    apply(bucket, reserve(ended), new Command.Cancel(ended.token(), Reason.BUYER));
    get(ledger().sent(outbox(bucket, OutboxKind.RELEASE)));

    // when
    Seen seen = compare(own(bucket), bucket).orElseThrow();

    // then
    assertThat(seen.unreleased()).contains(Map.of());
    assertThat(seen.booked()).isEmpty();
  }

  @Test
  void shouldKeepTheRestOfAReleaseWhenAPartOfItsRowIsDelivered() {
    // given
    List<Grant> ended = List.of(grant(bucket, 1), grant(bucket, 2), grant(bucket, 3));
    OutboxRow row = releasesOf(bucket, ended);
    List<String> entries = OutboxList.entries(row.payload());
    Fence fence = own(bucket);
    Map<OutboxRow, List<String>> rest = Map.of(row, entries.subList(1, 3));

    // when
    boolean kept = get(ledger().keepRest(fence, rest));
    OutboxRow left = outbox(bucket, OutboxKind.RELEASE).get(0);
    boolean again = get(ledger().keepRest(fence, rest));

    // then
    assertThat(List.of(kept, again)).containsExactly(true, true);
    assertThat(outbox(bucket, OutboxKind.RELEASE)).containsExactly(left);
    assertThat(left.id()).isGreaterThan(row.id());
    assertThat(left.eventType()).isEqualTo(row.eventType());
    assertThat(OutboxList.entries(left.payload())).isEqualTo(entries.subList(1, 3));
    assertThat(compare(fence, bucket).orElseThrow().unreleased())
        .contains(Map.of(ended.get(1).token(), 0, ended.get(2).token(), 0));
    assertThat(outbox((fence.partition() + 1) % partitions(), OutboxKind.RELEASE)).isEmpty();
  }

  @Test
  void shouldKeepTheWholeReleaseWhenTheFenceIsLost() {
    // given
    OutboxRow row = releasesOf(bucket, List.of(grant(bucket, 1), grant(bucket, 2)));
    Fence mine = own(bucket);
    own(bucket);
    List<String> entries = OutboxList.entries(row.payload());

    // when
    boolean kept = get(ledger().keepRest(mine, Map.of(row, entries.subList(0, 1))));

    // then
    assertThat(kept).isFalse();
    assertThat(outbox(bucket, OutboxKind.RELEASE)).containsExactly(row);
  }

  /** A ledger that was put back to an earlier state gives an id to another row. */
  @Test
  void shouldKeepTheReleasesOfAnotherRowThatHasTheIdOfOneThatIsReplaced() {
    // given
    OutboxRow row = releasesOf(bucket, List.of(grant(bucket, 1), grant(bucket, 2)));
    OutboxRow before =
        new OutboxRow(
            row.id(),
            row.partition(),
            row.kind(),
            row.eventType(),
            row.payload(),
            row.createdAtMs() - 1);
    List<String> entries = OutboxList.entries(row.payload());

    // when
    get(ledger().keepRest(own(bucket), Map.of(before, entries.subList(0, 1))));

    // then
    assertThat(outbox(bucket, OutboxKind.RELEASE)).containsExactly(row);
  }

  /** The one row of a batch that has ended these orders. */
  private OutboxRow releasesOf(BucketId bucket, List<Grant> ended) {
    Stream<Command> booked = ended.stream().map(LedgerScene::reserve);
    Stream<Command> canceled =
        ended.stream().map(grant -> new Command.Cancel(grant.token(), Reason.BUYER));
    apply(bucket, Stream.concat(booked, canceled).toArray(Command[]::new));
    List<OutboxRow> rows = outbox(bucket, OutboxKind.RELEASE);
    assertThat(rows).hasSize(1);
    return rows.get(0);
  }

  @Test
  void shouldSayThatABucketRestocksWhenRedisIsNotToldYet() {
    // given
    BucketId other = sku(10);
    told(bucket);
    told(other);
    restock(other.skuId(), "r1", 5);

    // when
    Seen quiet = compare(own(bucket), bucket).orElseThrow();
    Seen restocked = compare(own(other), other).orElseThrow();

    // then
    assertThat(quiet.restocking()).isFalse();
    assertThat(restocked.restocking()).isTrue();
  }

  /** A frozen SKU that is restocked once a minute must not keep all others from comparison. */
  @Test
  void shouldNotSayThatABucketRestocksWhenManyRowsAreOfOthers() {
    // given
    Sku sku = sku(1_000, 30);
    List<BucketId> buckets =
        IntStream.range(0, 30).mapToObj(bucket -> new BucketId(sku.skuId(), bucket)).toList();
    BucketId one = buckets.get(1);
    BucketId other = otherIn(Placements.partitionOf(one, partitions()));
    IntStream.range(0, 501).forEach(i -> restock(other.skuId(), "r" + i, 1));
    restock(sku.skuId(), "r", 30);
    buckets.stream().filter(bucket -> !bucket.equals(one)).forEach(this::toldAlone);

    // when
    List<BucketId> restocking =
        buckets.stream()
            .filter(bucket -> compare(own(bucket), bucket).orElseThrow().restocking())
            .toList();

    // then
    assertThat(restocking).containsExactly(one);
  }

  private void toldAlone(BucketId bucket) {
    List<OutboxRow> rows =
        get(
                ledger()
                    .pending(
                        Placements.partitionOf(bucket, partitions()), OutboxKind.RESTOCK, 0, 2_000))
            .stream()
            .filter(row -> OutboxPayload.bucketOf(row.payload()).equals(bucket))
            .toList();
    get(ledger().sent(rows));
  }

  private BucketId otherIn(int partition) {
    return Stream.generate(() -> sku(10))
        .filter(bucket -> Placements.partitionOf(bucket, partitions()) == partition)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void shouldShowNothingWhenTheFenceIsLost() {
    // given
    Fence mine = own(bucket);
    own(bucket);

    // when
    Optional<Seen> seen = compare(mine, bucket);

    // then
    assertThat(seen).isEmpty();
  }

  @Test
  void shouldKeepTheLastReportOfEachPartition() {
    // given
    get(ledger().reported(0, "{\"at\":1}"));
    get(ledger().reported(1, "{\"at\":2}"));

    // when
    get(ledger().reported(0, "{\"at\":3}"));

    // then
    assertThat(get(skus().reports())).containsEntry(0, "{\"at\":3}").containsEntry(1, "{\"at\":2}");
  }

  @Test
  void shouldAskForAWholePartitionOnceWhileItIsOpen() {
    // given
    long first = get(skus().requestReconcile(1));

    // when
    long again = get(skus().requestReconcile(1));
    long other = get(skus().requestReconcile(0));
    List<OwnerRequest> open = get(ledger().openRequests(List.of(1), 0, 10_000));
    get(ledger().answerRequests(List.of(first), "{}"));
    get(ledger().answerRequests(List.of(other), "{}"));
    long next = get(skus().requestReconcile(1));

    // then
    assertThat(again).isEqualTo(first);
    assertThat(List.of(other, next)).doesNotContain(first);
    assertThat(open).contains(new OwnerRequest(first, 1, RequestKind.RECONCILE, Optional.empty()));
    get(ledger().answerRequests(List.of(next), "{}"));
  }
}
