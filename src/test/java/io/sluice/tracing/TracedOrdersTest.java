package io.sluice.tracing;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.model.BucketId;
import io.sluice.model.OrderToken;
import io.sluice.model.OrderTokens;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TracedOrdersTest {
  private static final OrderToken TOKEN = token("alice");
  private static final TraceContext FROM = TraceContext.ofOrder(TOKEN).child();

  private static OrderToken token(String buyer) {
    return new OrderTokens(new byte[16]).tokenFor(buyer, new BucketId(1001, 0), null);
  }

  @Test
  void shouldTraceWhatTheTokenChooses() {
    // given
    TracedOrders unit = new TracedOrders(RecordedTraces.ofAll());

    // then
    assertThat(unit.of(TOKEN.value())).isEqualTo(TraceContext.ofOrder(TOKEN));
    assertThat(unit.of(TOKEN, null)).isEqualTo(TraceContext.ofOrder(TOKEN));
    assertThat(unit.of(TOKEN, FROM.text())).isEqualTo(FROM);
  }

  @Test
  void shouldRememberAnOrderWhenItsTraceWasAskedFor() {
    // given
    TracedOrders unit = new TracedOrders(RecordedTraces.ofNone());
    TraceContext before = unit.of(TOKEN.value());

    // when
    TraceContext booked = unit.of(TOKEN, FROM.text());

    // then
    assertThat(before).isNull();
    assertThat(booked).isEqualTo(FROM);
    assertThat(unit.of(TOKEN.value())).isEqualTo(TraceContext.ofOrder(TOKEN));
    assertThat(unit.of(token("bob").value())).isNull();
  }

  @Test
  void shouldForgetTheEldestWhenTooManyWereAskedFor() {
    // given
    TracedOrders unit = new TracedOrders(RecordedTraces.ofNone());
    unit.of(TOKEN, FROM.text());

    // when
    IntStream.range(0, TracedOrders.ASKED_MAX)
        .forEach(i -> unit.of(token("buyer" + i), FROM.text()));

    // then
    assertThat(unit.of(TOKEN.value())).isNull();
    assertThat(unit.of(token("buyer7").value())).isNotNull();
  }

  @Test
  void shouldTraceNothingWhenTracesAreOff() {
    // given
    TracedOrders unit = new TracedOrders(Traces.OFF);

    // then
    assertThat(unit.of(TOKEN, FROM.text())).isNull();
    assertThat(unit.of(TOKEN.value())).isNull();
  }
}
