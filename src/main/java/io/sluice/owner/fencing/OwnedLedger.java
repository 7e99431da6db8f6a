package io.sluice.owner.fencing;

import io.sluice.async.AsyncLoop;
import io.sluice.async.ExecutionSequencer;
import io.sluice.ledger.Bookings.Result;
import io.sluice.ledger.Bookings.Step;
import io.sluice.ledger.Fence;
import io.sluice.ledger.Ledger;
import io.sluice.model.Command;
import io.sluice.orderlog.OrderLog;
import io.vertx.core.Future;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ledger under one owner's fence: one transaction at a time, and after each commit that is
 * known to have happened the actions that follow from it.
 */
public final class OwnedLedger {
  private static final Logger log = LoggerFactory.getLogger(OwnedLedger.class);

  private final Ledger ledger;
  private final Ownership ownership;
  private final ExecutionSequencer sequencer;
  private final ForeignBuckets foreignBuckets;
  private final ApplyTrace trace;
  private Consumer<Result.Applied> afterCommit = applied -> {};

  OwnedLedger(
      Ledger ledger,
      Ownership ownership,
      ExecutionSequencer sequencer,
      OrderLog orderLog,
      ApplyTrace trace) {
    this.ledger = ledger;
    this.ownership = ownership;
    this.sequencer = sequencer;
    this.foreignBuckets = new ForeignBuckets(orderLog, ownership::about, sequencer::progressed);
    this.trace = trace;
  }

  /**
   * Sets the callback for the result of each transaction. Must be called before anything is
   * applied.
   */
  public void afterCommit(Consumer<Result.Applied> listener) {
    afterCommit = listener;
  }

  /** Applies commands that do not come from the log. */
  public Future<Result.Applied> apply(List<Command> commands) {
    return sequencer.take("apply", () -> run(Step.check(ownership.fence()), commands));
  }

  /** Applies the commands of the log up to this offset. */
  public Future<Result.Applied> advance(long endOffset, List<Command> commands) {
    return sequencer.take(
        "booking", () -> run(Step.advance(ownership.fence(), endOffset), commands));
  }

  /**
   * Each repetition has fewer commands, and the last one none of a foreign bucket. Only commands of
   * the log are retried as they are.
   */
  private Future<Result.Applied> run(Step step, List<Command> commands) {
    AtomicReference<List<Command>> left = new AtomicReference<>(commands);
    return trace
        .of(step.partition(), commands, () -> AsyncLoop.untilPresent(() -> attempt(step, left)))
        .onComplete(
            done -> {
              if (done.succeeded() || !step.advances()) {
                foreignBuckets.forget(commands);
              }
            });
  }

  private Future<Optional<Result.Applied>> attempt(Step step, AtomicReference<List<Command>> left) {
    if (ownership.isLost()) {
      return Future.failedFuture(new FenceLostException(step.partition()));
    }
    List<Command> commands = Objects.requireNonNull(left.get());
    return ledger
        .apply(step, commands)
        .compose(
            result -> {
              if (result instanceof Result.Foreign foreign) {
                return foreignBuckets
                    .sendOn(commands, foreign.partitions())
                    .onSuccess(left::set)
                    .map(Optional.empty());
              }
              if (result instanceof Result.FenceLost refused) {
                return refused(refused.now()).map(Optional::of);
              }
              Result.Applied applied = (Result.Applied) result;
              if (step.advances()) {
                ownership.advanced(step.endOffset());
              }
              afterCommit.accept(applied);
              return Future.succeededFuture(Optional.of(applied));
            });
  }

  private Future<Result.Applied> refused(Fence now) {
    if (now.isBehind(ownership.fence())) {
      log.atWarn()
          .addKeyValue("partition", now.partition())
          .addKeyValue("term", now.term())
          .addKeyValue("offset", now.nextOffset())
          .addKeyValue("bookedBefore", ownership.fence().nextOffset())
          .log("ledger is behind what this owner has committed; the owner steps down");
    }
    if (now.term() != ownership.term() || now.isBehind(ownership.fence())) {
      return Future.failedFuture(ownership.lose());
    }
    ownership.advanced(now.nextOffset());
    return Future.failedFuture(new FenceMovedException(now.nextOffset()));
  }
}
