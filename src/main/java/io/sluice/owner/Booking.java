package io.sluice.owner;

import io.sluice.async.BackgroundTask;
import io.sluice.async.Backoff;
import io.sluice.async.LoopContext.Timers;
import io.sluice.ledger.Ledger;
import io.sluice.ledger.Ledger.Batch;
import io.sluice.ledger.Step;
import io.sluice.ledger.Step.Result;
import io.sluice.ledger.UnprocessableException;
import io.sluice.metrics.OwnerMeters.PartitionMeters;
import io.sluice.model.Command;
import io.sluice.monitor.Alarm;
import io.sluice.orderlog.LogBatch;
import io.sluice.orderlog.LogBatch.LogRecord;
import io.sluice.owner.Booking.LogQueue.Slice;
import io.sluice.owner.OwnedLedger.FenceMovedException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Books the order log into the ledger: whole records in log order, one transaction per slice,
 * retried until it succeeds.
 *
 * <p>The first retry uses the same slice. So the fence tells a commit whose reply was lost from a
 * takeover, and it is known what was booked. After that the slice is halved, since a slow database
 * may never complete a large one. If the large one was committed after all, the fence has moved
 * under the same term, and the records below it are dropped.
 *
 * <p>What repeats a batch before that, each for its own failures: {@code Database} a transaction
 * that met another one, {@code RepeatedBatches} one that lacked rows, {@link OwnedLedger} a slice
 * of which commands belong elsewhere or grants are missing, or that others of its round kept from
 * being booked.
 *
 * <p>Commands of the owner join the transaction of the next slice, behind it: one of their own
 * would cost as much. If it fails, they are applied alone.
 */
public final class Booking {
  /**
   * The signals of booking to its host: back-pressure on the delivery of records, and strays among
   * them.
   */
  public interface FlowControl {
    void pause();

    void resume();

    /** Grants were dropped that a Redis process made which has no bucket any more. */
    default void strayed(int grants) {}
  }

  static final int SLICE_LINES_MAX = 2_000;
  static final int QUEUE_LINES_MAX = 10_000;

  /** So many commands of an owner join a slice; more have a transaction of their own. */
  static final int JOINING_MAX = 64;

  private static final int TRIES_AS_IT_IS = 2;
  private static final int RAW_MAX = 4_096;
  private static final Logger log = LoggerFactory.getLogger(Booking.class);

  private final Ledger ledger;
  private final OwnedLedger owned;
  private final BookingRounds rounds;
  private final Ownership ownership;
  private final Timers timers;
  private final @Nullable String instance;
  private final FlowControl flow;
  private final Runnable awaitedElsewhere;
  private final StrayGrants strayGrants;
  private final ForeignRecords foreign = new ForeignRecords();
  private final PartitionMeters meters;
  private final BackgroundTask task;
  private final Backoff backoff = new Backoff();
  private final LogQueue queue = new LogQueue();
  private List<Joining> joining = new ArrayList<>();

  /** A joint transaction has failed, and the commands alone have not succeeded since. */
  private boolean joinsNone;

  private boolean paused;

  /** The offset of the next record expected from the log. */
  private long expected;

  /** Commands of the owner that wait for the next transaction. */
  private record Joining(List<Command> commands, Promise<Void> done) {}

  private @Nullable Slice current;
  private int failures;
  private int sliceMax = SLICE_LINES_MAX;

  /**
   * @param rounds in which the instance books its partitions
   * @param awaitedElsewhere called if a caller of another instance may wait for the events of what
   *     was just booked
   */
  public Booking(
      OwnerContext context, BookingRounds rounds, FlowControl flow, Runnable awaitedElsewhere) {
    this.ledger = context.ledger();
    this.owned = context.owned();
    this.rounds = rounds;
    this.ownership = context.ownership();
    this.timers = context.timers();
    this.instance = context.orderLog().instance();
    this.flow = flow;
    this.awaitedElsewhere = awaitedElsewhere;
    this.strayGrants = new StrayGrants(context, flow::strayed);
    this.meters = context.meters();
    this.task = context.tasks().make("booking", this::step);
    this.expected = ownership.fence().nextOffset();
  }

