package io.sluice.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.BucketRow;
import io.sluice.ledger.SaleLedger.NewSale;
import io.sluice.ledger.SaleLedger.SaleSku;
import io.sluice.ledger.SaleSkus;
import io.sluice.ledger.SkuLedger.StateChange;
import io.sluice.model.BucketId;
import io.sluice.model.Placement;
import io.sluice.model.Sku;
import io.sluice.model.SkuState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Which buckets of a partition an owner finds together, since their SKUs are in one sale. */
abstract class SameSaleContract extends AgainScene {
  /** So many that they are in several partitions, and have ids of one and of two digits. */
  private static final int MANY = 16;

  private static final int PAGE = 5;

  private List<BucketId> found(int partition, long skuId) {
    return get(ledger().ofSameSale(partition, skuId, Optional.empty(), ALL));
  }

  private List<BucketId> foundAnywhere(long skuId) {
    return everyPartition().flatMap(partition -> found(partition, skuId).stream()).toList();
  }

  /** The buckets of these SKUs in this partition, in order. */
  private List<BucketId> there(int partition, SaleSku... skus) {
    return Stream.of(skus)
        .flatMap(sku -> get(skus().bucketsOf(sku.skuId())).stream())
        .filter(row -> row.partition() == partition)
        .map(BucketRow::id)
        .sorted()
        .toList();
  }

  private static List<BucketId> all(SaleSku... skus) {
    return Stream.of(skus)
        .flatMap(
            sku -> IntStream.range(0, sku.buckets()).mapToObj(n -> new BucketId(sku.skuId(), n)))
        .toList();
  }

  private void putWithCarts(SaleSku... skus) {
    put(new NewSale(saleId, "carts", true, OPEN, List.of(skus)));
  }

  @Test
  void shouldListTheBucketsOfAllItsSkusInThatPartitionOnly() {
    // given
    SaleSku one = wanted(MANY, MANY);
    SaleSku two = wanted(MANY, MANY);
    put(OPEN, two, one);

    // when
    List<List<BucketId>> asOne = everyPartition().map(p -> found(p, one.skuId())).toList();
    List<List<BucketId>> asTwo = everyPartition().map(p -> found(p, two.skuId())).toList();

    // then
    assertThat(asOne).isEqualTo(everyPartition().map(p -> there(p, one, two)).toList());
    assertThat(asTwo).isEqualTo(asOne);
    assertThat(asOne).filteredOn(page -> !page.isEmpty()).hasSizeGreaterThan(1);
  }

  @Test
  void shouldLeaveOutSkusOfOtherSalesAndOfNone() {
    // given
    SaleSku one = wanted(MANY, MANY);
    SaleSku stranger = wanted(MANY, MANY);
    sku(MANY, MANY);
    SaleSku two = wanted(MANY, MANY);
    put(OPEN, one, two);
    put(new NewSale(saleId + "-other", "other", false, OPEN, List.of(stranger)));

    // when
    List<BucketId> ofOne = foundAnywhere(one.skuId());
    List<BucketId> ofStranger = foundAnywhere(stranger.skuId());

    // then
    assertThat(ofOne).containsExactlyInAnyOrderElementsOf(all(one, two));
    assertThat(ofStranger).containsExactlyInAnyOrderElementsOf(all(stranger));
  }

  @Test
  void shouldListNothingWhenTheSkuIsInNoSale() {
    // given
    Sku alone = sku(MANY, MANY);
    sku(MANY, MANY);

    // when
    List<BucketId> ofAlone = foundAnywhere(alone.skuId());
    List<BucketId> ofUnknown = foundAnywhere(newSkuId());

    // then
    assertThat(ofAlone).isEmpty();
    assertThat(ofUnknown).isEmpty();
  }

