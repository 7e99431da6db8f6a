package io.sluice.orderlog.kafka;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.orderlog.kafka.BoundedProducer.AwaitedProducer;
import io.sluice.orderlog.kafka.BoundedProducer.AwaitedRecord;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Nothing listens at its address: what it did not refuse would wait for metadata. */
class AwaitedProducerTest {
  private final AwaitedProducer unit =
      new AwaitedProducer(
          Map.of(
              ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
              "127.0.0.1:1",
              ProducerConfig.MAX_BLOCK_MS_CONFIG,
              10));

  @AfterEach
  void close() {
    unit.close(Duration.ZERO);
  }

  @Test
  void shouldRefuseARecordWhenItsSenderHasGivenUp() {
    // given
    AwaitedRecord record = new AwaitedRecord("t", 0, null, new byte[1]);
    record.giveUp();

    // when then
    assertThatThrownBy(() -> unit.send(record))
        .isInstanceOf(TimeoutException.class)
        .hasMessage("Expected a sender that waits, but it has given up");
  }
}
