package io.sluice.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.History.Group;
import io.sluice.ledger.History.Kind;
import io.sluice.ledger.History.Rest;
import io.sluice.ledger.History.Slice;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.Reason;
import io.sluice.model.SkuState;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** How a ledger counts what happened to orders. */
abstract class SaleHistoryContract extends LedgerScene {
  private static final long MINUTE_MS = 60_000;

  @Test
  void shouldCountWhatHappenedToOrdersOfSomeSkus() {
    // given
    BucketId one = sku(10);
    BucketId other = sku(10);
    sell(one);
    Grant held = grant(other, 1, 2);
    apply(other, reserve(held));

    // when
    List<Group> granted = all(skus(one, other), 1_000, left -> granted(left, 1_000));
    List<Group> ended = all(skus(one, other), 1_000, left -> ended(left, 1_000));

    // then
    assertThat(orders(granted)).isEqualTo(Map.of(Kind.GRANTED, 5L));
    assertThat(units(granted)).isEqualTo(Map.of(Kind.GRANTED, 10L));
    assertThat(granted).anyMatch(group -> group.lastMs() == held.payBeforeMs());
    assertThat(orders(ended))
        .isEqualTo(Map.of(Kind.PAID, 2L, Kind.CANCELED, 1L, Kind.TIMED_OUT, 1L, Kind.REFUNDED, 1L));
    assertThat(units(ended))
        .isEqualTo(Map.of(Kind.PAID, 4L, Kind.CANCELED, 2L, Kind.TIMED_OUT, 2L, Kind.REFUNDED, 2L));
  }

  @Test
  void shouldFindTheSameWhenSlicesAreSmall() {
    // given
    List<BucketId> some = List.of(sku(10), sku(10), sku(10));
    some.forEach(this::sell);
    List<Long> ids = skus(some.toArray(BucketId[]::new));

    // when
    List<Integer> slices = new ArrayList<>();
    List<Group> granted = all(ids, 3, left -> counted(slices, granted(left, 3)));
    List<Group> ended = all(ids, 2, left -> counted(slices, ended(left, 2)));

    // then
    assertThat(orders(granted)).isEqualTo(Map.of(Kind.GRANTED, 12L));
    assertThat(orders(ended))
        .isEqualTo(Map.of(Kind.PAID, 6L, Kind.CANCELED, 3L, Kind.TIMED_OUT, 3L, Kind.REFUNDED, 3L));
    assertThat(slices).as("none reads more than it may").hasSizeGreaterThan(11);
  }

  @Test
  void shouldCountByIntervalAndByTheTimeToPay() {
    // given
    BucketId bucket = sku(10);
    Grant early = shifted(grant(bucket, 1), -45_000);
    apply(bucket, reserve(early), reserve(grant(bucket, 2)));
    apply(bucket, new Command.Confirm(early.token()));

    // when
    List<Group> granted = all(skus(bucket), 100, left -> granted(left, 100));
    List<Group> ended = all(skus(bucket), 100, left -> ended(left, 100));

    // then
    assertThat(granted).allMatch(group -> group.beganMs() % MINUTE_MS == 0);
    assertThat(granted)
        .anyMatch(group -> group.beganMs() == early.grantedAtMs() - early.grantedAtMs() % MINUTE_MS)
        .anyMatch(group -> group.firstMs() == early.grantedAtMs());
    assertThat(ended).singleElement().extracting(Group::waited).isEqualTo(6);
  }

  @Test
  void shouldCountTheSameWhenOrdersAreArchived() {
    // given
    BucketId bucket = sku(10);
    sell(bucket);
    Grant early = shifted(grant(bucket, 9), -45_000);
    apply(bucket, reserve(early));
    apply(bucket, new Command.Confirm(early.token()));
    List<Group> granted = all(skus(bucket), 1_000, left -> granted(left, 1_000));
    List<Group> ended = all(skus(bucket), 1_000, left -> ended(left, 1_000));
    inSale(bucket.skuId(), 0, SkuState.ENDED);

    // when
    archive(bucket.skuId(), 1_000);

    // then
    assertThat(all(skus(bucket), 1_000, left -> granted(left, 1_000)))
        .containsExactlyInAnyOrderElementsOf(granted);
    assertThat(all(skus(bucket), 1_000, left -> ended(left, 1_000)))
        .containsExactlyInAnyOrderElementsOf(ended);
    assertThat(orders(all(skus(bucket), 2, left -> ended(left, 2)))).isEqualTo(orders(ended));
  }

