package io.sluice.contract;

import static io.sluice.model.Grants.at;
import static io.sluice.model.OrderStatus.CANCELED;
import static io.sluice.model.OrderStatus.PENDING;
import static io.sluice.model.OrderStatus.REJECTED;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.summingInt;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.Batches;
import io.sluice.ledger.Fence;
import io.sluice.ledger.Ledger.Booked;
import io.sluice.ledger.SkuLedger.NewSku;
import io.sluice.ledger.Step;
import io.sluice.ledger.Step.Result;
import io.sluice.ledger.rules.OutboxPayload;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.Order;
import io.sluice.model.OrderStatus;
import io.sluice.model.OrderToken;
import io.sluice.model.Sku;
import io.sluice.testkit.Placements;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Grants of a ledger that has lost moves of units between buckets, since it was restored to an
 * earlier state: they find the units in the other buckets of their SKU.
 */
abstract class GatherContract extends LedgerScene {

  /** A SKU whose buckets are all in one partition, or each in another one than the first. */
  private Sku sku(long stock, int buckets, boolean together) {
    while (true) {
      long skuId = newSkuId();
      List<Integer> places =
          IntStream.range(0, buckets)
              .mapToObj(bucket -> partitionOf(new BucketId(skuId, bucket)))
              .toList();
      long elsewhere = places.stream().filter(place -> !place.equals(places.get(0))).count();
      if (elsewhere == (together ? 0 : buckets - 1)) {
        return put(new NewSku(skuId, stock, buckets, Sku.Mode.FAST, SETTINGS));
      }
    }
  }

  private int partitionOf(BucketId bucket) {
    return Placements.partitionOf(bucket, partitions());
  }

  private static BucketId bucket(Sku sku, int bucket) {
    return new BucketId(sku.skuId(), bucket);
  }

  /** So many grants of one unit of a bucket. */
  private List<Grant> grants(Sku sku, int bucket, int count) {
    return IntStream.rangeClosed(1, count)
        .mapToObj(number -> grant(bucket(sku, bucket), number))
        .toList();
  }

  private static Command[] reserves(List<Grant> grants) {
    return grants.stream().map(LedgerScene::reserve).toArray(Command[]::new);
  }

  private Map<OrderStatus, Integer> statuses(List<Grant> grants) {
    List<OrderToken> tokens = grants.stream().map(Grant::token).toList();
    return get(ledger().orders(tokens)).values().stream()
        .collect(groupingBy(Order::status, TreeMap::new, summingInt(order -> 1)));
  }

  private static List<Grant> all(List<List<Grant>> parts) {
    return parts.stream().flatMap(List::stream).toList();
  }

  @Test
  void shouldBookAllGrantsWhenUnitsHadMovedBetweenThreeBuckets() {
    // given
    Sku sku = sku(30, 3, true);
    List<Grant> granted = all(List.of(grants(sku, 0, 15), grants(sku, 1, 13), grants(sku, 2, 2)));

    // when
    Result.Applied applied = read(bucket(sku, 0), reserves(granted));

    // then
    assertThat(statuses(granted)).containsExactly(Map.entry(PENDING, 30));
    assertThat(applied.full()).isEmpty();
    assertThat(applied.ahead()).containsExactly(bucket(sku, 0), bucket(sku, 1));
    assertThat(allotments(sku)).containsExactly(15L, 13L, 2L);
  }

  @Test
  void shouldCountRepeatedGrantsOnce() {
    // given
    Sku sku = sku(20, 2, true);
    List<Grant> granted = all(List.of(grants(sku, 0, 12), grants(sku, 1, 8)));
    List<Grant> repeated = new ArrayList<>(granted);
    repeated.addAll(0, granted.subList(8, 12));
    repeated.addAll(granted.subList(0, 4));

    // when
    read(bucket(sku, 0), reserves(repeated));

    // then
    assertThat(statuses(granted)).containsExactly(Map.entry(PENDING, 20));
    assertThat(allotments(sku)).containsExactly(12L, 8L);
  }

