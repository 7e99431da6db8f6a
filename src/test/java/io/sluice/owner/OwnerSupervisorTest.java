package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.config.Config;
import io.sluice.ledger.InMemoryLedger;
import io.sluice.orderlog.InMemoryEvents;
import io.sluice.orderlog.InMemoryOrderLog;
import io.sluice.orderlog.InMemoryOrderLogConsumer;
import io.sluice.orderlog.OrderLogConsumer;
import io.sluice.stock.InMemoryStock;
import io.sluice.stock.StockConnection;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OwnerSupervisorTest {
  private static final int PARTITION = 0;

  /** One event loop: the stores know no threads. */
  private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));

  private final Context loop = vertx.getOrCreateContext();
  private final InMemoryLedger ledger = new InMemoryLedger(1, InstantSource.system());
  private final InMemoryStock stock = new InMemoryStock(InstantSource.system(), "redis1");
  private final InMemoryOrderLog log = new InMemoryOrderLog();
  private final List<InMemoryOrderLogConsumer> consumers = new CopyOnWriteArrayList<>();
  private final OwnerSupervisor unit =
      new OwnerSupervisor(
          this::newConsumer,
          new OwnerParts(
              ledger,
              this::connection,
              log,
              new InMemoryEvents(),
              ledger::nowMs,
              Duration.ofDays(1),
              Courtesy.NONE),
          Config.defaults().reservation());

  private String deployed = "";

  @AfterEach
  void close() {
    vertx.undeploy(deployed).await();
    vertx.close().await();
  }

  @Test
  void shouldKeepItsConsumerWhenTheLogHoldsWhatIsBooked() {
    // given
    log.appendRaw(PARTITION, new byte[0]);
    ledger.reset(PARTITION, 1);

    // when
    begin();

    // then
    await().during(Duration.ofSeconds(2)).until(() -> consumers.size() == 1);
    assertThat(told(() -> consumers.get(0).isReading(PARTITION))).isTrue();
  }

  @Test
  void shouldReadWithANewConsumerWhenTheLogWasCutAndGoesOn() {
    // given
    ledger.reset(PARTITION, 1);
    begin();
    await().during(Duration.ofSeconds(1)).until(() -> consumers.size() == 1);
    assertThat(told(() -> consumers.get(0).isReading(PARTITION))).isFalse();

    // when
    told(() -> log.appendRaw(PARTITION, new byte[0]));

    // then
    await().until(() -> consumers.size() == 2);
    await().until(() -> told(() -> consumers.get(1).isStarted()));
    told(() -> assign(consumers.get(1)));
    await().until(() -> told(() -> consumers.get(1).isReading(PARTITION)));
    assertThat(told(() -> consumers.get(0).isReading(PARTITION))).isFalse();
  }

  private void begin() {
    deployed = vertx.deployVerticle(unit).await();
    told(() -> assign(consumers.get(0)));
  }

  private static boolean assign(InMemoryOrderLogConsumer consumer) {
    consumer.assign(Set.of(PARTITION));
    return true;
  }

  private OrderLogConsumer newConsumer() {
    InMemoryOrderLogConsumer made = new InMemoryOrderLogConsumer(log);
    consumers.add(made);
    return made;
  }

  /** What this says on the event loop. */
  private <T> T told(Callable<T> question) {
    return Future.<T>future(
            answer ->
                loop.runOnContext(
                    now -> {
                      try {
                        answer.complete(question.call());
                      } catch (Exception | AssertionError failure) {
                        answer.fail(failure);
                      }
                    }))
        .await();
  }

  private StockConnection connection() {
    Class<?>[] port = {StockConnection.class};
    return (StockConnection)
        Proxy.newProxyInstance(
            StockConnection.class.getClassLoader(),
            port,
            (self, method, arguments) ->
                switch (method.getName()) {
                  case "start", "close" -> Future.succeededFuture();
                  case "isUp" -> true;
                  default -> method.invoke(stock, arguments);
                });
  }
}
