package io.sluice.order;

import io.sluice.async.LoopContext;
import io.sluice.async.TimerQueue;
import io.sluice.ledger.Fence;
import io.sluice.ledger.Ledger;
import io.sluice.model.Command;
import io.sluice.model.Order;
import io.sluice.order.CommandAnswer.Accepted;
import io.sluice.order.CommandAnswer.NotNow;
import io.vertx.core.CompositeFuture;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Commands that wait for their outcome, which is the order's row once next_offset has passed the
 * command. If the owner is in this instance, the commit that has passed it tells that row. Else an
 * event that tells the outcome comes first as a rule, so the row is read once two polls have seen
 * the command passed. A command that changes nothing raises no event, and events may be late. The
 * fences are read while a command waits for longer than {@link #POLL}, all in one query, and always
 * before the rows.
 */
final class CommandOutcomes {
  static final Duration POLL = Duration.ofMillis(50);
  static final Duration POLL_AFTER_FAILURE = Duration.ofMillis(200);
  static final int COMMANDS_MAX = 10_000;

  private final Ledger ledger;
  private final OrderReader rows;
  private final OrderCache cache;
  private final LoopContext loop;
  private final TimerQueue deadlines;
  private final Duration wait;
  private final Set<Waiting> inLog = new LinkedHashSet<>();
  private int underWay;
  private boolean polling;

  CommandOutcomes(
      Ledger ledger, OrderReader rows, OrderCache cache, LoopContext loop, Duration wait) {
    this.ledger = ledger;
    this.rows = rows;
    this.cache = cache;
    this.loop = loop;
    this.deadlines = new TimerQueue(loop);
    this.wait = wait;
  }

  /** How far a command has come before anything is sent. */
  sealed interface Looked {}

  /** The outcome is known. */
  record Decided(CommandAnswer answer) implements Looked {}

  /**
   * A command whose outcome is not known before it is applied.
   *
   * @param order as known now
   * @param partition of the log, or {@link io.sluice.model.Placement#DIRECT}
   */
  record Undecided(CommandGoal goal, Order order, Command command, int partition)
      implements Looked {}

  /**
   * Appends commands in one record and waits for the outcome of each; none fails.
   *
   * @param commands of one partition, each of another order
   * @param append appends those that there is room for
   */
  List<Future<CommandAnswer>> run(
      List<Undecided> commands, Function<List<Command>, Future<Long>> append) {
    List<Future<CommandAnswer>> answers = new ArrayList<>(commands.size());
    List<Waiting> sent = new ArrayList<>(commands.size());
    List<Command> record = new ArrayList<>(commands.size());
    for (Undecided each : commands) {
      if (underWay >= COMMANDS_MAX) {
        answers.add(Future.succeededFuture(new NotNow(true)));
      } else {
        Waiting waiting = new Waiting(each.goal(), each.order(), each.partition());
        sent.add(waiting);
        record.add(each.command());
        answers.add(waiting.answer.future());
      }
    }
    if (!sent.isEmpty()) {
      Future.succeededFuture(record)
          .compose(append::apply)
          .onSuccess(offset -> sent.forEach(waiting -> waiting.acknowledged(offset)))
          .onFailure(unknown -> sent.forEach(waiting -> waiting.end(new NotNow(false))));
    }
    return answers;
  }

  private void poll(Duration delay) {
    if (!polling && !inLog.isEmpty()) {
      polling = true;
      readAfter(delay);
    }
  }

  private void readAfter(Duration delay) {
    loop.timers().after(delay).onSuccess(due -> readFences());
  }

  /** Most commands are answered before they have waited for that long. */
  private void readFences() {
    if (inLog.isEmpty()) {
      polling = false;
      return;
    }
    Duration left = POLL.minus(loop.since(inLog.iterator().next().loggedNanos));
    if (left.toMillis() > 0) {
      readAfter(left);
      return;
    }
    Future.succeededFuture()
        .compose(start -> ledger.fences())
        .compose(this::readPassed)
        .onComplete(
            done -> {
              polling = false;
              poll(done.succeeded() ? POLL : POLL_AFTER_FAILURE);
            });
  }

  private Future<CompositeFuture> readPassed(Map<Integer, Fence> fences) {
    // Listed first: a read that ends at once removes its command.
    List<Future<Void>> reads =
        inLog.stream().filter(waiting -> waiting.isRowDue(fences)).toList().stream()
            .map(Waiting::readRow)
            .toList();
    return Future.join(reads);
  }

  /**
   * An order as a commit has left it.
   *
   * @param nextOffset up to where the log is applied
   */
  private record Committed(Order order, long nextOffset) {}

  /** A command and its caller. */
  private final class Waiting {
    private final CommandGoal goal;
    private final int partition;
    private final Promise<CommandAnswer> answer = Promise.promise();
    private final OrderCache.Watches.Watch watch;
    private final TimerQueue.Deadline deadline;
    private Order latest;
    private @Nullable Committed committed;
    private long offset = -1;
    private long loggedNanos;
    private boolean passed;
    private boolean ended;

    private Waiting(CommandGoal goal, Order order, int partition) {
      this.goal = goal;
      this.latest = order;
      this.partition = partition;
      this.watch = cache.watch(order.token(), watcher());
      this.deadline = deadlines.after(wait, this::giveUp);
      underWay++;
    }

    private OrderCache.Watcher watcher() {
      return new OrderCache.Watcher() {
        @Override
        public void changed(Order order) {
          loop.executor().execute(() -> heard(order));
        }

        @Override
        public void committed(Order order, Fence fence) {
          if (fence.partition() == partition) {
            loop.executor().execute(() -> heard(new Committed(order, fence.nextOffset())));
          }
        }
      };
    }

    private void acknowledged(long appendedAt) {
      offset = appendedAt;
      loggedNanos = loop.now();
      endIfCommitted();
      if (!ended) {
        inLog.add(this);
        poll(POLL);
      }
    }

    /** May come before the acknowledgement of the command. */
    private void heard(Committed last) {
      committed = last;
      endIfCommitted();
    }

    private void endIfCommitted() {
      Committed last = committed;
      if (last != null && offset >= 0 && last.nextOffset() > offset) {
        end(Optional.of(last.order()));
      }
    }

    private void heard(Order order) {
      if (order.version() >= latest.version()) {
        // An event does not say where the order is.
        latest = latest.archived() ? order.inArchive() : order;
      }
      goal.decidedBy(latest).ifPresent(this::end);
    }

    /** Whether it is passed, and its event, if there is one, had the time to come. */
    private boolean isRowDue(Map<Integer, Fence> fences) {
      boolean before = passed;
      Fence fence = fences.get(partition);
      passed = fence != null && fence.nextOffset() > offset;
      return passed && (before || !goal.isHeard());
    }

    private Future<Void> readRow() {
      return rows.read(latest.token()).onSuccess(this::end).mapEmpty();
    }

    /**
     * @param row as it is after the command; empty if there is none
     */
    private void end(Optional<Order> row) {
      end(row.flatMap(goal::outcomeOf).orElse(new NotNow(true)));
    }

    /**
     * A command that the log has acknowledged will take effect; otherwise the caller must repeat
     * the call.
     */
    private void giveUp() {
      end(offset < 0 ? new NotNow(false) : new Accepted(latest));
    }

    private void end(CommandAnswer outcome) {
      if (ended) {
        return;
      }
      ended = true;
      underWay--;
      inLog.remove(this);
      watch.close();
      deadline.cancel();
      answer.complete(outcome);
    }
  }
}