  @Test
  void shouldLeaveOtherBucketsWhatTheirGrantsNeed() {
    // given
    Sku sku = sku(30, 3, true);
    List<Grant> granted = all(List.of(grants(sku, 0, 12), grants(sku, 1, 10)));
    List<Grant> repeated = new ArrayList<>(granted);
    repeated.addAll(granted.subList(8, 12));

    // when
    Result.Applied applied = read(bucket(sku, 0), reserves(repeated));

    // then
    assertThat(applied.ahead()).containsExactly(bucket(sku, 0));
    assertThat(allotments(sku)).containsExactly(12L, 10L, 8L);
  }

  @Test
  void shouldNotCountGrantsThatAreBooked() {
    // given
    Sku sku = sku(30, 3, true);
    List<Grant> granted = grants(sku, 0, 12);
    read(bucket(sku, 0), reserves(granted.subList(0, 11)));
    List<Grant> again = new ArrayList<>(granted);
    again.add(0, granted.get(11));

    // when
    read(bucket(sku, 0), reserves(again));

    // then
    assertThat(statuses(granted)).containsExactly(Map.entry(PENDING, 12));
    assertThat(allotments(sku).get(0)).isEqualTo(12);
  }

  @Test
  void shouldFindTheUnitsWithTheNextRecordsOfTheLog() {
    // given
    Sku sku = sku(30, 3, true);
    List<List<Grant>> granted = List.of(grants(sku, 2, 2), grants(sku, 1, 13), grants(sku, 0, 15));

    // when
    for (List<Grant> record : granted) {
      read(bucket(sku, 0), reserves(record));
    }

    // then
    assertThat(statuses(all(granted))).containsExactly(Map.entry(PENDING, 30));
    assertThat(allotments(sku)).containsExactly(15L, 13L, 2L);
  }

  @Test
  void shouldGatherForOwnersOfSeveralPartitionsAtOnce() {
    // given
    Sku sku = sku(30, 3, false);
    List<List<Grant>> granted = List.of(grants(sku, 0, 15), grants(sku, 1, 13), grants(sku, 2, 2));
    Map<Integer, List<Grant>> logs = new TreeMap<>();
    granted.forEach(
        part ->
            logs.computeIfAbsent(
                    partitionOf(part.get(0).token().bucketId()), p -> new ArrayList<>())
                .addAll(part));
    Map<Integer, Fence> fences = new TreeMap<>();
    logs.forEach((partition, log) -> fences.put(partition, get(ledger().takeOver(partition, 0))));

    // when
    List<Future<Result>> applied =
        logs.entrySet().stream()
            .map(
                log -> {
                  Fence fence = fences.get(log.getKey());
                  return Batches.apply(
                      ledger(),
                      Step.advance(fence, fence.nextOffset() + 1),
                      List.of(reserves(log.getValue())));
                })
            .toList();
    applied.forEach(each -> assertThat(applied(get(each)).full()).isEmpty());

    // then
    assertThat(statuses(all(granted))).containsExactly(Map.entry(PENDING, 30));
    assertThat(allotments(sku)).containsExactly(15L, 13L, 2L);
  }

  @Test
  void shouldTellTheHeadsOfAllBucketsWhoseAllotmentsChange() {
    // given
    Sku sku = sku(6, 3, false);

    List<BucketId> before = told(sku);

    // when
    read(bucket(sku, 0), reserves(grants(sku, 0, 4)));

    // then
    List<BucketId> told = new ArrayList<>(told(sku));
    before.forEach(told::remove);
    assertThat(told).contains(bucket(sku, 0));
    assertThat(told).hasSize((int) changed(sku, 2));
    assertThat(known(sku.skuId()).totalStock()).isEqualTo(6);
  }

