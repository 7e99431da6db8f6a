package io.sluice.orderlog.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Its sends block, as without metadata, until the gate is open. */
final class GatedProducer extends MockProducer<String, byte[]> {
  final CountDownLatch gate = new CountDownLatch(1);
  final CountDownLatch blocks = new CountDownLatch(1);

  GatedProducer(boolean acknowledges) {
    super(acknowledges, null, new StringSerializer(), new ByteArraySerializer());
  }

  static GatedProducer open(boolean acknowledges) {
    GatedProducer raw = new GatedProducer(acknowledges);
    raw.gate.countDown();
    return raw;
  }

  @Override
  public java.util.concurrent.Future<RecordMetadata> send(
      ProducerRecord<String, byte[]> record, Callback callback) {
    blocks.countDown();
    try {
      assertThat(gate.await(10, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    return super.send(record, callback);
  }

  List<String> sent() {
    return history().stream().map(record -> new String(record.value(), UTF_8)).toList();
  }

  void awaitSent(int number) {
    await().until(() -> history().size() == number);
  }
}
