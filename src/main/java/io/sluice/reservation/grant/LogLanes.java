package io.sluice.reservation.grant;

import io.sluice.async.LoopContext;
import io.sluice.async.TimerQueue;
import io.sluice.model.Command;
import io.sluice.orderlog.OrderLog;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;

/**
 * Appends to the order log, few records of a partition at a time: what comes while they are under
 * way goes out together in the next. A record costs the broker and the client about the same
 * whether it holds one command or a hundred. An idle lane waits for nobody but for what this turn
 * of the event loop still brings: a reply of Redis may hold the grants of many buckets.
 *
 * <p>An append that fails says nothing of those that wait behind it, but they would hardly fare
 * better: they fail as well, unsent, and their callers look for another way.
 */
final class LogLanes {
  /** With at most 512 bytes a command, a record stays far below the 1 MiB that brokers take. */
  static final int RECORD_COMMANDS_MAX = 128;

  static final int RECORDS_MAX = 2;

  /** A log that is slower than this holds nobody up who has not asked Redis yet. */
  static final Duration ROOM_WAIT_MAX = Duration.ofMillis(100);

  private static final class Lane {
    final Deque<Waiting> waiting = new ArrayDeque<>();
    final List<Promise<Void>> forRoom = new ArrayList<>();
    int underWay;
    int commandsWaiting;
    boolean woken;

    boolean isFull() {
      return underWay >= RECORDS_MAX;
    }

    /** Whether a record more, of at most so many commands, would go out at once. */
    boolean hasRoom(int commandsMax) {
      int recordsWaiting = (commandsWaiting + commandsMax - 1) / commandsMax;
      return underWay + recordsWaiting < RECORDS_MAX;
    }
  }

  private record Waiting(List<Command> commands, Promise<Long> ack) {}

  private final OrderLog log;
  private final int commandsMax;
  private final IntConsumer appending;
  private final LoopContext loop;
  private final TimerQueue deadlines;
  private final Duration appendMax;
  private final Map<Integer, Lane> lanes = new HashMap<>();

  /**
   * Makes the lanes of one event loop.
   *
   * @param commandsMax in a record; whoever appends never has more at once
   * @param appending told of the commands of each record before it is sent
   * @param appendMax after which an append holds up no other; it may still be acknowledged
   */
  LogLanes(
      OrderLog log, int commandsMax, IntConsumer appending, LoopContext loop, Duration appendMax) {
    this.log = log;
    this.commandsMax = commandsMax;
    this.appending = appending;
    this.loop = loop;
    this.deadlines = new TimerQueue(loop);
    this.appendMax = appendMax;
  }

  /** Completes with the offset of the record that these commands came to be in. */
  Future<Long> append(int partition, List<Command> commands) {
    Lane lane = lanes.computeIfAbsent(partition, first -> new Lane());
    Waiting waiting = new Waiting(commands, Promise.promise());
    lane.waiting.add(waiting);
    lane.commandsWaiting += commands.size();
    if (!lane.woken && !lane.isFull()) {
      lane.woken = true;
      loop.executor()
          .execute(
              () -> {
                lane.woken = false;
                sendNext(partition, lane);
              });
    }
    return waiting.ack().future();
  }

  /**
   * Completes once a record of this partition would go out at once, or after a while. Who waits for
   * that before it grants more has fewer, larger batches, and fewer grants whose record is not sent
   * yet.
   */
  Future<Void> room(int partition) {
    Lane lane = lanes.get(partition);
    if (lane == null || lane.hasRoom(commandsMax)) {
      return Future.succeededFuture();
    }
    Promise<Void> room = Promise.promise();
    lane.forRoom.add(room);
    return deadlines.within(ROOM_WAIT_MAX, room.future()).otherwiseEmpty();
  }

  private void sendNext(int partition, Lane lane) {
    while (!lane.isFull() && !lane.waiting.isEmpty()) {
      send(partition, lane);
    }
  }

  private void send(int partition, Lane lane) {
    List<Waiting> together = new ArrayList<>();
    List<Command> commands = new ArrayList<>();
    while (!lane.waiting.isEmpty()
        && commands.size() + lane.waiting.peek().commands().size() <= commandsMax) {
      Waiting next = lane.waiting.remove();
      together.add(next);
      commands.addAll(next.commands());
    }
    lane.commandsWaiting -= commands.size();
    lane.underWay++;
    appending.accept(commands.size());
    Future<Long> append =
        Future.succeededFuture(commands).compose(all -> log.append(partition, all));
    append.onComplete(
        ack -> {
          together.forEach(each -> each.ack().handle(ack));
          if (ack.failed()) {
            giveUp(lane, ack.cause());
          }
        });
    deadlines
        .within(appendMax, append)
        .onComplete(
            overOrLate -> {
              lane.underWay--;
              sendNext(partition, lane);
              tellOfRoom(lane);
            });
  }

  private void tellOfRoom(Lane lane) {
    if (lane.hasRoom(commandsMax)) {
      List<Promise<Void>> all = List.copyOf(lane.forRoom);
      lane.forRoom.clear();
      all.forEach(Promise::complete);
    }
  }

  private static void giveUp(Lane lane, Throwable cause) {
    List<Waiting> all = List.copyOf(lane.waiting);
    lane.waiting.clear();
    lane.commandsWaiting = 0;
    all.forEach(each -> each.ack().fail(cause));
  }
}
