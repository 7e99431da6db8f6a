package io.sluice.orderlog;

import io.sluice.model.Command;
import io.vertx.core.Future;
import java.util.List;

/** If there is no Kafka: takes nothing, and publishes to nobody. */
public final class NoOrderLog implements OrderLog, EventPublisher {

  @Override
  public Future<Long> append(int partition, List<Command> commands) {
    return none();
  }

  @Override
  public boolean takes(int partition) {
    return false;
  }

  @Override
  public Future<Long> endOffset(int partition) {
    return none();
  }

  @Override
  public Future<Long> beginOffset(int partition) {
    return none();
  }

  @Override
  public Future<Void> publish(int partition, List<Event> events) {
    return none();
  }

  @Override
  public Future<Void> deadLetter(int partition, List<Event> letters) {
    return none();
  }

  private static <T> Future<T> none() {
    return Future.failedFuture(
        new LogUnavailableException("Expected an order log, but this service has none"));
  }
}
