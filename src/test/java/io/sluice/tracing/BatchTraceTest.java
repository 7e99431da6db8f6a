package io.sluice.tracing;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.tracing.BatchTrace.BatchStep;
import io.sluice.tracing.Span.Attributes;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BatchTraceTest {
  private static final Map<String, Object> PLACE = Map.of(Attributes.PARTITION, 3L);
  private final RecordedTraces traces = RecordedTraces.ofAll();

  @Test
  void shouldLinkTheBatchAndItsOrdersBothWays() {
    // given
    BatchTrace unit = BatchTrace.begin(traces, BatchStep.RESERVE, 10);
    List<TraceContext> parents = List.of(TraceContext.fresh(), TraceContext.fresh());
    List<TraceContext> spans = parents.stream().map(parent -> unit.add(parent, "t")).toList();

    // when
    unit.end(30, 7, List.of(), PLACE, null);

    // then
    Span batch = traces.only("redis reserve batch");
    assertThat(batch.parentSpanId()).isNull();
    assertThat(batch.links()).isEqualTo(spans);
    assertThat(batch.attributes())
        .containsEntry("sluice.batch_size", 7L)
        .containsAllEntriesOf(PLACE);
    assertThat(batch.startNanos()).isEqualTo(10);
    assertThat(batch.endNanos()).isEqualTo(30);
    List<Span> ofOrders =
        traces.spans().stream().filter(span -> span.name().equals("redis reserve")).toList();
    assertThat(ofOrders).extracting(Span::context).isEqualTo(spans);
    assertThat(ofOrders).allMatch(span -> span.links().equals(List.of(batch.context())));
    assertThat(ofOrders)
        .extracting(Span::parentSpanId)
        .containsExactly(parents.get(0).spanId(), parents.get(1).spanId());
    assertThat(spans.get(0).traceId()).isEqualTo(parents.get(0).traceId());
  }

  @Test
  void shouldMarkBatchAndOrdersWhenTheStepFailed() {
    // given
    BatchTrace unit = BatchTrace.begin(traces, BatchStep.APPLY, 10);
    unit.add(TraceContext.fresh(), "t");

    // when
    unit.end(30, 1, List.of(), PLACE, "the database is away");

    // then
    assertThat(traces.spans())
        .hasSize(2)
        .allMatch(span -> "the database is away".equals(span.error()));
  }

  @Test
  void shouldLeaveLinksOutWhenThereAreTooMany() {
    // given
    BatchTrace unit = BatchTrace.begin(traces, BatchStep.APPLY, 10);
    IntStream.range(0, BatchTrace.LINKS_MAX + 5)
        .forEach(i -> unit.add(TraceContext.fresh(), "t" + i));

    // when
    unit.end(30, 500, List.of(), PLACE, null);

    // then
    Span batch = traces.only("ledger apply batch");
    assertThat(batch.links()).hasSize(BatchTrace.LINKS_MAX);
    assertThat(batch.attributes()).containsEntry("sluice.links_left_out", 5L);
  }

  @Test
  void shouldRecordAFailureOfOthersWhenThereIsRoomForIt() {
    // given
    traces.failuresLeft = 1;
    List<String> orders = List.of("1001.0.AAAAAAAAAAAAAAAAAAAAAQ");
    List<String> errors = List.of("away", "away again");

    // when
    errors.forEach(
        error -> BatchTrace.begin(traces, BatchStep.APPEND, 1).end(2, 4, orders, PLACE, error));

    // then
    Span failed = traces.only("order log append batch");
    assertThat(failed.error()).isEqualTo("away");
    assertThat(failed.links()).containsExactly(TraceContext.ofOrder(orders.get(0)));
  }
}