  /**
   * Queues polled records; those below the expected offset are booked or queued already, and
   * dropped. A batch that was read from beyond it was polled for an earlier owner and leaves a gap
   * that would never be booked. The owner then steps down, and its successor reads from the
   * ledger's offset.
   */
  public void polled(LogBatch batch) {
    if (batch.firstOffset() > expected) {
      stepDown(batch);
      return;
    }
    foreign.look(batch, expected);
    for (LogRecord entry : batch.toTheEnd()) {
      if (entry.offset() >= expected) {
        queue.add(entry);
      }
    }
    expected = Math.max(expected, batch.endOffset());
    measure();
    if (queue.lines() > QUEUE_LINES_MAX && !paused) {
      paused = true;
      flow.pause();
    }
    if (isAwaited()) {
      rounds.hurry();
    }
    task.wake();
  }

  /**
   * Applies commands that do not come from the log and book no grants, in the next transaction; no
   * caller waits for them. Many go alone, and so do all while something fails: what keeps one from
   * being applied would keep every partition of the round.
   */
  Future<Void> join(List<Command> commands) {
    Joining mine = new Joining(commands, Promise.promise());
    boolean joins =
        failures == 0 && !joinsNone && !ownership.isLost() && commands.size() <= JOINING_MAX;
    if (!joins) {
      alone(List.of(mine));
    } else {
      joining.add(mine);
      task.wake();
    }
    return mine.done().future();
  }

  /**
   * What waits for the next transaction does so no more; once the ownership has ended, it fails.
   */
  void leaveAll() {
    List<Joining> left = joining;
    joining = new ArrayList<>();
    alone(left);
  }

  private void alone(List<Joining> some) {
    some.forEach(
        one ->
            owned
                .apply(one.commands())
                .onSuccess(applied -> joinsNone = false)
                .<Void>mapEmpty()
                .onComplete(one.done()));
  }

  /** The offset from which records are still to be brought, by a reading that is not paused. */
  public long readAgain() {
    paused = false;
    return expected;
  }

  private void stepDown(LogBatch batch) {
    if (!ownership.isLost()) {
      log.atWarn()
          .addKeyValue("partition", ownership.partition())
          .addKeyValue("expected", expected)
          .addKeyValue("offset", batch.firstOffset())
          .log(
              "gap in the polled records of the order log; this owner steps down, nothing is lost");
      ownership.lose();
    }
  }

  private void measure() {
    Slice slice = current;
    meters.oldestRecord(slice == null ? queue.oldestMs() : slice.appendedAtMs());
  }

  /**
   * Whether a caller waits for something that is not booked, or may: not all of the log has been
   * read.
   */
  private boolean isAwaited() {
    return paused || ownership.isHurried() || queue.holdsMoreThanGrants();
  }

  private Future<Boolean> step() {
    if (current == null && !queue.isReadable() && joining.isEmpty()) {
      warnIfUnsupported();
      return Future.succeededFuture(false);
    }
    return failures == 0
        ? rounds.join(queue.lines() + commands(joining).size(), isAwaited()).compose(this::book)
        : book(Objects.requireNonNull(take(sliceMax)), List.of(), owned.alone());
  }

  private static List<Command> commands(List<Joining> some) {
    return some.stream().flatMap(one -> one.commands().stream()).toList();
  }

  /** The round waits a moment for another transaction of the owner that is under way. */
  private Future<Boolean> book(BookingRounds.Turn turn) {
    List<Joining> joined = joining;
    joining = new ArrayList<>();
    Slice slice = take(Math.min(sliceMax, turn.linesMax()));
    return slice == null ? apply(joined, turn) : book(slice, joined, turn::apply);
  }

  private @Nullable Slice take(int linesMax) {
    Slice slice = current == null ? queue.take(linesMax) : current;
    current = slice;
    return slice;
  }

  /** True also if it failed: what waits meanwhile is not to wait for that. */
  private Future<Boolean> apply(List<Joining> joined, BookingRounds.Turn turn) {
    return owned
        .apply(commands(joined), turn::apply)
        .onComplete(done -> settle(joined, done.succeeded()))
        .transform(done -> Future.succeededFuture(true));
  }

