package io.sluice.contract;

import static io.sluice.contract.StockUnderTest.FREE_FOR_ALL;
import static io.sluice.contract.StockUnderTest.await;
import static io.sluice.contract.StockUnderTest.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.model.BucketId;
import io.sluice.model.Refusal;
import io.sluice.model.SkuState;
import io.sluice.stock.BucketCode;
import io.sluice.stock.GrantOutcome;
import io.sluice.stock.GrantOutcome.Away;
import io.sluice.stock.GrantOutcome.Granted;
import io.sluice.stock.GrantOutcome.Refused;
import io.sluice.stock.GrantOutcome.Torn;
import io.sluice.stock.ReserveReply;
import io.sluice.stock.StockStore;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Carts that are refused, and why. */
interface CartRefusalContract extends CartScene {

  @Test
  default void shouldMismatchOtherLinesUnitsOrBuyers() {
    // given
    BucketId first = unit().openBucket(10);
    BucketId second = unit().openBucket(10);
    BucketId third = unit().openBucket(10);
    grant(cart(1, BUYER, first, 1, second, 1));
    var mismatch = new Refused(Refusal.KEY_MISMATCH, Refused.NO_LINE);

    // when
    ReserveReply reply =
        reserve(
            cart(1, BUYER, first, 1, second, 2),
            cart(1, BUYER, first, 1, third, 1),
            cart(1, BUYER, first, 1, second, 1, third, 1),
            cart(1, "mallory", first, 1, second, 1));
    var alone = unit().reserve(first, request(first, 1, BUYER, 1)).get(0);

    // then
    assertThat(reply.outcomes()).containsOnly(mismatch);
    assertThat(alone).isEqualTo(new GrantOutcome.Refused(Refusal.KEY_MISMATCH));
  }

  @Test
  default void shouldMismatchAnOrderOfOneSkuUnderTheSameKey() {
    // given
    BucketId first = unit().openBucket(10);
    BucketId second = unit().openBucket(10);
    unit().grant(first, request(first, 1, BUYER, 1));

    // when
    GrantOutcome outcome = outcome(cart(1, BUYER, first, 1, second, 1));

    // then
    assertThat(outcome).isEqualTo(new Refused(Refusal.KEY_MISMATCH, Refused.NO_LINE));
    expectUntouched(second);
  }

  @Test
  default void shouldRepairNothingWhenALineIsMissing() {
    // given
    BucketId first = unit().openBucket(10);
    BucketId second = unit().openBucket(10);
    StockStore.Request wanted = cart(1, BUYER, first, 1, second, 1);
    grant(wanted);
    unit().rebuild(10, FREE_FOR_ALL, second);

    // when
    GrantOutcome withoutFollower = outcome(wanted);
    unit().rebuild(10, FREE_FOR_ALL, first);
    GrantOutcome anew = outcome(wanted);
    unit().rebuild(10, FREE_FOR_ALL, first);
    GrantOutcome withoutLead = outcome(wanted);

    // then
    assertThat(withoutFollower).isEqualTo(new Torn());
    assertThat(anew).isInstanceOf(Granted.class);
    assertThat(withoutLead).isEqualTo(new Torn());
  }

  @Test
  default void shouldNotGrantInAnotherSale() {
    // given
    BucketId first = unit().openBucket(10);
    BucketId second = unit().openBucket(10, SkuState.OPEN, FREE_FOR_ALL, 2);

    // when
    GrantOutcome outcome = outcome(cart(1, BUYER, first, 1, second, 1));

    // then
    assertThat(outcome).isEqualTo(new Away(BucketCode.OTHER_SALE, second));
    expectUntouched(first);
  }

  @Test
  default void shouldRefuseWhatItsStatesDoNotAllow() {
    // given
    BucketId open = unit().openBucket(10);
    BucketId frozen = unit().openBucket(10, SkuState.FROZEN, FREE_FOR_ALL);
    BucketId closed = unit().openBucket(10, SkuState.CLOSED, FREE_FOR_ALL);

    // when
    ReserveReply reply =
        reserve(cart(1, BUYER, open, 1, frozen, 1), cart(2, BUYER, open, 1, closed, 1));

    // then
    assertThat(reply.outcomes())
        .containsExactly(new Refused(Refusal.BUSY, 1), new Refused(Refusal.NOT_OPEN, 1));
    expectUntouched(open);
  }

  @Test
  default void shouldDecideAFullBatchOfFullCarts() {
    // given
    List<BucketId> buckets =
        IntStream.range(0, 20).mapToObj(i -> unit().openBucket(1_000)).toList();
    Object[] lines = buckets.stream().flatMap(b -> List.of(b, 1_000).stream()).toArray();
    List<StockStore.Request> carts =
        IntStream.range(0, StockStore.CARTS_MAX)
            .mapToObj(i -> cart(i, "buyer-" + i, lines))
            .toList();

    // when
    ReserveReply reply = await(unit().store().reserveCarts(carts));

    // then
    assertThat(reply.outcomes()).filteredOn(Granted.class::isInstance).hasSize(1);
    assertThat(reply.outcomes().subList(1, StockStore.CARTS_MAX))
        .containsOnly(new Refused(Refusal.SOLD_OUT, 0));
  }

  @Test
  default void shouldGrantNoLineWhenOneIsSoldOut() {
    // given
    BucketId first = unit().openBucket(10);
    BucketId second = unit().openBucket(1);

    // when
    ReserveReply reply = reserve(cart(1, BUYER, first, 1, second, 2));

    // then
    assertThat(reply.outcomes()).containsExactly(new Refused(Refusal.SOLD_OUT, 1));
    assertThat(reply.buckets().get(second).soldOutMs()).isZero();
    expectUntouched(first);
    expectUntouched(second);
  }

  @Test
  default void shouldCountEachLineForTheLimitOfItsSku() {
    // given
    BucketId first = unit().openBucket(10, SkuState.OPEN, AT_MOST_TWO);
    BucketId second = unit().openBucket(10, SkuState.OPEN, AT_MOST_TWO);
    grant(cart(1, BUYER, first, 1, second, 2));

    // when
    GrantOutcome tooMany = outcome(cart(2, BUYER, first, 1, second, 1));
    var alone = unit().reserve(first, request(first, 3, BUYER, 1)).get(0);

    // then
    assertThat(tooMany).isEqualTo(new Refused(Refusal.LIMIT_REACHED, 1));
    assertThat(alone).isInstanceOf(GrantOutcome.Granted.class);
  }
}
