package io.sluice.owner;

import io.sluice.ledger.Ledger;
import io.sluice.ledger.Ledger.Step;
import io.sluice.ledger.UnprocessableException;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.OrderToken;
import io.sluice.orderlog.LogBatch;
import io.sluice.orderlog.LogBatch.LogRecord;
import io.sluice.reservation.Timers;
import io.sluice.stock.StockStore;
import io.vertx.core.Future;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Books the order log into the ledger: whole records in log order, one transaction a slice, for
 * ever tried again.
 *
 * <p>A slice that was tried is tried again as it is: only so does the fence tell a commit whose
 * reply was lost from a take-over.
 */
final class Booking {
  static final int SLICE_COMMANDS_MAX = 2_000;
  static final int QUEUE_COMMANDS_MAX = 10_000;
  private static final Logger log = LoggerFactory.getLogger(Booking.class);

  private record Slice(long endOffset, List<Command> commands) {}

  private final Ledger ledger;
  private final OwnedLedger owned;
  private final Ownership ownership;
  private final StockStore stock;
  private final Timers timers;
  private final LogTap tap;
  private final Pass pass;
  private final Backoff backoff = new Backoff();
  private final Deque<LogRecord> queue = new ArrayDeque<>();
  private int queuedCommands;
  private boolean paused;
  private @Nullable Slice current;

  Booking(Duties duties, LogTap tap) {
    this.ledger = duties.ledger();
    this.owned = duties.owned();
    this.ownership = duties.ownership();
    this.stock = duties.stock();
    this.timers = duties.timers();
    this.tap = tap;
    this.pass = new Pass("booking", ownership.partition(), this::step);
  }

  /**
   * Takes what was polled; records below the fence's offset were booked before and are dropped
   * unread.
   */
  void polled(LogBatch batch) {
    for (LogRecord entry : batch.records()) {
      if (entry.offset() >= ownership.fence().nextOffset()) {
        queue.add(entry);
        queuedCommands += entry.commands().size();
      }
    }
    if (queuedCommands > QUEUE_COMMANDS_MAX && !paused) {
      paused = true;
      tap.pause();
    }
    pass.wake();
  }

  Future<Void> stop() {
    return pass.stop();
  }

  private Future<Boolean> step() {
    Slice slice = current == null ? nextSlice() : current;
    if (slice == null) {
      return Future.succeededFuture(false);
    }
    current = slice;
    return withMissingGrants(slice.commands())
        .compose(commands -> owned.advance(slice.endOffset(), commands))
        .recover(failure -> isolate(slice, failure))
        .map(
            applied -> {
              current = null;
              backoff.reset();
              resumeWhenDrained();
              return true;
            })
        .onFailure(failure -> again());
  }

  private void again() {
    if (!ownership.isLost()) {
      timers.after(backoff.next()).onSuccess(now -> pass.wake());
    }
  }

  private @Nullable Slice nextSlice() {
    List<Command> commands = new ArrayList<>();
    long endOffset = -1;
    while (!queue.isEmpty() && commands.size() < SLICE_COMMANDS_MAX) {
      LogRecord head = queue.element();
      if (!head.supported()) {
        warnUnsupported(head);
        break;
      }
      queue.remove();
      queuedCommands -= head.commands().size();
      commands.addAll(head.commands());
      endOffset = head.offset() + 1;
    }
    return endOffset < 0 ? null : new Slice(endOffset, commands);
  }

  private void warnUnsupported(LogRecord head) {
    log.atError()
        .addKeyValue("partition", ownership.partition())
        .addKeyValue("offset", head.offset())
        .log(
            "record has a higher version than this build can read; the partition waits for an upgrade");
  }

  private void resumeWhenDrained() {
    if (paused && queuedCommands < QUEUE_COMMANDS_MAX / 2) {
      paused = false;
      tap.resume();
    }
  }

  /**
   * A command whose order is neither in the ledger nor booked before it in this slice: where Redis
   * has its grant, the grant is booked first. Redis being away is no reason to hold the log up,
   * since every order that was told yes precedes its commands in the log.
   */
  private Future<List<Command>> withMissingGrants(List<Command> commands) {
    Set<OrderToken> orphans = orphans(commands);
    if (orphans.isEmpty()) {
      return Future.succeededFuture(commands);
    }
    return ledger
        .orders(orphans)
        .compose(
            known -> {
              orphans.removeAll(known.keySet());
              return orphans.isEmpty() ? Future.succeededFuture(Map.of()) : grantsOf(orphans);
            })
        .map(grants -> grants.isEmpty() ? commands : inject(commands, grants));
  }

  static Set<OrderToken> orphans(List<Command> commands) {
    Set<OrderToken> reserved = new HashSet<>();
    Set<OrderToken> orphans = new HashSet<>();
    for (Command command : commands) {
      if (command instanceof Command.Reserve reserve) {
        reserved.add(reserve.grant().token());
      } else {
        OrderToken token = tokenOf(command);
        if (token != null && !reserved.contains(token)) {
          orphans.add(token);
        }
      }
    }
    return orphans;
  }

  private static @Nullable OrderToken tokenOf(Command command) {
    if (command instanceof Command.Confirm confirm) {
      return confirm.token();
    }
    if (command instanceof Command.Cancel cancel) {
      return cancel.token();
    }
    return command instanceof Command.Refund refund ? refund.token() : null;
  }

  private Future<Map<OrderToken, Command>> grantsOf(Set<OrderToken> tokens) {
    Map<OrderToken, Command> grants = new HashMap<>();
    Map<BucketId, List<OrderToken>> byBucket =
        tokens.stream().collect(Collectors.groupingBy(OrderToken::bucketId));
    List<Future<?>> lookups = new ArrayList<>();
    byBucket.forEach(
        (bucket, wanted) ->
            lookups.add(
                stock
                    .lookup(bucket, wanted)
                    .onSuccess(
                        found ->
                            found
                                .recorded()
                                .forEach(
                                    (token, recorded) -> {
                                      if (recorded.live()) {
                                        grants.put(
                                            token, new Command.Reserve(recorded.grant(), null));
                                      }
                                    }))));
    return Future.join(lookups).transform(done -> Future.succeededFuture(grants));
  }

  private static List<Command> inject(List<Command> commands, Map<OrderToken, Command> grants) {
    List<Command> injected = new ArrayList<>(commands.size() + grants.size());
    for (Command command : commands) {
      OrderToken token = tokenOf(command);
      Command grant = token == null ? null : grants.remove(token);
      if (grant != null) {
        injected.add(grant);
      }
      injected.add(command);
    }
    return injected;
  }

  /** Where the data of a command breaks the transaction, that command is dead-lettered, alone. */
  private Future<Ledger.Result.Applied> isolate(Slice slice, Throwable failure) {
    if (!(failure instanceof UnprocessableException)) {
      return Future.failedFuture(failure);
    }
    log.atError()
        .addKeyValue("partition", ownership.partition())
        .addKeyValue("batchSize", slice.commands().size())
        .addKeyValue("cause", failure.getMessage())
        .log("the ledger cannot take a command of this batch; looking for it");
    PoisonSearch search =
        new PoisonSearch(ledger, Step.advance(ownership.fence(), slice.endOffset()));
    return search
        .replacePoison(slice.commands())
        .compose(clean -> owned.advance(slice.endOffset(), clean));
  }
}
