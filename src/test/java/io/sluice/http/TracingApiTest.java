package io.sluice.http;

import static io.sluice.http.PublicPortFixture.BODY;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.grant.PlacedOrder;
import io.sluice.model.Refusal;
import io.sluice.testkit.process.LogWatch;
import io.sluice.tracing.RecordedTraces;
import io.sluice.tracing.Span;
import io.sluice.tracing.Span.Kind;
import io.sluice.tracing.TraceContext;
import io.sluice.web.Problem;
import io.sluice.web.RequestTraces;
import io.vertx.core.Future;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which requests are recorded, and in which trace. */
class TracingApiTest {
  private static final TraceContext CALLER = TraceContext.fresh();
  private static final TraceContext ORDER = TraceContext.ofOrder(FakeOrders.TOKEN);

  private RecordedTraces traces;
  private PublicPortFixture fixture;
  private boolean isTrusted = true;

  private void open(RecordedTraces with) {
    traces = with;
    fixture = PublicPortFixture.traced(new RequestTraces(with, address -> isTrusted));
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private int place(String... headers) {
    return fixture.order(BODY, "alice", headers).status();
  }

  @Test
  void shouldBeginTheTraceOfAnOrderThatTheTokenChooses() {
    // given
    open(RecordedTraces.ofAll());

    // when
    int status = place();

    // then
    Span request = traces.only("place");
    assertThat(status).isEqualTo(201);
    assertThat(request.context()).isEqualTo(ORDER);
    assertThat(request.parentSpanId()).isNull();
    assertThat(request.kind()).isEqualTo(Kind.SERVER);
    assertThat(request.error()).isNull();
    assertThat(request.attributes())
        .containsEntry("http.response.status_code", 201L)
        .containsEntry("http.request.method", "POST")
        .containsEntry("sluice.order_token", FakeOrders.TOKEN.value());
  }

  @Test
  void shouldBeBelowTheFirstSpanWhenTheRequestIsRepeated() {
    // given
    open(RecordedTraces.ofAll());
    fixture.orders.placed =
        Future.succeededFuture(new PlacedOrder.Accepted(FakeOrders.PENDING, false));

    // when
    place();

    // then
    Span request = traces.only("place");
    assertThat(request.parentSpanId()).isEqualTo(ORDER.spanId());
    assertThat(request.context().spanId()).isNotEqualTo(ORDER.spanId());
  }

  @Test
  void shouldGoOnWithTheTraceOfATrustedCallerAndLinkTheOrders() {
    // given
    open(RecordedTraces.ofNone());

    // when
    place("traceparent", CALLER.text());

    // then
    Span request = traces.only("place");
    Span order = traces.only("order place");
    assertThat(request.context().traceId()).isEqualTo(CALLER.traceId());
    assertThat(request.parentSpanId()).isEqualTo(CALLER.spanId());
    assertThat(request.links()).containsExactly(ORDER);
    assertThat(order.context()).isEqualTo(ORDER);
    assertThat(order.links()).containsExactly(request.context());
    assertThat(fixture.orders.asked).containsExactly("place alice 1001 1 null traced");
  }

  @Test
  void shouldIgnoreATraceparentThatMayNotAskOrIsNone() {
    // given
    open(RecordedTraces.ofNone());

    // when
    place("traceparent", "00-" + CALLER.traceId() + "-" + CALLER.spanId() + "-00");
    place("traceparent", "%00garbage");
    isTrusted = false;
    place("traceparent", CALLER.text());
    isTrusted = true;
    traces.askedLeft = 0;
    place("traceparent", CALLER.text());

    // then
    assertThat(traces.spans()).isEmpty();
    assertThat(fixture.orders.asked).hasSize(4).containsOnly("place alice 1001 1 null");
  }

  @Test
  void shouldRecordNoRefusalThatNobodyAskedFor() {
    // given
    open(RecordedTraces.ofAll());
    fixture.orders.placed =
        Future.succeededFuture(new PlacedOrder.Refused(Refusal.SOLD_OUT, "Expected 1", 0));

    // when
    place();

    // then
    assertThat(traces.spans()).isEmpty();
  }

  @Test
  void shouldRecordAFailureInTheTraceOfItsOrderThoughNothingIsChosen() {
    // given
    open(RecordedTraces.ofNone());
    fixture.orders.placed =
        Future.succeededFuture(
            new PlacedOrder.Refused(Refusal.UNAVAILABLE, "Expected x", 1).of(FakeOrders.TOKEN));

    // when
    place();

    // then
    Span request = traces.only("place");
    assertThat(request.error()).isEqualTo("unavailable");
    assertThat(request.context().traceId()).isEqualTo(ORDER.traceId());
    assertThat(request.attributes())
        .containsEntry("http.response.status_code", 503L)
        .containsEntry("error.type", "unavailable");
  }

  @Test
  void shouldRecordABugAndNoMoreFailuresThanThereIsRoomFor() {
    // given
    open(RecordedTraces.ofNone());
    traces.failuresLeft = 2;
    fixture.orders.placed = Future.failedFuture(new IllegalStateException("a bug"));

    // when
    List<Integer> statuses = List.of(place(), place(), place());

    // then
    assertThat(statuses).containsOnly(500);
    assertThat(traces.spans()).hasSize(2).allMatch(span -> "internal".equals(span.error()));
  }

  @Test
  void shouldTraceACommandOnAnOrderAndNoPoll() {
    // given
    open(RecordedTraces.ofAll());
    String path = "/v1/orders/" + FakeOrders.TOKEN.value();

    // when
    fixture.probe.post(path + "/cancel", "X-User-Id", "alice");
    fixture.probe.get(path, "X-User-Id", "alice");

    // then
    assertThat(traces.names()).containsExactly("cancel");
    assertThat(traces.only("cancel").context().traceId()).isEqualTo(ORDER.traceId());
    assertThat(traces.only("cancel").parentSpanId()).isEqualTo(ORDER.spanId());
  }

  /** What is logged of a request whose handler fails. */
  private List<String> failing(String... headers) {
    fixture.orders.placed = Future.failedFuture(new IllegalStateException("a bug"));
    try (LogWatch log = LogWatch.of(Problem.class)) {
      assertThat(place(headers)).isEqualTo(500);
      return log.lines();
    }
  }

  private static String ids(TraceContext of) {
    return "trace_id=\"%s\" span_id=\"%s\"".formatted(of.traceId(), of.spanId());
  }

  @Test
  void shouldNameTheTraceInTheLogWhenAHandlerFails() {
    // given
    open(RecordedTraces.ofNone());

    // when
    List<String> lines = failing();

    // then
    assertThat(lines).singleElement().asString().contains(ids(traces.only("place").context()));
  }

  @Test
  void shouldNameTheCallersTraceInTheLogWhereItHasOne() {
    // given
    open(RecordedTraces.ofNone());

    // when
    List<String> lines = failing("traceparent", CALLER.text());

    // then
    Span request = traces.only("place");
    assertThat(request.context().traceId()).isEqualTo(CALLER.traceId());
    assertThat(lines).singleElement().asString().contains(ids(request.context()));
  }

  @Test
  void shouldNameTheOrdersTraceInTheLogWhereTheRequestIsAboutOne() {
    // given
    open(RecordedTraces.ofNone());
    fixture.orders.commanded = Future.failedFuture(new IllegalStateException("a bug"));

    // when
    List<String> lines;
    try (LogWatch log = LogWatch.of(Problem.class)) {
      fixture.probe.post(
          "/v1/orders/" + FakeOrders.TOKEN.value() + "/cancel", "X-User-Id", "alice");
      lines = log.lines();
    }

    // then
    Span request = traces.only("cancel");
    assertThat(request.context().traceId()).isEqualTo(ORDER.traceId());
    assertThat(lines).singleElement().asString().contains(ids(request.context()));
  }

  @Test
  void shouldNameNoTraceInTheLogWhereTracesAreOff() {
    // given
    fixture = PublicPortFixture.traced(RequestTraces.OFF);

    // when
    List<String> lines = failing();

    // then
    assertThat(lines).singleElement().asString().doesNotContain("trace_id");
  }
}
