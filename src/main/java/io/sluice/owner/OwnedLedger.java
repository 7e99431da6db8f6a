package io.sluice.owner;

import io.sluice.async.AsyncLoop;
import io.sluice.async.ExecutionSequencer;
import io.sluice.ledger.Fence;
import io.sluice.ledger.Ledger;
import io.sluice.ledger.Ledger.Batch;
import io.sluice.ledger.Step;
import io.sluice.ledger.Step.Result;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.OrderToken;
import io.sluice.orderlog.OrderLog;
import io.sluice.tracing.BatchTrace;
import io.sluice.tracing.BatchTrace.BatchStep;
import io.sluice.tracing.Span.Attributes;
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
import java.util.function.Function;
import java.util.function.Supplier;
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
  private final MissingGrants missingGrants;
  private Consumer<Result.Applied> afterCommit = applied -> {};

  OwnedLedger(
      Ledger ledger,
      Ownership ownership,
      ExecutionSequencer sequencer,
      OrderLog orderLog,
      TracedOrders traced,
      MissingGrants missingGrants) {
    this.ledger = ledger;
    this.ownership = ownership;
    this.sequencer = sequencer;
    this.orderLog = orderLog;
    this.traced = traced;
    this.missingGrants = missingGrants;
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
    return apply(commands, alone());
  }

  /**
   * The same.
   *
   * @param first as of {@link #advance}
   */
  Future<Result.Applied> apply(List<Command> commands, Function<Batch, Future<Result>> first) {
    return sequencer.take(
        "apply", () -> run(new Batch(Step.check(ownership.fence()), commands, true), first));
  }

  /**
   * Applies the commands of the log up to this offset, as they are: their grants were looked for.
   */
  Future<Result.Applied> advance(long endOffset, List<Command> commands) {
    return advance(endOffset, commands, true, alone());
  }

  /**
   * The same, with the grants that only Redis has.
   *
   * @param first how they are applied first: {@link #alone} or in a round
   */
  Future<Result.Applied> advance(
      long endOffset, List<Command> commands, Function<Batch, Future<Result>> first) {
    return advance(endOffset, commands, false, first);
  }

  private Future<Result.Applied> advance(
      long endOffset,
      List<Command> commands,
      boolean searched,
      Function<Batch, Future<Result>> first) {
    return sequencer.take(
        "booking",
        () ->
            run(new Batch(Step.advance(ownership.fence(), endOffset), commands, searched), first));
  }

  /** Applies a batch in a transaction of its own. */
  Function<Batch, Future<Result>> alone() {
    return batch -> ledger.apply(List.of(batch)).map(results -> results.get(0));
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
                seen.fence().filter(now -> now.keeps(known)).isPresent()
                    ? Future.succeededFuture(false)
                    : apply(List.of()).map(false));
  }

  /**
   * Repeated alone until nothing keeps it from being applied: without the commands of foreign
   * buckets, or with grants that only Redis had. Only commands of the log are retried as they are.
   */
  private Future<Result.Applied> run(Batch batch, Function<Batch, Future<Result>> first) {
    AtomicReference<Batch> next = new AtomicReference<>(batch);
    AtomicReference<Function<Batch, Future<Result>>> how = new AtomicReference<>(first);
    return traced(
            batch,
            () ->
                AsyncLoop.untilPresent(
                    () ->
                        ownership.ifHeld(
                            () -> applyOnce(next, Objects.requireNonNull(how.getAndSet(alone()))))))
        .onComplete(
            done -> {
              if (done.succeeded() || !batch.step().advances()) {
                foreignBuckets.forget(batch.commands());
              }
            });
  }

  /** Runs the work, which applies this batch, as a step of its orders. */
  private Future<Result.Applied> traced(Batch batch, Supplier<Future<Result.Applied>> work) {
    List<Command> commands = batch.commands();
    if (!traced.traces().isOn() || commands.isEmpty()) {
      return work.get();
    }
    BatchTrace trace = BatchTrace.begin(traced.traces(), BatchStep.APPLY, System.nanoTime());
    List<String> tokens = new ArrayList<>();
    for (Command command : commands) {
      OrderToken token = command.token();
      if (token != null) {
        tokens.add(token.value());
        trace.add(
            command instanceof Command.Reserve reserve
                ? traced.of(token, reserve.trace())
                : traced.of(token.value()),
            token.value());
      }
    }
    return work.get()
        .onComplete(
            done ->
                trace.end(
                    System.nanoTime(),
                    commands.size(),
                    tokens,
                    Attributes.ofPartition(batch.step().partition()),
                    BatchTrace.errorOf(done)));
  }

  private Future<Optional<Result.Applied>> applyOnce(
      AtomicReference<Batch> next, Function<Batch, Future<Result>> how) {
    Batch batch = Objects.requireNonNull(next.get());
    return how.apply(batch).compose(result -> settled(batch, result, next));
  }

  /** Empty if the next batch is to be applied. */
  private Future<Optional<Result.Applied>> settled(
      Batch batch, Result result, AtomicReference<Batch> next) {
    if (result instanceof Result.Applied applied) {
      if (batch.step().advances()) {
        ownership.advanced(batch.step().endOffset());
      }
      afterCommit.accept(applied);
      return Future.succeededFuture(Optional.of(applied));
    }
    if (result instanceof Result.FenceLost refused) {
      return refused(refused.now()).map(Optional::of);
    }
    if (result instanceof Result.Foreign foreign) {
      return foreignBuckets
          .sendOn(batch.commands(), foreign.partitions())
          .onSuccess(left -> next.set(new Batch(batch.step(), left, batch.searched())))
          .map(Optional.empty());
    }
    return result instanceof Result.Missing missing
        ? missingGrants
            .addTo(batch.commands(), missing.tokens())
            .onSuccess(whole -> next.set(new Batch(batch.step(), whole, true)))
            .map(Optional.empty())
        : Future.succeededFuture(Optional.empty());
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
   * bucket is; docs/design-stock.md section 4. Called before the offset of such a command is
   * committed, so that none is lost: after a crash in between it is appended twice, and the second
   * copy changes nothing. Without a crash it is appended once: while one partition takes no
   * records, the commands of the others are not appended with each retry.
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
