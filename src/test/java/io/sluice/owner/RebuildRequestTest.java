package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.ledger.BucketRow;
import io.sluice.ledger.BucketRows;
import io.sluice.model.BucketId;
import io.sluice.model.SkuSettings;
import io.sluice.model.SkuState;
import io.sluice.stock.BucketCode;
import io.sluice.stock.StockStore.Frozen;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Which bucket is loaded first. */
class RebuildRequestTest {
  private static final SkuSettings SETTINGS = new SkuSettings(300, 0, 0, 0);
  private static final long EPOCH = 3;

  private final Queue<RebuildRequest> queue = new PriorityQueue<>(RebuildRequest.URGENCY);

  @Test
  void shouldTakeTheSmallestOfThoseThatSellFirst() {
    // given
    add(1, SkuState.OPEN, 1_000_000);
    add(2, SkuState.CLOSED, 0);
    add(3, SkuState.OPEN, 400);
    add(4, SkuState.OPEN, 40_000);

    // when
    Stream<Long> order = Stream.generate(queue::poll).limit(4).map(one -> one.bucket().skuId());

    // then
    assertThat(order).containsExactly(3L, 4L, 1L, 2L);
  }

  @Test
  void shouldTakeThoseOfOneSizeInTheOrderOfTheirRequests() {
    // given
    add(2, SkuState.OPEN, 10);
    add(1, SkuState.OPEN, 10);

    // when
    Stream<Long> order = Stream.generate(queue::poll).limit(2).map(one -> one.bucket().skuId());

    // then
    assertThat(order).containsExactly(2L, 1L);
  }

  private void add(long skuId, SkuState state, long sold) {
    BucketId bucket = new BucketId(skuId, 0);
    BucketRow row = BucketRows.of(bucket, 0, 2_000_000, 0, sold, EPOCH, 1, state, SETTINGS);
    Timer.Sample begun = Timer.start(new SimpleMeterRegistry());
    RebuildRequest request = new RebuildRequest(bucket, queue.size(), begun);
    Frozen frozen = new Frozen(BucketCode.OK, "mark", EPOCH, 1);
    request.begins();
    request.isFrozen(new RebuildRequest.Marked(row, false, frozen, false), 1);
    queue.add(request);
  }
}
