package io.sluice.admin;

import io.sluice.async.AsyncLoop;
import io.sluice.async.Poll;
import io.sluice.async.Poll.Deadline;
import io.sluice.ledger.Fence;
import io.sluice.ledger.SkuLedger;
import io.sluice.web.problem.Problem;
import io.sluice.web.problem.ProblemType;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The operators' operations on partitions. The owners carry them out, on any instance. */
final class PartitionOperations {
  static final Duration REPORTED_WITHIN = Duration.ofSeconds(30);
  private static final Logger log = LoggerFactory.getLogger(PartitionOperations.class);

  private final Partitions partitions;
  private final SkuLedger ledger;
  private final Poll poll;

  PartitionOperations(Partitions partitions, SkuLedger ledger, Poll poll) {
    this.partitions = partitions;
    this.ledger = ledger;
    this.poll = poll;
  }

  /**
   * Asks each owner to compare its buckets with Redis now. Returns the reports by partition; those
   * that did not arrive in time are empty.
   */
  Future<Map<Integer, Optional<String>>> reconcile() {
    return reported(poll.deadline(REPORTED_WITHIN));
  }

  /** Creates a request for each partition, then waits for each answer. */
  private Future<Map<Integer, Optional<String>>> reported(Deadline deadline) {
    List<Integer> all = IntStream.range(0, partitions.count()).boxed().toList();
    Map<Integer, Long> requests = new TreeMap<>();
    Map<Integer, Optional<String>> reports = new TreeMap<>();
    return AsyncLoop.forEach(
            all,
            partition ->
                ledger
                    .requestReconcile(partition)
                    .onSuccess(request -> requests.put(partition, request)))
        .compose(
            asked ->
                AsyncLoop.forEach(
                    requests.entrySet(),
                    request ->
                        poll.until(
                                deadline,
                                () -> ledger.answer(request.getValue()),
                                Optional::isPresent)
                            .onSuccess(report -> reports.put(request.getKey(), report))))
        .map(reports);
  }

  /** The outcome of a reset. */
  sealed interface ResetOutcome {
    /**
     * The partition continues at {@code nextOffset}.
     *
     * @param lostRecords how many records from {@code was} on can no longer be read; 0 if the log
     *     has lost records that are booked
     */
    record Done(int partition, long nextOffset, long was, long lostRecords)
        implements ResetOutcome {}

    record No(Problem problem) implements ResetOutcome {}
  }

  private record Log(long begin, long end) {}

  /**
   * Unblocks a partition: at the end of its log if the log has lost records that are booked; at its
   * begin if records were deleted before they were booked. Booked orders stay booked; its owner
   * starts again.
   */
  Future<ResetOutcome> reset(int partition) {
    Future<Long> begin = partitions.logBegin().apply(partition);
    Future<Long> end = partitions.logEnd().apply(partition);
    return Future.join(begin, end)
        .transform(
            asked ->
                asked.succeeded()
                    ? reset(partition, new Log(begin.result(), end.result()))
                    : Future.succeededFuture(new ResetOutcome.No(Problem.PART_DOWN)));
  }

  /** A partition without a fence was never read; its first owner will find the right offset. */
  private Future<ResetOutcome> reset(int partition, Log span) {
    return partitions
        .ledger()
        .fences()
        .compose(
            fences -> {
              Fence fence = fences.get(partition);
              if (fence != null && span.end() < fence.nextOffset()) {
                return back(fence, span.end());
              }
              return fence != null && span.begin() > fence.nextOffset()
                  ? forward(fence, span)
                  : Future.succeededFuture(new ResetOutcome.No(nothing(fence, span)));
            });
  }

  private Future<ResetOutcome> back(Fence fence, long end) {
    return partitions
        .ledger()
        .reset(fence.partition(), end)
        .map(
            reset -> {
              log.atWarn()
                  .addKeyValue("partition", fence.partition())
                  .addKeyValue("offset", end)
                  .addKeyValue("was", fence.nextOffset())
                  .log("an operator has reset the partition to the end of its log");
              return new ResetOutcome.Done(fence.partition(), end, fence.nextOffset(), 0);
            });
  }

  private Future<ResetOutcome> forward(Fence fence, Log span) {
    long was = fence.nextOffset();
    return partitions
        .ledger()
        .skipLost(fence.partition(), was, span.begin())
        .map(
            skipped -> {
              if (!skipped) {
                return new ResetOutcome.No(nothing(fence, span));
              }
              log.atWarn()
                  .addKeyValue("partition", fence.partition())
                  .addKeyValue("from", was)
                  .addKeyValue("to", span.begin() - 1)
                  .addKeyValue("records", span.begin() - was)
                  .log(
                      "an operator has skipped records of the log that were deleted before they"
                          + " were booked");
              return new ResetOutcome.Done(
                  fence.partition(), span.begin(), was, span.begin() - was);
            });
  }

  private static Problem nothing(@Nullable Fence fence, Log span) {
    return Problem.of(
        ProblemType.NOTHING_TO_RESET,
        "Expected a log that lacks the partition's next offset %d, but it has offsets %d up to %d"
            .formatted(
                fence == null ? span.begin() : fence.nextOffset(), span.begin(), span.end()));
  }
}
