package io.sluice.grant;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.ledger.Ledger;
import io.sluice.ledger.Ledger.Booked;
import io.sluice.ledger.SkuLedger;
import io.sluice.metrics.Meters;
import io.sluice.model.Grant;
import io.sluice.model.Grants;
import io.sluice.model.Order;
import io.sluice.model.OrderToken;
import io.sluice.monitor.Alarm;
import io.sluice.testkit.Ports;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an instance does when the ledger's gate contradicts a grant of Redis. */
class PastLogBookingTest {
  private static final OrderToken TOKEN =
      OrderToken.parse("7.0.AAAAAAAAAAAAAAAAAAAAAA").orElseThrow();
  private static final Grant GRANT = Grants.of(TOKEN, "alice", 1, 1, 1, 1, 2);

  private static final Grant OTHER =
      Grants.of(OrderToken.parse("7.0.BAAAAAAAAAAAAAAAAAAAAA").orElseThrow(), "bob", 1, 2, 1, 1, 2);

  private final List<String> asked = new ArrayList<>();

  private PastLogBooking unit(boolean unsound) {
    return new PastLogBooking(
        answering(Ledger.class, new Booked(Map.of(), unsound)),
        answering(SkuLedger.class, 1L),
        new Meters(new SimpleMeterRegistry()));
  }

  /** A port that answers each call with this. */
  private <T> T answering(Class<T> port, Object answer) {
    return Ports.answering(
        port,
        (proxy, method, arguments) -> {
          asked.add(method.getName());
          return Future.succeededFuture(answer);
        });
  }

  /** A ledger whose calls are asked for their grants, and answered, by the test. */
  static final class Calls {
    private final List<Supplier<List<Grant>>> grants = new ArrayList<>();
    private final List<Promise<Booked>> outcomes = new ArrayList<>();

    Future<Booked> book(Supplier<List<Grant>> asked) {
      grants.add(asked);
      outcomes.add(Promise.promise());
      return outcomes.get(outcomes.size() - 1).future();
    }

    void commit(int call) {
      outcomes
          .get(call)
          .complete(
              new Booked(
                  grants.get(call).get().stream()
                      .map(Order::reserved)
                      .collect(Collectors.toMap(Order::token, order -> order)),
                  false));
    }
  }

  private PastLogBooking unit(Calls calls) {
    return new PastLogBooking(
        Ports.partly(Ledger.class, calls),
        answering(SkuLedger.class, 1L),
        new Meters(new SimpleMeterRegistry()));
  }

  @Test
  void shouldBookTogetherWhatComesBeforeThereIsAConnection() {
    // given
    Calls calls = new Calls();
    PastLogBooking unit = unit(calls);
    Future<Map<OrderToken, Order>> first = unit.book(List.of(GRANT));
    Future<Map<OrderToken, Order>> second = unit.book(List.of(OTHER));

    // when
    calls.commit(0);

    // then
    assertThat(first.result()).containsOnlyKeys(TOKEN);
    assertThat(second.result()).containsOnlyKeys(OTHER.token());
    assertThat(calls.grants).hasSize(1);
  }

  @Test
  void shouldTakeNothingInWhenACallIsAskedOnceItHasFailed() {
    // given
    Calls calls = new Calls();
    PastLogBooking unit = unit(calls);
    unit.book(List.of(GRANT));
    calls.outcomes.get(0).fail("planted");
    unit.book(List.of(GRANT));
    Future<Map<OrderToken, Order>> behind = unit.book(List.of(OTHER));

    // when
    List<Grant> late = calls.grants.get(0).get();
    calls.commit(1);

    // then
    assertThat(late).containsExactly(GRANT);
    assertThat(behind.result()).containsOnlyKeys(OTHER.token());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldAlarmAndHaveTheBucketRebuiltOnlyWhenTheGateHadNoRoom(boolean isFull) {
    // given
    long before = Alarm.DIRECT_BOOKING_UNSOUND.raised();

    // when
    unit(isFull).book(List.of(GRANT));

    // then
    assertThat(Alarm.DIRECT_BOOKING_UNSOUND.raised()).isEqualTo(before + (isFull ? 1 : 0));
    assertThat(asked).isEqualTo(isFull ? List.of("book", "request") : List.of("book"));
  }
}
