package io.sluice.grant;

import io.sluice.model.Command;
import io.sluice.orderlog.OrderLog;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** An order log whose acks the test gives. */
public final class ScriptedLog implements OrderLog {

  /** A record that waits for its ack. */
  public record Append(int partition, List<Command> commands, Promise<Long> ack) {}

  public final List<Append> appends = new ArrayList<>();
  public final Map<Integer, Long> ends = new HashMap<>();
  public boolean away;

  /** The answer of {@link #room}. */
  public Future<Void> room = Future.succeededFuture();

  /** A partition that takes no records and cannot be read, as this instance knows; -1 for none. */
  public int dead = -1;

  /** The same, not yet noticed by this instance. */
  public int silent = -1;

  public Append last() {
    return appends.get(appends.size() - 1);
  }

  public void ack(long offset) {
    last().ack().complete(offset);
  }

  /** Includes appends that are sent only when others are acknowledged. */
  public void ackAll() {
    for (int i = 0; i < appends.size(); i++) {
      appends.get(i).ack().tryComplete((long) i);
    }
  }

  @Override
  public Future<Long> append(int partition, List<Command> commands) {
    Append append = new Append(partition, List.copyOf(commands), Promise.promise());
    appends.add(append);
    return append.ack().future();
  }

  @Override
  public Future<Void> room(int partition) {
    return room;
  }

  @Override
  public boolean takes(int partition) {
    return !away && partition != dead;
  }

  @Override
  public Future<Long> endOffset(int partition) {
    return away || partition == dead || partition == silent
        ? Future.failedFuture("no broker")
        : Future.succeededFuture(ends.getOrDefault(partition, 0L));
  }

  @Override
  public Future<Long> beginOffset(int partition) {
    return Future.succeededFuture(0L);
  }
}
