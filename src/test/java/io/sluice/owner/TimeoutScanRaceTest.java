package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.config.Config;
import io.sluice.ledger.Ledger;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.OrderStatus;
import io.sluice.orderlog.OrderLog;
import io.sluice.testkit.Ports;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A payment that arrives while the scan reads the clock and the log's end. */
class TimeoutScanRaceTest {
  private static final Duration PAYMENT_WINDOW = Duration.ofSeconds(300);

  private final OwnerScene scene = OwnerScene.withStock(3);

  /** Runs once, right after the scan's first read. */
  private Runnable meanwhile = () -> {};

  @BeforeEach
  void watchTheLooks() {
    Ledger ledger = watched(Ledger.class, scene.ledger, "glance");
    OrderLog log = watched(OrderLog.class, scene.log, "endOffset");
    scene.owner =
        new PartitionOwner(
            OwnerScene.context(
                new Ownership(
                    scene.ledger.fences().result().get(OwnerScene.PARTITION),
                    scene.known,
                    () -> scene.lost = true),
                ledger,
                scene.stock,
                log,
                scene.events),
            Config.defaults().reservation(),
            Config.defaults().sale(),
            scene);
  }

  @Test
  void shouldNotCancelWhenThePaymentArrivesInTimeBetweenTheTwoLooks() {
    // given
    Grant grant = scene.placed("alice", 1);
    passTimeTo(PAYMENT_WINDOW.minusMillis(1));
    meanwhile =
        () -> {
          scene.append(new Command.Confirm(grant.token()));
          scene.advance(Duration.ofMillis(1));
        };

    // when
    scene.owner.scanTimeouts();
    OrderStatus unread = scene.order("alice").status();
    scene.work();

    // then
    assertThat(unread).isEqualTo(OrderStatus.PENDING);
    assertThat(scene.order("alice").status()).isEqualTo(OrderStatus.CONFIRMED);
  }

  @Test
  void shouldCancelInThatVeryScanWhenNobodyPays() {
    // given
    scene.placed("alice", 1);
    passTimeTo(PAYMENT_WINDOW);

    // when
    scene.owner.scanTimeouts();

    // then
    assertThat(scene.order("alice").status()).isEqualTo(OrderStatus.CANCELED);
  }

  /** In steps, so that the owner sees that the log can be read all the time. */
  private void passTimeTo(Duration window) {
    scene.work();
    Duration step = Duration.ofMillis(500);
    Duration passed = Duration.ZERO;
    while (passed.plus(step).compareTo(window) < 0) {
      scene.advance(step);
      scene.work();
      passed = passed.plus(step);
    }
    scene.advance(window.minus(passed));
  }

  private <T> T watched(Class<T> port, T store, String call) {
    Object proxy =
        Ports.answering(
            port,
            (self, method, arguments) -> {
              Object answer = method.invoke(store, arguments);
              if (method.getName().equals(call)) {
                Runnable happens = meanwhile;
                meanwhile = () -> {};
                happens.run();
              }
              return answer;
            });
    return port.cast(proxy);
  }
}
