package io.sluice.reservation;

import io.sluice.model.Command;
import io.sluice.orderlog.OrderLog;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Appends to the order log, few records of a partition at a time: what comes while they are under
 * way goes out together in the next. A record costs the broker and the client about the same
 * whether it holds one command or a hundred. An idle lane waits for nobody.
 *
 * <p>An append that fails says nothing of those that wait behind it, but they would hardly fare
 * better: they fail as well, unsent, and their callers look for another way.
 */
final class LogLanes {
  static final int RECORDS_MAX = 2;

  private static final class Lane {
    final Deque<Waiting> waiting = new ArrayDeque<>();
    int underWay;
  }

  private record Waiting(List<Command> commands, Promise<Long> ack) {}

  private final OrderLog log;
  private final int commandsMax;
  private final Map<Integer, Lane> lanes = new HashMap<>();

  /** Expects how many commands a record may hold; whoever appends never has more at once. */
  LogLanes(OrderLog log, int commandsMax) {
    this.log = log;
    this.commandsMax = commandsMax;
  }

  /** Completes with the offset of the record that these commands came to be in. */
  Future<Long> append(int partition, List<Command> commands) {
    Lane lane = lanes.computeIfAbsent(partition, first -> new Lane());
    Waiting waiting = new Waiting(commands, Promise.promise());
    lane.waiting.add(waiting);
    sendNext(partition, lane);
    return waiting.ack().future();
  }

  private void sendNext(int partition, Lane lane) {
    while (lane.underWay < RECORDS_MAX && !lane.waiting.isEmpty()) {
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
    lane.underWay++;
    Future.succeededFuture(commands)
        .compose(all -> log.append(partition, all))
        .onComplete(
            ack -> {
              lane.underWay--;
              together.forEach(each -> each.ack().handle(ack));
              if (ack.failed()) {
                giveUp(lane, ack.cause());
              }
              sendNext(partition, lane);
            });
  }

  private static void giveUp(Lane lane, Throwable cause) {
    List<Waiting> all = List.copyOf(lane.waiting);
    lane.waiting.clear();
    all.forEach(each -> each.ack().fail(cause));
  }
}