  private void settle(List<Joining> joined, boolean isApplied) {
    if (isApplied) {
      joined.forEach(one -> one.done().complete());
    } else if (!joined.isEmpty()) {
      joinsNone = true;
      alone(joined);
    }
  }

  private Future<Boolean> book(
      Slice slice, List<Joining> joined, Function<Batch, Future<Result>> first) {
    List<Command> commands = new ArrayList<>(slice.commands());
    commands.addAll(commands(joined));
    return owned
        .advance(slice.endOffset(), commands, first)
        .onComplete(done -> settle(joined, done.succeeded()))
        .recover(failure -> isolate(slice, failure))
        .map(
            applied -> {
              current = null;
              strayGrants.look(slice.records(), applied.stale());
              if (slice.isAwaitedElsewhere(instance)) {
                awaitedElsewhere.run();
              }
              succeeded();
              measure();
              return true;
            })
        .onFailure(failure -> failed(slice, failure));
  }

  private void succeeded() {
    failures = 0;
    backoff.reset();
    sliceMax = Math.min(SLICE_LINES_MAX, 2 * sliceMax);
    if (paused && queue.lines() < QUEUE_LINES_MAX / 2) {
      paused = false;
      flow.resume();
    }
  }

  private void failed(Slice slice, Throwable failure) {
    if (ownership.isLost()) {
      return;
    }
    failures++;
    leaveAll();
    if (failure instanceof FenceMovedException) {
      giveBack(slice);
    } else if (failures >= TRIES_AS_IT_IS && slice.records().size() > 1) {
      giveBack(slice);
      sliceMax = Math.max(1, slice.lines() / 2);
    }
    timers.after(backoff.next()).onSuccess(now -> task.wake());
  }

  private void giveBack(Slice slice) {
    current = null;
    queue.giveBack(slice, ownership.fence().nextOffset());
    measure();
  }

  private void warnIfUnsupported() {
    LogRecord head = queue.unsupportedHead();
    if (head != null) {
      log.atError()
          .addKeyValue("partition", ownership.partition())
          .addKeyValue("offset", head.offset())
          .log(
              "partition blocked: a record has a higher version than this build reads; finish the"
                  + " upgrade");
    }
  }

  /** If the data of a command makes the transaction fail, dead-letters that command alone. */
  private Future<Result.Applied> isolate(Slice slice, Throwable failure) {
    if (!(failure instanceof UnprocessableException)) {
      return Future.failedFuture(failure);
    }
    List<Command> commands = slice.commands();
    log.atError()
        .addKeyValue("partition", ownership.partition())
        .addKeyValue("batchSize", commands.size())
        .addKeyValue("cause", failure.getMessage())
        .log("the ledger refuses a command of this batch; searching for it to dead-letter it");
    Step step = Step.advance(ownership.fence(), slice.endOffset());
    return new PoisonSearch(ledger, step, Booking::letter)
        .replacePoison(commands)
        .compose(clean -> owned.advance(slice.endOffset(), clean));
  }

  private static Command letter(Command poison, Throwable why) {
    String raw = poison.toString();
    return new Command.Malformed(
        raw.substring(0, Math.min(raw.length(), RAW_MAX)),
        "Expected what the ledger can store, but it answered: " + why.getMessage());
  }

  /**
   * Raises an alarm if another program writes to the order log. An offset without a record is the
   * marker of a transaction, and no instance uses any. A record that cannot be read and names no
   * instance is of none. All of it is passed.
   */
  final class ForeignRecords {
    static final Duration ALARM_EVERY = Duration.ofMinutes(10);

    private long records;
    private long markers;
    private boolean rests;

    /**
     * Looks at a batch.
     *
     * @param expected all offsets below were looked at before
     */
    void look(LogBatch batch, long expected) {
      long end = batch.endOffset();
      if (end <= expected) {
        return;
      }
      long fresh = batch.records().stream().filter(entry -> entry.offset() >= expected).count();
      markers += end - Math.max(expected, batch.firstOffset()) - fresh;
      records +=
          batch.records().stream()
              .filter(entry -> entry.offset() >= expected && isForeign(entry))
              .count();
      raise();
    }

