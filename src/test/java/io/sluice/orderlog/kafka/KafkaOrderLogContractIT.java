package io.sluice.orderlog.kafka;

import io.sluice.contract.OrderLogContract;
import io.sluice.orderlog.OrderLog;
import io.sluice.orderlog.OrderLogConsumer;
import io.vertx.core.Future;
import java.util.function.Supplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;

class KafkaOrderLogContractIT extends OrderLogContract {
  private final KafkaFixture kafka = new KafkaFixture();

  @AfterEach
  void close() {
    kafka.close();
  }

  @Override
  protected OrderLog log() {
    return kafka.log();
  }

  @Override
  protected OrderLogConsumer consumer() {
    return kafka.consumer();
  }

  @Override
  protected void appendInATransaction(int partition, byte[] value) {
    kafka.appendInATransaction(kafka.config().ordersTopic(), partition, value);
  }

  @Override
  protected <T> T await(Supplier<Future<T>> call) {
    return kafka.await(call);
  }

  @Override
  protected void eventually(ThrowingCallable assertion) {
    Awaitility.await().untilAsserted(assertion::call);
  }
}
