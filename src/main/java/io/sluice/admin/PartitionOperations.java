package io.sluice.admin;

import io.sluice.ledger.Fence;
import io.sluice.ledger.SkuLedger;
import io.sluice.web.Problem;
import io.sluice.web.ProblemType;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What operators do to partitions; their owners, wherever they are, carry it out. */
final class PartitionOperations {
  static final Duration REPORTED_WITHIN = Duration.ofSeconds(30);
  private static final Logger LOG = LoggerFactory.getLogger(PartitionOperations.class);

  private final Partitions partitions;
  private final SkuLedger ledger;
  private final Poll poll;

  PartitionOperations(
      Partitions partitions, SkuLedger ledger, Poll.Pause pause, InstantSource clock) {
    this.partitions = partitions;
    this.ledger = ledger;
    this.poll = new Poll(pause, clock);
  }

  /**
   * Asks each owner to compare its buckets with Redis now. Gives the reports by partition, those
   * that did not come in time being empty.
   */
  Future<Map<Integer, Optional<String>>> reconcile() {
    return reported(0, poll.deadline(REPORTED_WITHIN));
  }

  /** Leaves a request for each partition, and then waits for each answer. */
  private Future<Map<Integer, Optional<String>>> reported(int partition, Instant deadline) {
    if (partition == partitions.count()) {
      return Future.succeededFuture(new TreeMap<>());
    }
    return ledger
        .requestReconcile(partition)
        .compose(
            request ->
                reported(partition + 1, deadline)
                    .compose(
                        others ->
                            poll.until(deadline, () -> ledger.answer(request), Optional::isPresent)
                                .map(
                                    report -> {
                                      others.put(partition, report);
                                      return others;
                                    })));
  }

  /** What became of a reset. */
  sealed interface ResetOutcome {
    record Done(int partition, long nextOffset, long was) implements ResetOutcome {}

    record No(Problem problem) implements ResetOutcome {}
  }

  /**
   * Lets a partition go on at the end of its log, where the log has lost records that are booked.
   * What is booked stays booked; its owner starts anew.
   */
  Future<ResetOutcome> reset(int partition) {
    return partitions
        .logEnd()
        .apply(partition)
        .transform(
            end ->
                end.succeeded()
                    ? reset(partition, end.result())
                    : Future.succeededFuture(new ResetOutcome.No(Problem.PART_DOWN)));
  }

  private Future<ResetOutcome> reset(int partition, long end) {
    return partitions
        .ledger()
        .fences()
        .compose(
            fences -> {
              long was = fences.getOrDefault(partition, new Fence(partition, 0, 0)).nextOffset();
              if (end >= was) {
                return Future.succeededFuture(new ResetOutcome.No(nothing(end, was)));
              }
              return partitions
                  .ledger()
                  .reset(partition, end)
                  .map(
                      fence -> {
                        LOG.atWarn()
                            .addKeyValue("partition", partition)
                            .addKeyValue("offset", end)
                            .addKeyValue("was", was)
                            .log("an operator has reset the partition to the end of its log");
                        return new ResetOutcome.Done(partition, end, was);
                      });
            });
  }

  private static Problem nothing(long end, long nextOffset) {
    return Problem.of(
        ProblemType.NOTHING_TO_RESET,
        "Expected a log that ends below offset %d, which is next, but it ends at %d"
            .formatted(nextOffset, end));
  }
}
