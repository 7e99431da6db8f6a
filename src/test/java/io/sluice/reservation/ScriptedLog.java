package io.sluice.reservation;

import io.sluice.model.Command;
import io.sluice.orderlog.OrderLog;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;

/** An order log of which the test gives each ack, when it wants to. */
final class ScriptedLog implements OrderLog {

  /** A record that waits for its ack. */
  record Append(int partition, List<Command> commands, Promise<Long> ack) {}

  final List<Append> appends = new ArrayList<>();

  Append last() {
    return appends.get(appends.size() - 1);
  }

  void ack(long offset) {
    last().ack().complete(offset);
  }

  @Override
  public Future<Long> append(int partition, List<Command> commands) {
    Append append = new Append(partition, List.copyOf(commands), Promise.promise());
    appends.add(append);
    return append.ack().future();
  }

  @Override
  public Future<Long> endOffset(int partition) {
    throw new AssertionError("Expected no call of endOffset");
  }
}
