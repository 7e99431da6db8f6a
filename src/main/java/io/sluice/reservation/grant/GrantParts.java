package io.sluice.reservation.grant;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.sluice.async.LoopContext;
import io.sluice.async.TimerQueue;
import io.sluice.metrics.Meters;
import io.sluice.reservation.order.BookedOrders;
import io.sluice.stock.Stock;
import io.sluice.tracing.Traces;
import java.time.Duration;
import java.util.List;
import java.util.function.LongConsumer;

/** The parts that all code shares that asks Redis for grants, on one event loop. */
final class GrantParts {
  final Stock stock;
  final GrantRecorder recorder;
  final GrantTraces traces;
  final GrantAnswers answers;
  final EmptyBuckets empty;
  final SoldOutLeases leases;
  final LastUnits last;
  final EndedSkus ended;
  final LongConsumer doubted;
  final Counter grants;
  final DistributionSummary batchSize;
  private final LoopContext loop;
  private final TimerQueue deadlines;
  private final Duration deadline;

  /**
   * @param doubted given a SKU with a bucket that is not where it should be, or in another sale
   */
  GrantParts(
      Stock stock,
      GrantRecorder recorder,
      Borrowing borrowing,
      BookedOrders booked,
      EndedSkus ended,
      LongConsumer doubted,
      LoopContext loop,
      Duration deadline,
      int lastFactor,
      Meters meters,
      Traces traces) {
    this.stock = stock;
    this.recorder = recorder;
    this.traces = new GrantTraces(traces, loop);
    this.deadlines = new TimerQueue(loop);
    this.answers = new GrantAnswers(recorder, this.traces, booked, deadlines);
    this.leases = new SoldOutLeases(stock, loop, meters);
    this.empty = new EmptyBuckets(stock, leases, borrowing, loop);
    this.last = new LastUnits(lastFactor, loop, meters.lastRefusals());
    this.ended = ended;
    this.doubted = doubted;
    this.grants = meters.grants();
    this.batchSize = meters.grantBatchSize();
    this.loop = loop;
    this.deadline = deadline;
  }

  /** The requests of one call to Redis, whose deadline begins now. */
  <R extends OpenRequest> GrantBatch<R> batch(List<R> requests) {
    batchSize.record(requests.size());
    return new GrantBatch<>(loop, deadlines, deadline, requests);
  }
}
