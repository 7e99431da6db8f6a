package io.sluice.orderlog.kafka;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A record that somebody waits for. Where sends queue up behind one that blocks, those that were
 * given up meanwhile are not sent: a failed append may still come to be, but not minutes later.
 */
final class AwaitedRecord extends ProducerRecord<String, byte[]> {
  private volatile boolean givenUp;

  AwaitedRecord(String topic, int partition, @Nullable String key, byte[] value) {
    super(topic, partition, key, value);
  }

  void giveUp() {
    givenUp = true;
  }

  /** A producer that refuses records that were given up. */
  @SuppressWarnings("unchecked")
  static Producer<String, byte[]> sentOnlyWhileAwaited(Producer<String, byte[]> producer) {
    return (Producer<String, byte[]>)
        Proxy.newProxyInstance(
            AwaitedRecord.class.getClassLoader(),
            new Class<?>[] {Producer.class},
            (proxy, method, args) -> {
              if (args != null
                  && method.getName().equals("send")
                  && args[0] instanceof AwaitedRecord record
                  && record.givenUp) {
                throw new TimeoutException("Expected somebody to wait, but all have given up");
              }
              try {
                return method.invoke(producer, args);
              } catch (InvocationTargetException thrown) {
                throw thrown.getCause() == null ? thrown : thrown.getCause();
              }
            });
  }
}
