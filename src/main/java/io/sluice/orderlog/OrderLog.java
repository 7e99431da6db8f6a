package io.sluice.orderlog;

import io.sluice.model.Command;
import io.vertx.core.Future;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The durable log of commands; each partition has one owner; docs/design-stock.md section 6. */
public interface OrderLog {

  /**
   * Appends the commands in one record, together with those of other calls, and waits for the ack
   * of all in-sync replicas.
   *
   * @return the record's offset. After a failure the outcome is unknown: the record may be in the
   *     log, or appear later
   */
  Future<Long> append(int partition, List<Command> commands);

  /**
   * Completes when an append to this partition would not wait for the ack of others first. Asking
   * for it before granting more gives fewer, larger batches, and fewer grants whose record is not
   * sent yet (back-pressure). It has no time limit.
   */
  Future<Void> room(int partition);

  /**
   * Whether an append to this partition is worth trying, as far as is known without I/O. After a
   * failure it returns true again from time to time, so that callers need not probe.
   */
  boolean takes(int partition);

  /** The offset of this partition's next record; failed if the log cannot be read. */
  Future<Long> endOffset(int partition);

  /** The first offset that this partition still has; failed if the log cannot be read. */
  Future<Long> beginOffset(int partition);

  /**
   * What {@link LogBatch.LogRecord#instance} is in records that are appended here; null: nothing.
   */
  default @Nullable String instance() {
    return null;
  }

  /** If there is no Kafka: takes nothing, and publishes to nobody. */
  final class NoOrderLog implements OrderLog, EventPublisher {

    @Override
    public Future<Long> append(int partition, List<Command> commands) {
      return none();
    }

    @Override
    public Future<Void> room(int partition) {
      return Future.succeededFuture();
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
}