    private static boolean isForeign(LogRecord entry) {
      return entry.instance() == null
          && entry.commands().stream().anyMatch(command -> command instanceof Command.Malformed);
    }

    private void raise() {
      if (rests || records + markers == 0) {
        return;
      }
      rests = true;
      Alarm.FOREIGN_RECORD.raise(
          ownership
              .about(log.atError())
              .addKeyValue("records", records)
              .addKeyValue("markers", markers));
      records = 0;
      markers = 0;
      timers
          .after(ALARM_EVERY)
          .onSuccess(
              now -> {
                rests = false;
                raise();
              });
    }
  }

  /** The records of a partition that were polled and are not booked yet, in log order. */
  static final class LogQueue {

    /** Whole records that are booked in one transaction. */
    record Slice(List<LogRecord> records) {
      long endOffset() {
        return records.get(records.size() - 1).offset() + 1;
      }

      long appendedAtMs() {
        return records.get(0).appendedAtMs();
      }

      int lines() {
        return Command.linesOf(commands());
      }

      /** Whether a command other than a grant is of another instance than this, or may be. */
      boolean isAwaitedElsewhere(@Nullable String instance) {
        return records.stream()
            .filter(entry -> instance == null || !instance.equals(entry.instance()))
            .anyMatch(entry -> entry.commands().stream().anyMatch(LogQueue::hasCaller));
      }

      List<Command> commands() {
        List<Command> all = new ArrayList<>();
        records.forEach(entry -> all.addAll(entry.commands()));
        return all;
      }
    }

    private final Deque<LogRecord> records = new ArrayDeque<>();
    private int lines;
    private int callers;

    /** The lines of the queued commands, without those of a slice that was taken. */
    int lines() {
      return lines;
    }

    /** When the first record was appended; 0 if there is none, or that is not known. */
    long oldestMs() {
      LogRecord head = records.peek();
      return head == null ? 0 : head.appendedAtMs();
    }

    /** Whether there is a record that this build can read. */
    boolean isReadable() {
      LogRecord head = records.peek();
      return head != null && head.supported();
    }

    /** Whether a command other than a grant is queued; a caller may wait for its outcome. */
    boolean holdsMoreThanGrants() {
      return callers > 0;
    }

    void add(LogRecord entry) {
      records.add(entry);
      count(entry, 1);
    }

    private void count(LogRecord entry, int sign) {
      lines += sign * Command.linesOf(entry.commands());
      for (Command command : entry.commands()) {
        callers += hasCaller(command) ? sign : 0;
      }
    }

    /** A caller may wait for its outcome. */
    private static boolean hasCaller(Command command) {
      return !(command instanceof Command.Reserve);
    }

    /** The first record, if this build cannot read its version; else null. */
    @Nullable LogRecord unsupportedHead() {
      LogRecord head = records.peek();
      return head == null || head.supported() ? null : head;
    }

    /**
     * Takes records with about this many lines, at least one record. Null if there is none that
     * this build can read.
     */
    @Nullable Slice take(int linesMax) {
      List<LogRecord> taken = new ArrayList<>();
      int size = 0;
      for (LogRecord head = records.peek();
          head != null && head.supported() && size < linesMax;
          head = records.peek()) {
        taken.add(records.remove());
        count(head, -1);
        size += Command.linesOf(head.commands());
      }
      return taken.isEmpty() ? null : new Slice(taken);
    }

    /**
     * Returns the records of a slice to the head of the queue, except those below {@code
     * fromOffset}.
     */
    void giveBack(Slice slice, long fromOffset) {
      List<LogRecord> backwards = new ArrayList<>(slice.records());
      Collections.reverse(backwards);
      for (LogRecord entry : backwards) {
        if (entry.offset() >= fromOffset) {
          records.addFirst(entry);
          count(entry, 1);
        }
      }
      while (!records.isEmpty() && records.element().offset() < fromOffset) {
        count(records.remove(), -1);
      }
    }
  }
}
