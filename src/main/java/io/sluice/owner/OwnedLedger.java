package io.sluice.owner;

import io.sluice.async.AsyncLoop;
import io.sluice.async.ExecutionSequencer;
import io.sluice.ledger.Fence;
import io.sluice.ledger.Ledger;
import io.sluice.ledger.Step;
import io.sluice.ledger.Step.Result;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.OrderToken;
import io.sluice.orderlog.OrderLog;
import io.sluice.tracing.TracedOrders;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ledger under one owner's fence: one transaction at a time, and after each commit that is
 * known to have happened the actions that follow from it.
 */
final class OwnedLedger {
  private static final Logger log = LoggerFactory.getLogger(OwnedLedger.class);

  /**
   * An earlier commit of the same owner took effect although its reply was lost. The owner
   * continues after it.
   */
  static final class FenceMovedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    FenceMovedException(long nextOffset) {
      super("the log is booked up to offset " + nextOffset + " already");
    }
  }

  private final Ledger ledger;
  private final Ownership ownership;
  private final ExecutionSequencer sequencer;
  private final OrderLog orderLog;
  private final ForeignBuckets foreignBuckets = new ForeignBuckets();
  private final TracedOrders traced;
  private Consumer<Result.Applied> afterCommit = applied -> {};

  OwnedLedger(
      Ledger ledger,
      Ownership ownership,
      ExecutionSequencer sequencer,
      OrderLog orderLog,
      TracedOrders traced) {
    this.ledger = ledger;
    this.ownership = ownership;
    this.sequencer = sequencer;
    this.orderLog = orderLog;
    this.traced = traced;
  }

  /**
   * Sets the callback for the result of each transaction. Must be called before anything is
   * applied.
   */
  void afterCommit(Consumer<Result.Applied> listener) {
    afterCommit = listener;
  }

  /** Applies commands that do not come from the log. */
  Future<Result.Applied> apply(List<Command> commands) {
    return sequencer.take("apply", () -> run(Step.check(ownership.fence()), commands));
  }

  /** Applies the commands of the log up to this offset. */
  Future<Result.Applied> advance(long endOffset, List<Command> commands) {
    return sequencer.take(
        "booking", () -> run(Step.advance(ownership.fence(), endOffset), commands));
  }

  /**
   * Checks that the ledger still has what this owner has committed. An owner that books nothing
   * would not notice that the ledger was restored to an earlier state. If the unlocked read shows a
   * different fence, it is checked again under the lock, which ends the ownership if it is lost.
   */
  Future<Boolean> check() {
    Fence known = ownership.fence();
    return ledger
        .glance(known.partition())
        .compose(
            seen ->
                seen.fence().filter(now -> isKept(known, now)).isPresent()
                    ? Future.succeededFuture(false)
                    : apply(List.of()).map(false));
  }

  private static boolean isKept(Fence known, Fence now) {
    return now.term() == known.term() && !now.isBehind(known);
  }

  /**
   * Each repetition has fewer commands, and the last one none of a foreign bucket. Only commands of
   * the log are retried as they are.
   */
  private Future<Result.Applied> run(Step step, List<Command> commands) {
    AtomicReference<List<Command>> left = new AtomicReference<>(commands);
    return StepTrace.ofApply(
            traced,
            step.partition(),
            commands,
            () -> AsyncLoop.untilPresent(() -> attempt(step, left)))
        .onComplete(
            done -> {
              if (done.succeeded() || !step.advances()) {
                foreignBuckets.forget(commands);
              }
            });
  }

  private Future<Optional<Result.Applied>> attempt(Step step, AtomicReference<List<Command>> left) {
    return ownership.ifHeld(() -> applyOnce(step, left));
  }

  private Future<Optional<Result.Applied>> applyOnce(
      Step step, AtomicReference<List<Command>> left) {
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

  /**
   * Appends commands that were sent to the wrong partition anew, to the partition where their
   * bucket is; docs/design.md section 4. Called before the offset of such a command is committed,
   * so that none is lost: after a crash in between it is appended twice, and the second copy
   * changes nothing. Without a crash it is appended once: while one partition takes no records, the
   * commands of the others are not appended with each retry.
   *
   * <p>Two partitions cannot send a command to and fro: both read the same row, under its lock, so
   * each further append needs one more change of that row.
   */
  final class ForeignBuckets {
    /** A record with so many commands stays far below the limit of the brokers. */
    static final int RECORD_COMMANDS_MAX = 128;

    /**
     * Commands that are in the log where their bucket is, and whose offset may not be committed
     * yet. Compared by identity: two that are equal are two.
     */
    private final Set<Command> sent = Collections.newSetFromMap(new IdentityHashMap<>());

    private record Append(int partition, List<Command> commands) {}

    /**
     * Appends the commands of these buckets, each to its partition, in their order. Returns the
     * other commands; fails if an append fails, and then all may be repeated.
     */
    Future<List<Command>> sendOn(List<Command> commands, Map<BucketId, Integer> partitions) {
      List<Command> left = new ArrayList<>();
      Map<Integer, List<Command>> foreign = new TreeMap<>();
      for (Command command : commands) {
        Integer partition = partitionOf(command, partitions);
        if (partition == null) {
          left.add(command);
        } else if (!(command instanceof Command.Reject) && !sent.contains(command)) {
          // A rejection is an owner's decision on what Redis has; the owner there makes its own.
          foreign.computeIfAbsent(partition, first -> new ArrayList<>()).add(command);
        }
      }
      return AsyncLoop.forEach(inRecords(foreign), this::append).map(left);
    }

    /**
     * These commands will not be sent on again: their offset is committed, or they are made anew.
     */
    void forget(List<Command> commands) {
      commands.forEach(sent::remove);
    }

    private static @Nullable Integer partitionOf(
        Command command, Map<BucketId, Integer> partitions) {
      OrderToken token = command.token();
      return token == null ? null : partitions.get(token.bucketId());
    }

    private static List<Append> inRecords(Map<Integer, List<Command>> foreign) {
      List<Append> records = new ArrayList<>();
      foreign.forEach(
          (partition, commands) ->
              AsyncLoop.parts(commands, RECORD_COMMANDS_MAX)
                  .forEach(some -> records.add(new Append(partition, List.copyOf(some)))));
      return records;
    }

    private Future<Void> append(Append record) {
      return orderLog
          .append(record.partition(), record.commands())
          .onSuccess(
              offset -> {
                sent.addAll(record.commands());
                sequencer.progressed();
                ownership
                    .about(log.atInfo())
                    .addKeyValue("to", record.partition())
                    .addKeyValue("commands", record.commands().size())
                    .log("commands of buckets in another partition were appended there");
              })
          .mapEmpty();
    }
  }
}
