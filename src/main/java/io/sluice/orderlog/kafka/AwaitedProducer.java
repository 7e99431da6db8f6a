package io.sluice.orderlog.kafka;

import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Kafka's producer, which refuses an {@link AwaitedRecord} whose sender has given up. */
final class AwaitedProducer extends KafkaProducer<String, byte[]> {

  AwaitedProducer(Map<String, Object> settings) {
    super(settings, new StringSerializer(), new ByteArraySerializer());
  }

  @Override
  public Future<RecordMetadata> send(ProducerRecord<String, byte[]> record, Callback callback) {
    AwaitedRecord.requireAwaited(record);
    return super.send(record, callback);
  }
}
