package io.sluice.db;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.Ports;
import io.vertx.sqlclient.Pool;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class WriterPoolTest {
  private final AtomicLong nowNanos = new AtomicLong();
  private final List<Pool> givenUp = new ArrayList<>();
  private final WriterPool unit = new WriterPool(WriterPoolTest::pool, givenUp::add, nowNanos::get);

  @Test
  void shouldGiveUpAllConnectionsWhenTheServerRefusesAWrite() {
    // given
    Pool old = unit.now();

    // when
    unit.isReadOnly(old);
    unit.isReadOnly(old);

    // then
    assertThat(givenUp).as("given up once, however many calls fail").containsExactly(old);
    assertThat(unit.now()).isNotSameAs(old);
  }

  @Test
  void shouldNotConnectAllTheTimeWhenNoServerTakesWrites() {
    // given
    unit.isReadOnly(unit.now());
    Pool second = unit.now();

    // when
    unit.isReadOnly(second);
    boolean kept = unit.now() == second;
    nowNanos.addAndGet(WriterPool.RENEWED_EVERY.toNanos());
    unit.isReadOnly(second);

    // then
    assertThat(kept).isTrue();
    assertThat(unit.now()).isNotSameAs(second);
  }

  @Test
  void shouldKeepItsConnectionsWhenOnlyThoseGivenUpAreRefused() {
    // given
    Pool old = unit.now();
    unit.isReadOnly(old);
    Pool second = unit.now();
    nowNanos.addAndGet(WriterPool.RENEWED_EVERY.toNanos());

    // when
    unit.isReadOnly(old);

    // then
    assertThat(unit.now()).isSameAs(second);
    assertThat(givenUp).containsExactly(old);
  }

  @Test
  void shouldGiveUpWhatWasConnectedInBetweenWhenAWriteIsTakenAgain() {
    // given
    unit.isReadOnly(unit.now());
    Pool mixed = unit.now();

    // when
    unit.hasWritten(mixed);
    Pool sure = unit.now();
    unit.hasWritten(sure);

    // then
    assertThat(givenUp).hasSize(2).endsWith(mixed);
    assertThat(unit.now()).isSameAs(sure).isNotSameAs(mixed);
  }

  @Test
  void shouldKeepItsConnectionsWhenWritesAreTaken() {
    // given
    Pool only = unit.now();

    // when
    unit.hasWritten(only);

    // then
    assertThat(unit.now()).isSameAs(only);
    assertThat(givenUp).isEmpty();
  }

  private static Pool pool() {
    return Ports.answering(
        Pool.class,
        (self, method, arguments) ->
            switch (method.getName()) {
              case "equals" -> self == arguments[0];
              case "hashCode" -> System.identityHashCode(self);
              case "toString" -> "a pool";
              default -> throw new UnsupportedOperationException(method.getName());
            });
  }
}
