package io.sluice.owner;

import io.sluice.async.Asker;
import io.sluice.async.ExecutionSequencer;
import io.sluice.async.LoopContext;
import io.sluice.ledger.Ledger;
import io.sluice.ledger.Ledger.Batch;
import io.sluice.ledger.Step.Result;
import io.sluice.ledger.UnprocessableException;
import io.sluice.model.Command;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * The rounds in which an instance books its partitions: one transaction for the slices of all that
 * have records then. The only pacer of booking.
 *
 * <p>A round begins when fewer than the writers are under way, and {@link #SOON} after the last
 * began if a caller waits for the outcome of a command, or many lines wait; else {@link #LATER}. In
 * a stampede grants have priority: while no caller waits, rounds rest in proportion to their
 * length, {@link #REST_MAX} at most.
 *
 * <p>A round waits for its partitions only for {@link #GATHERS_MAX}: the slice of an owner that has
 * another transaction under way for longer is for the next round, or is booked alone if that would
 * rest. So is one whose batch fails. A round aims at {@link #AIM}. Small queues are taken whole,
 * and the rest of that time goes to the large ones.
 *
 * <p>One per instance. Thread-safe; owners are answered on their own contexts.
 */
public final class BookingRounds {
  static final Duration SOON = Duration.ofMillis(10);
  static final Duration LATER = Duration.ofMillis(20);
  static final Duration REST_MAX = Duration.ofMillis(250);
  static final Duration AIM = Duration.ofMillis(50);

  /** A poll of the log brings records of several partitions; the first one waits for the others. */
  static final Duration OTHERS = Duration.ofMillis(1);

  /** How long a round waits for the slices of owners that it has called. */
  static final Duration GATHERS_MAX = Duration.ofMillis(5);

  /** So many lines wait as if a caller waited for them. A round takes as many at least. */
  static final int MANY = 512;

  /**
   * A transaction has a time limit: one that takes longer is a defect, and then holds up no other.
   */
  static final Duration STUCK_AFTER = ExecutionSequencer.STUCK_AFTER;

  private static final int REST_SHARE = 9;
  private static final long FIRST_NANOS_PER_LINE = 25_000;
  private static final long NEVER = Long.MAX_VALUE;

  /** An owner that waits for the next round. */
  private record Member(int lines, Asker<Turn> asker) {}

  private record Joined(Batch batch, Asker<Result> asker) {
    int partition() {
      return batch.step().partition();
    }
  }

  private final LoopContext loop;
  private final Ledger ledger;
  private final int writers;
  private final BooleanSupplier mayRest;

  // Used on the loop.
  private final List<Member> waiting = new ArrayList<>();

  /** For the next round, since theirs was closed, or had another of their partition. */
  private final List<Joined> late = new ArrayList<>();

  private boolean awaited;
  private final List<Round> underWay = new ArrayList<>();
  private long joinedNanos;
  private long begunNanos;

  /** How long the transaction of the last round took that had one. */
  private long lengthNanos;

  private long armedNanos = NEVER;
  private long nanosPerLine = FIRST_NANOS_PER_LINE;

  /**
   * @param loop on which the rounds run
   * @param writers rounds that may be under way at the same time; they have different partitions,
   *     and lock rows in the same order, like those of two instances
   * @param mayRest whether booking gives way to grants; called on the loop
   */
  public BookingRounds(LoopContext loop, Ledger ledger, int writers, BooleanSupplier mayRest) {
    this.loop = loop;
    this.ledger = ledger;
    this.writers = writers;
    this.mayRest = mayRest;
    this.begunNanos = loop.now() - LATER.toNanos();
  }

  /** Rounds on an event loop of Vert.x. */
  public static BookingRounds on(Vertx vertx, Ledger ledger, int writers, BooleanSupplier mayRest) {
    Context own = ((VertxInternal) vertx).createEventLoopContext();
    return new BookingRounds(LoopContext.of(vertx, own), ledger, writers, mayRest);
  }

  /**
   * Completes when the next round begins.
   *
   * @param lines of the commands that wait
   * @param isAwaited whether a caller waits for the outcome of one
   */
  Future<Turn> join(int lines, boolean isAwaited) {
    Member member = new Member(lines, Asker.here());
    loop.executor()
        .execute(
            () -> {
              joinedNanos = waiting.isEmpty() ? loop.now() : joinedNanos;
              waiting.add(member);
              awaited |= isAwaited;
              schedule();
            });
    return member.asker().answer();
  }

  /** A caller waits for the outcome of a command of an owner that has joined. */
  void hurry() {
    loop.executor()
        .execute(
            () -> {
              awaited = true;
              schedule();
            });
  }

  private void schedule() {
    underWay.removeIf(round -> loop.since(round.begunNanos).compareTo(STUCK_AFTER) >= 0);
    if (underWay.size() >= (rests() ? 1 : writers) || (waiting.isEmpty() && late.isEmpty())) {
      return;
    }
    long now = loop.now();
    long leftNanos =
        Math.max(begunNanos + pauseNanos() - now, joinedNanos + OTHERS.toNanos() - now);
    if (leftNanos <= 0) {
      begin();
    } else {
      arm(leftNanos);
    }
  }

  /** Whether booking gives way to grants. */
  private boolean rests() {
    return !awaited && mayRest.getAsBoolean();
  }

  /** From the beginning of the round before. */
  private long pauseNanos() {
    int lines = waiting.stream().mapToInt(Member::lines).sum();
    if (rests()) {
      long restNanos = Math.min(REST_SHARE * lengthNanos, REST_MAX.toNanos());
      return Math.max(lengthNanos + restNanos, LATER.toNanos());
    }
    return (awaited || lines >= MANY ? SOON : LATER).toNanos();
  }

  private void arm(long leftNanos) {
    long atNanos = loop.now() + leftNanos;
    if (armedNanos != NEVER && atNanos - armedNanos >= 0) {
      return;
    }
    armedNanos = atNanos;
    long leftMs = 1 + TimeUnit.NANOSECONDS.toMillis(leftNanos - 1);
    loop.timers()
        .after(Duration.ofMillis(leftMs))
        .onSuccess(
            now -> {
              if (armedNanos == atNanos) {
                armedNanos = NEVER;
                schedule();
              }
            });
  }

  private void begin() {
    armedNanos = NEVER;
    begunNanos = loop.now();
    List<Member> members = new ArrayList<>(waiting);
    waiting.clear();
    members.sort(Comparator.comparingInt(Member::lines));
    Round round = new Round(members.size(), begunNanos);
    awaited = false;
    List<Joined> before = List.copyOf(late);
    late.clear();
    before.forEach(round::take);
    underWay.add(round);
    long left = Math.max(MANY, AIM.toNanos() / nanosPerLine - round.lines());
    for (int i = 0; i < members.size(); i++) {
      Member member = members.get(i);
      long share = Math.max(1, left / (members.size() - i));
      left -= Math.min(member.lines(), share);
      member.asker().tell(Future.succeededFuture(new Turn(round, (int) share)));
    }
    if (members.isEmpty()) {
      round.close();
    } else {
      loop.timers().after(GATHERS_MAX).onSuccess(over -> round.close());
    }
  }

  /**
   * @param lines that it has booked
   * @param tookNanos its transaction; 0 without one
   */
  private void ended(Round round, int lines, long tookNanos) {
    if (!underWay.remove(round)) {
      return;
    }
    lengthNanos = tookNanos > 0 ? tookNanos : lengthNanos;
    if (lines >= MANY) {
      nanosPerLine = Math.max(1, (nanosPerLine + tookNanos / lines) / 2);
    }
    schedule();
  }

  /** An owner's place in a round; used once, soon, or not at all. */
  final class Turn {
    private final Round round;
    private final int linesMax;

    private Turn(Round round, int linesMax) {
      this.round = round;
      this.linesMax = linesMax;
    }

    /** How many lines to bring, about. */
    int linesMax() {
      return linesMax;
    }

    /** Applies this batch with those of the other owners. */
    Future<Result> apply(Batch batch) {
      Joined joined = new Joined(batch, Asker.here());
      loop.executor().execute(() -> round.add(joined));
      return joined.asker().answer();
    }
  }

  private final class Round {
    private final List<Joined> batches = new ArrayList<>();
    private final long begunNanos;
    private int open;
    private boolean closed;

    Round(int members, long begunNanos) {
      this.open = members;
      this.begunNanos = begunNanos;
    }

    /** Nothing else of an owner goes on while its batch waits, so it waits for no rest. */
    void add(Joined joined) {
      if (closed && rests()) {
        apply(List.of(joined));
        return;
      }
      take(joined);
      open--;
      if (open == 0) {
        close();
      }
      schedule();
    }

    /** An owner that has lost its partition may have left a batch behind; they never meet. */
    void take(Joined joined) {
      if (closed || batches.stream().anyMatch(one -> one.partition() == joined.partition())) {
        late.add(joined);
        awaited = true;
      } else {
        batches.add(joined);
      }
    }

    int lines() {
      return batches.stream().mapToInt(one -> Command.linesOf(one.batch().commands())).sum();
    }

    void close() {
      if (closed) {
        return;
      }
      closed = true;
      batches.sort(Comparator.comparingInt(Joined::partition));
      int lines = lines();
      if (batches.isEmpty()) {
        ended(this, 0, 0);
      } else {
        long sentNanos = loop.now();
        apply(batches)
            .onComplete(done -> ended(this, done.succeeded() ? lines : 0, loop.now() - sentNanos));
      }
    }

    /** If the data of one makes it fail, nothing of any was written: each is applied alone. */
    private Future<?> apply(List<Joined> together) {
      return Future.succeededFuture()
          .compose(now -> ledger.apply(together.stream().map(Joined::batch).toList()))
          .onSuccess(
              results -> {
                for (int i = 0; i < results.size(); i++) {
                  together.get(i).asker().tell(Future.succeededFuture(results.get(i)));
                }
              })
          .onFailure(
              failure -> {
                Future<Result> same =
                    failure instanceof UnprocessableException && together.size() > 1
                        ? Future.succeededFuture(new Result.NotJoined())
                        : Future.failedFuture(failure);
                together.forEach(joined -> joined.asker().tell(same));
              });
    }
  }
}
