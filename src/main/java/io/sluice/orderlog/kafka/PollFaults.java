package io.sluice.orderlog.kafka;

import io.sluice.connect.ConnectFault;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs failed polls: each new reason once, since a refused login fails every poll until an operator
 * changes something. Records end a failure; polls without any may lie between two attempts to
 * connect.
 */
final class PollFaults {
  private static final Logger log = LoggerFactory.getLogger(PollFaults.class);

  private final String topic;
  private String last = "";

  PollFaults(String topic) {
    this.topic = topic;
  }

  void failed(Throwable failure) {
    String why = ConnectFault.line(failure);
    if (!why.equals(last)) {
      last = why;
      log.atWarn()
          .addKeyValue("topic", topic)
          .addKeyValue("reason", KafkaFailures.classified(failure).connectFault().text())
          .addKeyValue("cause", why)
          .log("poll failed; retried until it succeeds");
    }
  }

  void polled(ConsumerRecords<?, ?> records) {
    if (!records.isEmpty()) {
      last = "";
    }
  }
}
