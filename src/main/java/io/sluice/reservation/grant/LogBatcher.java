package io.sluice.reservation.grant;

import io.sluice.async.Batcher;
import io.sluice.async.LoopContext;
import io.sluice.async.TimerQueue;
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
 * Appends to the order log, few records of a partition at a time: what comes while they are under
 * way goes out together in the next. A record costs the broker and the client about the same
 * whether it holds one command or a hundred. An idle lane waits for nobody but for what this turn
 * of the event loop still brings: a reply of Redis may hold the grants of many buckets.
 *
 * <p>An append that fails says nothing of those that wait behind it, but they would hardly fare
 * better: they fail as well, unsent, and their callers look for another way.
 */
final class LogBatcher {
  /** With at most 512 bytes a command, a record stays far below the 1 MiB that brokers take. */
  static final int RECORD_COMMANDS_MAX = 128;

  static final int RECORDS_MAX = 2;

  /** A log that is slower than this holds nobody up who has not asked Redis yet. */
  static final Duration ROOM_WAIT_MAX = Duration.ofMillis(100);

  /** What is on its way to one partition. */
  private final class Lane {
    final List<Promise<Void>> forRoom = new ArrayList<>();
    final Batcher<Waiting> records;
    boolean woken;

    Lane(int partition) {
      records =
          new Batcher<>(
              new Batcher.Limits(RECORDS_MAX, commandsMax, commandsMax),
              waiting -> waiting.commands().size(),
              waiting -> send(partition, this, waiting),
              this::tellOfRoom);
    }

    /** Whether a record more, of at most {@link #commandsMax} commands, would go out at once. */
    boolean hasRoom() {
      int recordsWaiting = (records.waitingWeight() + commandsMax - 1) / commandsMax;
      return records.inFlight() + recordsWaiting < RECORDS_MAX;
    }

    void tellOfRoom() {
      if (hasRoom()) {
        List<Promise<Void>> all = List.copyOf(forRoom);
        forRoom.clear();
        all.forEach(Promise::complete);
      }
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
  LogBatcher(
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
    Lane lane = lanes.computeIfAbsent(partition, Lane::new);
    Waiting waiting = new Waiting(commands, Promise.promise());
    lane.records.queue(waiting);
    if (!lane.woken && lane.records.inFlight() < RECORDS_MAX) {
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

  /**
   * Completes once a record of this partition would go out at once, or after a while. Who waits for
   * that before it grants more has fewer, larger batches, and fewer grants whose record is not sent
   * yet.
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
