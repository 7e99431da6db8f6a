package io.sluice.contract;

import static io.sluice.contract.StockUnderTest.request;
import static io.sluice.contract.StockUnderTest.token;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.model.BucketId;
import io.sluice.stock.GrantOutcome.Granted;
import io.sluice.stock.ReserveReply;
import io.sluice.stock.StockStore;
import io.sluice.stock.StockStore.Request;
import io.vertx.core.Future;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The size limit of a batch, and the answer to an invalid request in it. */
interface ReserveBatchContract extends StockContract {

  @Test
  default void shouldDecideAllWhenTheBatchIsFull() {
    // given
    BucketId bucket = unit().openBucket(500);
    var requests = IntStream.range(0, StockStore.BATCH_MAX).mapToObj(i -> request(bucket, i, 1));

    // when
    ReserveReply reply = unit().reserveReply(bucket, requests.toArray(Request[]::new));

    // then
    assertThat(reply.outcomes()).filteredOn(Granted.class::isInstance).hasSize(500);
    assertThat(reply.outcomes().subList(500, 512)).containsOnly(ReserveContract.SOLD_OUT);
    assertThat(((Granted) reply.outcomes().get(499)).grant().seq()).isEqualTo(500);
    assertThat(unit().snapshot(bucket).unbookedCount()).isEqualTo(500);
  }

  @Test
  default void shouldFailWhenTheBatchIsEmptyOrTooBig() {
    // given
    BucketId bucket = unit().openBucket(1_000);
    var tooMany =
        IntStream.rangeClosed(0, StockStore.BATCH_MAX).mapToObj(i -> request(bucket, i, 1));

    // when
    Future<ReserveReply> empty = unit().store().reserve(bucket, List.of());
    Future<ReserveReply> tooBig = unit().store().reserve(bucket, tooMany.toList());

    // then
    assertThat(StockUnderTest.failure(empty)).isInstanceOf(IllegalArgumentException.class);
    assertThat(StockUnderTest.failure(tooBig)).isInstanceOf(IllegalArgumentException.class);
    assertThat(unit().snapshot(bucket).claimed()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, 1_001})
  default void shouldLeaveNoTraceWhenAQuantityIsOutOfRange(int qty) {
    // given
    BucketId bucket = unit().openBucket(10_000);

    // when
    var reply =
        unit().store().reserve(bucket, List.of(request(bucket, 1, 1), request(bucket, 2, qty)));

    // then
    assertThat(StockUnderTest.failure(reply)).isNotNull();
    assertThat(unit().snapshot(bucket).claimed()).isZero();
    assertThat(unit().recorded(token(bucket, 1))).isNull();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1_000})
  default void shouldGrantWhenAQuantityIsJustInRange(int qty) {
    // given
    BucketId bucket = unit().openBucket(1_000);

    // when
    ReserveReply reply = unit().reserveReply(bucket, request(bucket, 1, qty));

    // then
    assertThat(reply.outcomes().get(0)).isInstanceOf(Granted.class);
    assertThat(reply.available()).isEqualTo(1_000 - qty);
  }
}
