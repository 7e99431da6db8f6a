package io.sluice.reservation.grant;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.alarm.Alarm;
import io.sluice.ledger.Bookings.Booked;
import io.sluice.ledger.Ledger;
import io.sluice.ledger.SkuLedger;
import io.sluice.metrics.Meters;
import io.sluice.model.Grant;
import io.sluice.model.OrderToken;
import io.vertx.core.Future;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What an instance does when the ledger's gate contradicts a grant of Redis. */
class DirectBookingTest {
  private static final OrderToken TOKEN =
      OrderToken.parse("7.0.AAAAAAAAAAAAAAAAAAAAAA").orElseThrow();
  private static final Grant GRANT = new Grant(TOKEN, "alice", 1, 1, 1, 1, 2);

  private final List<String> asked = new ArrayList<>();

  private DirectBooking unit(boolean unsound) {
    return new DirectBooking(
        answering(Ledger.class, new Booked(Map.of(), unsound)),
        answering(SkuLedger.class, 1L),
        new Meters(new SimpleMeterRegistry()));
  }

  /** A port that answers each call with this. */
  private <T> T answering(Class<T> port, Object answer) {
    return port.cast(
        Proxy.newProxyInstance(
            port.getClassLoader(),
            new Class<?>[] {port},
            (proxy, method, arguments) -> {
              asked.add(method.getName());
              return Future.succeededFuture(answer);
            }));
  }

  @Test
  void shouldAlarmAndHaveTheBucketRebuiltWhenTheGateHadNoRoom() {
    // given
    long before = Alarm.DIRECT_BOOKING_UNSOUND.raised();

    // when
    unit(true).book(List.of(GRANT));

    // then
    assertThat(Alarm.DIRECT_BOOKING_UNSOUND.raised()).isEqualTo(before + 1);
    assertThat(asked).containsExactly("book", "request");
  }

  @Test
  void shouldDoNothingElseWhenTheGrantIsBooked() {
    // given
    long before = Alarm.DIRECT_BOOKING_UNSOUND.raised();

    // when
    unit(false).book(List.of(GRANT));

    // then
    assertThat(Alarm.DIRECT_BOOKING_UNSOUND.raised()).isEqualTo(before);
    assertThat(asked).containsExactly("book");
  }
}
