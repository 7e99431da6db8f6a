package io.sluice.grant;

import io.sluice.async.Batcher;
import io.sluice.async.LoopContext;
import io.sluice.async.TimerQueue;
import io.sluice.model.Cart;
import io.sluice.model.Command;
import io.sluice.orderlog.OrderLog;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;

/**
 * Appends to the order log with few records per partition in flight: commands that arrive meanwhile
 * are sent together in the next record. A record costs the broker and the client about the same
 * whether it has one command or a hundred. An idle lane sends at the end of the current event loop
 * iteration, since one reply of Redis may have the grants of many buckets.
 *
 * <p>When an append fails, the commands waiting behind it fail as well, unsent: they would most
 * likely fail too, and their callers choose another route.
 */
final class LogBatcher {
  /**
   * At 832 bytes per command, or line of an order of several SKUs, at most, a record stays far
   * below the brokers' limit of 1 MiB.
   */
  static final int RECORD_COMMANDS_MAX = 128;

  static final int RECORDS_MAX = 2;

  /** Full records do not wait for others: in a stampede an ack is read late. */
  static final int FULL_RECORDS_MAX = 8;

  /** A log slower than this does not delay requests that have not been sent to Redis yet. */
  static final Duration ROOM_WAIT_MAX = Duration.ofMillis(100);

  /** The appends of one partition, waiting and in flight. */
  private final class Lane {
    final List<Promise<Void>> forRoom = new ArrayList<>();
    final Batcher<Waiting> records;
    boolean woken;

    Lane(int partition) {
      records =
          new Batcher<>(
              new Batcher.Limits(RECORDS_MAX, commandsMax, commandsMax, FULL_RECORDS_MAX),
              Waiting::lines,
              waiting -> send(partition, this, waiting),
              this::notifyOfRoom);
    }

    /** Whether one more record, of at most {@link #commandsMax} commands, would be sent at once. */
    boolean hasRoom() {
      int recordsWaiting = (records.waitingWeight() + commandsMax - 1) / commandsMax;
      return records.inFlight() + recordsWaiting < RECORDS_MAX;
    }

    void notifyOfRoom() {
      if (hasRoom()) {
        List<Promise<Void>> all = List.copyOf(forRoom);
        forRoom.clear();
        all.forEach(Promise::complete);
      }
    }
  }

  private record Waiting(List<Command> commands, int lines, Promise<Long> ack) {}

  private final OrderLog log;
  private final int commandsMax;
  private final IntConsumer appending;
  private final LoopContext loop;
  private final TimerQueue deadlines;
  private final Duration appendMax;
  private final Map<Integer, Lane> lanes = new HashMap<>();

  /**
   * @param commandsMax in a record, each line of a cart counted; an append that has more is a
   *     record of its own
   * @param appending called with the number of commands before each record is sent
   * @param appendMax after which an append does not delay others any more; it may still be
   *     acknowledged
   */
  LogBatcher(
      OrderLog log, int commandsMax, IntConsumer appending, LoopContext loop, Duration appendMax) {
    this.log = log;
    this.commandsMax = commandsMax;
    this.appending = appending;
    this.loop = loop;
    this.deadlines = new TimerQueue(loop);
    this.appendMax = appendMax;
  }

  /** Completes with the offset of the record that contains these commands. */
  Future<Long> append(int partition, List<Command> commands) {
    Lane lane = lanes.computeIfAbsent(partition, Lane::new);
    Waiting waiting = new Waiting(commands, lines(commands), Promise.promise());
    lane.records.queue(waiting);
    if (!lane.woken && lane.records.canSend()) {
      lane.woken = true;
      loop.executor()
          .execute(
              () -> {
                lane.woken = false;
                lane.records.sendNext();
              });
    }
    return waiting.ack().future();
  }

  private static int lines(List<Command> commands) {
    int lines = 0;
    for (Command command : commands) {
      Cart cart = command instanceof Command.Reserve reserve ? reserve.grant().cart() : null;
      lines += cart == null ? 1 : cart.lines().size();
    }
    return lines;
  }

  /**
   * Completes when a record of this partition would be sent at once, or after {@link
   * #ROOM_WAIT_MAX}. Waiting for it before granting more gives fewer, larger batches, and fewer
   * grants whose record is not sent yet (back-pressure).
   */
  Future<Void> room(int partition) {
    Lane lane = lanes.get(partition);
    if (lane == null || lane.hasRoom()) {
      return Future.succeededFuture();
    }
    Promise<Void> room = Promise.promise();
    lane.forRoom.add(room);
    return deadlines.within(ROOM_WAIT_MAX, room.future()).otherwiseEmpty();
  }

  private Future<?> send(int partition, Lane lane, List<Waiting> together) {
    List<Command> commands = new ArrayList<>();
    together.forEach(each -> commands.addAll(each.commands()));
    appending.accept(commands.size());
    Future<Long> append =
        Future.succeededFuture(commands).compose(all -> log.append(partition, all));
    append.onComplete(
        ack -> {
          together.forEach(each -> each.ack().handle(ack));
          if (ack.failed()) {
            lane.records.drain().forEach(each -> each.ack().fail(ack.cause()));
          }
        });
    return deadlines.within(appendMax, append);
  }
}