  /** Else Redis could have the new version already, with another total. */
  @Test
  void shouldRaiseTheVersionAboveThoseThatTheLedgerMayHaveLost() {
    // given
    Sku sku = sku(4, 2, true);
    long before = row(bucket(sku, 1)).version();

    // when
    read(bucket(sku, 0), reserves(grants(sku, 0, 3)));

    // then
    assertThat(row(bucket(sku, 1)).version()).isEqualTo(before + 1_000_000);
    assertThat(row(bucket(sku, 0)).version()).isEqualTo(before + 1_000_000);
  }

  private List<BucketId> told(Sku sku) {
    return restocks(sku.skuId(), null).stream()
        .map(row -> OutboxPayload.bucketOf(row.payload()))
        .toList();
  }

  private long changed(Sku sku, long before) {
    return allotments(sku).stream().filter(units -> units != before).count();
  }

  @Test
  void shouldRejectOnlyWhatTheWholeSkuHasNoRoomFor() {
    // given
    Sku sku = sku(10, 3, true);
    List<Grant> granted = all(List.of(grants(sku, 2, 8), grants(sku, 0, 3)));

    // when
    Result.Applied applied = read(bucket(sku, 0), reserves(granted));

    // then
    assertThat(statuses(granted)).containsOnly(Map.entry(PENDING, 10), Map.entry(REJECTED, 1));
    assertThat(applied.full()).containsExactly(bucket(sku, 0));
  }

  /** Units that a buyer did not pay for in time, and that had moved before they were granted. */
  @Test
  void shouldEndHoldsOfOtherBucketsThatWereOverdueWhenTheGrantWasMade() {
    // given
    Sku sku = sku(4, 2, true);
    List<Grant> first = all(List.of(grants(sku, 0, 2), grants(sku, 1, 2)));
    Grant unpaid =
        at(first.get(0), first.get(0).grantedAtMs() - 60_000, first.get(0).grantedAtMs() - 30_000);
    read(
        bucket(sku, 0),
        reserve(unpaid),
        reserve(first.get(1)),
        reserve(first.get(2)),
        reserve(first.get(3)));

    // when
    Grant later = grant(bucket(sku, 1), 3);
    Result.Applied applied = read(bucket(sku, 0), reserve(later));

    // then
    assertThat(applied.full()).isEmpty();
    assertThat(order(later.token()).status()).isEqualTo(PENDING);
    assertThat(order(unpaid.token()).status()).isEqualTo(CANCELED);
    assertThat(allotments(sku)).containsExactly(1L, 3L);
  }

  /** Its unit is that of the grant: those of other buckets are needed there. */
  @Test
  void shouldEndAnOverdueHoldOfTheBucketBeforeItGathers() {
    // given
    Sku sku = sku(4, 2, true);
    Grant second = grant(bucket(sku, 0), 2);
    Grant first = grant(bucket(sku, 0), 1);
    Grant unpaid = at(first, first.grantedAtMs() - 60_000, first.grantedAtMs() - 30_000);
    read(bucket(sku, 0), reserve(unpaid), reserve(second));

    // when
    List<Grant> later =
        Stream.concat(Stream.of(grant(bucket(sku, 0), 3)), grants(sku, 1, 2).stream()).toList();
    read(bucket(sku, 0), reserves(later));

    // then
    assertThat(statuses(later)).containsExactly(Map.entry(PENDING, 3));
    assertThat(order(unpaid.token()).status()).isEqualTo(CANCELED);
    assertThat(allotments(sku)).containsExactly(2L, 2L);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void shouldGatherForBookingsPastTheLog(int bucket) {
    // given
    Sku sku = sku(4, 2, false);
    List<Grant> granted = grants(sku, bucket, 3);

    // when
    Booked booked = get(ledger().book(() -> granted));

    // then
    assertThat(statuses(granted)).containsExactly(Map.entry(PENDING, 3));
    assertThat(booked.unsound()).isTrue();
    assertThat(allotments(sku)).containsExactly(bucket == 0 ? 3L : 1L, bucket == 0 ? 1L : 3L);
  }
}
