package io.sluice.orderlog.kafka;

import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A record whose sender can give up on it. Sends queue behind one that blocks; those given up in
 * the meantime are not sent. So a failed append may still appear in the log, but not minutes later.
 */
final class AwaitedRecord extends ProducerRecord<String, byte[]> {
  private volatile boolean givenUp;

  AwaitedRecord(String topic, int partition, @Nullable String key, byte[] value) {
    super(topic, partition, key, value);
  }

  void giveUp() {
    givenUp = true;
  }

  /** Throws if the sender has given up. */
  static void requireAwaited(ProducerRecord<String, byte[]> record) {
    if (record instanceof AwaitedRecord awaited && awaited.givenUp) {
      throw new TimeoutException("Expected a sender that waits, but it has given up");
    }
  }
}