  @Test
  void shouldCountEachOrderOnceWhenItIsArchivedBetweenTwoSlices() {
    // given
    BucketId bucket = sku(10);
    sell(bucket);
    inSale(bucket.skuId(), 0, SkuState.ENDED);

    // when
    List<Group> granted = all(skus(bucket), 1, left -> afterArchiving(bucket, granted(left, 1)));
    List<Group> ended = all(skus(bucket), 1, left -> ended(left, 1));

    // then
    assertThat(orders(granted)).isEqualTo(Map.of(Kind.GRANTED, 4L));
    assertThat(orders(ended))
        .isEqualTo(Map.of(Kind.PAID, 2L, Kind.CANCELED, 1L, Kind.TIMED_OUT, 1L, Kind.REFUNDED, 1L));
  }

  @Test
  void shouldFindNothingWhereNothingHappened() {
    // given
    BucketId bucket = sku(10);

    // when
    Slice granted = get(history().granted(Rest.of(skus(bucket)), MINUTE_MS, 10));
    Slice ended = get(history().ended(Rest.of(skus(bucket)), MINUTE_MS, 10));

    // then
    assertThat(List.of(granted, ended))
        .allMatch(slice -> slice.groups().isEmpty() && slice.rest().isEmpty());
  }

  // ---- shorthand

  /** Four orders of two units: one paid, one refunded, one canceled, one timed out. */
  private void sell(BucketId bucket) {
    List<Grant> grants = new ArrayList<>();
    for (int n = 1; n <= 4; n++) {
      grants.add(grant(bucket, n, 2));
    }
    grants.forEach(grant -> apply(bucket, reserve(grant)));
    apply(
        bucket,
        new Command.Confirm(grants.get(0).token()),
        new Command.Confirm(grants.get(1).token()),
        new Command.Cancel(grants.get(2).token(), Reason.BUYER),
        new Command.Cancel(grants.get(3).token(), Reason.TIMEOUT));
    apply(bucket, new Command.Refund(grants.get(1).token()));
  }

  /** A slice, and then an order less among those that are not archived. */
  private Future<Slice> afterArchiving(BucketId bucket, Future<Slice> slice) {
    Slice found = get(slice);
    get(skus().archive(bucket.skuId()));
    get(ledger().archiveNext(1));
    return Future.succeededFuture(found);
  }

  private static List<Long> skus(BucketId... buckets) {
    return List.of(buckets).stream().map(BucketId::skuId).toList();
  }

  private Future<Slice> granted(Rest left, int limit) {
    return history().granted(left, MINUTE_MS, limit);
  }

  private Future<Slice> ended(Rest left, int limit) {
    return history().ended(left, MINUTE_MS, limit);
  }

  private static Future<Slice> counted(List<Integer> slices, Future<Slice> slice) {
    return slice.onSuccess(found -> slices.add(found.groups().size()));
  }

  private static List<Group> all(List<Long> skuIds, int limit, Function<Rest, Future<Slice>> read) {
    List<Group> groups = new ArrayList<>();
    Rest left = Rest.of(skuIds);
    while (left != null) {
      Slice slice = get(read.apply(left));
      assertThat(slice.groups().stream().mapToLong(Group::lines).sum()).isLessThanOrEqualTo(limit);
      groups.addAll(slice.groups());
      left = slice.rest().orElse(null);
    }
    return groups;
  }

  private static Map<Kind, Long> orders(List<Group> groups) {
    return groups.stream()
        .collect(
            Collectors.groupingBy(
                Group::kind, TreeMap::new, Collectors.summingLong(Group::orders)));
  }

  private static Map<Kind, Long> units(List<Group> groups) {
    return groups.stream()
        .collect(
            Collectors.groupingBy(Group::kind, TreeMap::new, Collectors.summingLong(Group::units)));
  }
}