  @Test
  void shouldGoOnBehindTheLastOneWhenReadInPages() {
    // given
    SaleSku one = wanted(MANY, MANY);
    Sku between = sku(1, 1);
    SaleSku two = wanted(MANY, MANY);
    putWithCarts(two, one);
    int partition = row(new BucketId(one.skuId(), 0)).partition();
    List<Integer> sizes = new ArrayList<>();
    List<BucketId> read = new ArrayList<>();

    // when
    Optional<BucketId> last = Optional.empty();
    do {
      List<BucketId> page = get(ledger().ofSameSale(partition, two.skuId(), last, PAGE));
      sizes.add(page.size());
      read.addAll(page);
      last = Optional.of(read.get(read.size() - 1));
    } while (sizes.get(sizes.size() - 1) == PAGE);
    List<BucketId> behindAll = get(ledger().ofSameSale(partition, two.skuId(), last, PAGE));
    Optional<BucketId> place = Optional.of(new BucketId(between.skuId(), 0));
    List<BucketId> behindAnother = get(ledger().ofSameSale(partition, one.skuId(), place, ALL));

    // then
    assertThat(read).isEqualTo(all(one, two));
    assertThat(sizes).containsExactly(PAGE, PAGE, PAGE, PAGE, PAGE, PAGE, 2);
    assertThat(behindAll).isEmpty();
    assertThat(behindAnother).isEqualTo(all(two));
  }

  @Test
  void shouldLeaveOutEachBucketOnceItHasEnded() {
    // given
    SaleSku one = wanted(4, 2);
    SaleSku two = wanted(4, 1);
    put(OPEN, one, two);
    BucketId first = all(one).get(0);
    BucketId second = all(one).get(1);
    BucketId other = all(two).get(0);
    change(one.skuId(), StateChange.END);

    // when
    List<BucketId> ending = foundAnywhere(two.skuId());
    raise(first);
    List<BucketId> between = foundAnywhere(two.skuId());
    raise(second);
    List<BucketId> ended = foundAnywhere(two.skuId());

    // then
    assertThat(ending).containsExactlyInAnyOrder(first, second, other);
    assertThat(between).containsExactlyInAnyOrder(second, other);
    assertThat(ended).containsExactly(other);
    assertThat(foundAnywhere(one.skuId())).as("as a SKU that has ended").containsExactly(other);
  }

  @Test
  void shouldListThemInEveryOtherState() {
    // given
    SaleSku frozen = wanted(4, 2);
    SaleSku closed = wanted(4, 2);
    SaleSku scheduled = wanted(4, 2);
    put(LATER, frozen, closed, scheduled);
    get(ledger().freezeSku(frozen.skuId(), "test"));
    change(closed.skuId(), StateChange.CLOSE);

    // when
    List<BucketId> found = foundAnywhere(scheduled.skuId());

    // then
    assertThat(Stream.of(frozen, closed, scheduled).map(sku -> known(sku.skuId()).state()))
        .containsExactly(SkuState.FROZEN, SkuState.CLOSED, SkuState.SCHEDULED);
    assertThat(found).containsExactlyInAnyOrderElementsOf(all(frozen, closed, scheduled));
  }

  @Test
  void shouldGoWithASkuToItsNextSale() {
    // given
    SaleSku leaves = wanted(4, 2);
    SaleSku stays = wanted(4, 2);
    put(OPEN, leaves, stays);
    end(leaves.skuId());
    again(leaves);

    // when
    List<BucketId> ofNext = foundAnywhere(leaves.skuId());
    List<BucketId> ofLeft = foundAnywhere(stays.skuId());

    // then
    assertThat(ofNext).containsExactlyInAnyOrderElementsOf(all(leaves));
    assertThat(ofLeft).containsExactlyInAnyOrderElementsOf(all(stays));
  }

  @Test
  void shouldLeaveOutSkusThatAreInNoPartition() {
    // given
    SaleSku fast = wanted(4, 2);
    SaleSku direct = SaleSkus.of(newSkuId(), 4, 2, 2, MARKS, Sku.Mode.DIRECT);
    putWithCarts(fast, direct);

    // when
    List<BucketId> found = foundAnywhere(fast.skuId());
    List<BucketId> asDirect = foundAnywhere(direct.skuId());

    // then
    assertThat(there(Placement.DIRECT, direct)).hasSize(2);
    assertThat(found).isEqualTo(all(fast));
    assertThat(asDirect).isEqualTo(all(fast));
  }
}
