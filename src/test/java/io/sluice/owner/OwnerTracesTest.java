package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.orderlog.Event;
import io.sluice.tracing.RecordedTraces;
import io.sluice.tracing.Span;
import io.sluice.tracing.TraceContext;
import io.sluice.tracing.Traces;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What owners record of an order: booking, events, release. */
class OwnerTracesTest {
  private final OwnerScene scene = OwnerScene.withStock(10);

  private void traceWith(Traces traces) {
    scene.traces = traces;
    scene.takeOver();
    scene.settle();
  }

  private static List<Span> named(RecordedTraces traces, String name) {
    return traces.spans().stream().filter(span -> span.name().equals(name)).toList();
  }

  private List<Event> events() {
    return scene.events.published().stream()
        .map(published -> published.event())
        .filter(event -> !event.type().equals("HEARTBEAT"))
        .toList();
  }

  @Test
  void shouldTraceABookingBelowTheSpanThatItsRecordNames() {
    // given
    RecordedTraces traces = RecordedTraces.ofAll();
    traceWith(traces);
    Grant grant = scene.grant("alice", 1);
    TraceContext append = TraceContext.ofOrder(grant.token()).child();

    // when
    scene.append(new Command.Reserve(grant, append.text()));
    scene.settle();

    // then
    Span booking = traces.only("ledger apply");
    assertThat(booking.parentSpanId()).isEqualTo(append.spanId());
    assertThat(booking.context().traceId()).isEqualTo(append.traceId());
    assertThat(booking.links()).containsExactly(traces.only("ledger apply batch").context());
    Span publish = traces.only("event publish");
    assertThat(publish.context().traceId()).isEqualTo(append.traceId());
    assertThat(events()).extracting(Event::traceparent).containsExactly(publish.context().text());
  }

  @Test
  void shouldTraceTheEndAndTheReleaseWhenNobodyPays() {
    // given
    RecordedTraces traces = RecordedTraces.ofAll();
    traceWith(traces);
    Grant grant = scene.placed("alice", 1);
    scene.settle();

    // when
    scene.pass(Duration.ofMinutes(6));
    scene.settle();

    // then
    String traceId = TraceContext.ofOrder(grant.token()).traceId();
    assertThat(traces.only("redis release").context().traceId()).isEqualTo(traceId);
    assertThat(named(traces, "ledger apply")).hasSize(2);
    assertThat(named(traces, "event publish")).hasSize(2);
    assertThat(traces.spans()).allMatch(span -> span.error() == null);
  }

  @Test
  void shouldTraceAllOfAnOrderWhenItsCallerAsked() {
    // given
    RecordedTraces traces = RecordedTraces.ofNone();
    traceWith(traces);
    Grant grant = scene.grant("alice", 1);
    scene.placed("bob", 1);
    scene.append(new Command.Reserve(grant, TraceContext.ofOrder(grant.token()).child().text()));

    // when
    scene.settle();
    scene.pass(Duration.ofMinutes(6));
    scene.settle();

    // then
    assertThat(traces.names()).contains("ledger apply", "event publish", "redis release");
    assertThat(traces.spans())
        .filteredOn(span -> !span.name().endsWith(" batch"))
        .extracting(span -> span.context().traceId())
        .containsOnly(TraceContext.ofOrder(grant.token()).traceId());
  }

  @Test
  void shouldPublishWithoutATraceWhenNothingIsChosen() {
    // given
    RecordedTraces traces = RecordedTraces.ofNone();
    traceWith(traces);

    // when
    scene.placed("alice", 1);
    scene.settle();

    // then
    assertThat(traces.spans()).isEmpty();
    assertThat(events()).isNotEmpty().allMatch(event -> event.traceparent() == null);
  }

  @Test
  void shouldPublishWithoutATraceWhenTracesAreOff() {
    // given
    Grant grant = scene.grant("alice", 1);

    // when
    scene.append(new Command.Reserve(grant, TraceContext.ofOrder(grant.token()).child().text()));
    scene.settle();

    // then
    assertThat(scene.isBooked("alice")).isTrue();
    assertThat(events()).isNotEmpty().allMatch(event -> event.traceparent() == null);
  }
}
