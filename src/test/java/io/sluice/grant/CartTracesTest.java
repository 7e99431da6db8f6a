package io.sluice.grant;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.model.Command;
import io.sluice.model.OrderToken;
import io.sluice.model.Refusal;
import io.sluice.stock.GrantOutcome;
import io.sluice.stock.StockUnavailableException;
import io.sluice.tracing.RecordedTraces;
import io.sluice.tracing.Span;
import io.sluice.tracing.TraceContext;
import org.junit.jupiter.api.Test;

/** An order of several SKUs is one trace, that of its token. */
class CartTracesTest extends CartPlacingScene {
  CartTracesTest() {
    super(RecordedTraces.ofAll());
  }

  @Test
  void shouldTraceAGrantThroughRedisToItsRecord() {
    // given
    place("alice");
    OrderToken token = last().token();

    // when
    last().grantAll();
    unit.log.ackAll();

    // then
    TraceContext order = TraceContext.ofOrder(token);
    Span reserve = traces.only("redis reserve");
    Span append = traces.only("order log append");
    assertThat(reserve.context().traceId()).isEqualTo(order.traceId());
    assertThat(reserve.parentSpanId()).isEqualTo(order.spanId());
    assertThat(append.parentSpanId()).isEqualTo(order.spanId());
    assertThat(((Command.Reserve) unit.log.last().commands().get(0)).trace())
        .isEqualTo(append.context().text());
    assertThat(traces.attributes("redis reserve batch"))
        .containsEntry("sluice.partition", (long) PARTITION)
        .containsEntry("sluice.batch_size", 1L);
  }

  @Test
  void shouldRecordNothingWhenALineIsRefused() {
    // given
    place("alice");

    // when
    last().refuseAll(Refusal.SOLD_OUT, 1);

    // then
    assertThat(traces.spans()).isEmpty();
  }

  @Test
  void shouldRecordNothingWhenSomeOfItsLinesAreRecorded() {
    // given
    place("alice");

    // when
    last().answer(cart -> new GrantOutcome.Torn());

    // then
    assertThat(traces.spans()).isEmpty();
  }

  @Test
  void shouldRecordTheCallAndWhyWhenRedisDoesNotAnswer() {
    // given
    place("alice");
    TraceContext order = TraceContext.ofOrder(last().token());

    // when
    last().reply().fail(new StockUnavailableException("connection closed", null));

    // then
    assertThat(traces.only("redis reserve").context().traceId()).isEqualTo(order.traceId());
    assertThat(traces.only("redis reserve batch").error()).contains("connection closed");
  }
}
