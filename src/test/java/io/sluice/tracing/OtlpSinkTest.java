package io.sluice.tracing;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.config.Config.TracingConfig;
import io.sluice.testkit.trace.Collector;
import io.sluice.testkit.trace.SeenSpan;
import io.sluice.tracing.Span.Kind;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a collector gets, as it reads it. */
@Timeout(60)
class OtlpSinkTest {
  private static final Instant NOW = Instant.parse("2026-11-25T12:00:00.000000500Z");
  private static final long NOW_NANOS = 7_000;
  private static final TraceContext CONTEXT =
      new TraceContext("0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331");
  private static final TraceContext LINKED = TraceContext.fresh();

  private final Collector collector = Collector.start();

  @AfterEach
  void close() {
    collector.close();
  }

  private OtlpSink sink(String endpoint, String authorization) {
    TracingConfig config = new TracingConfig(endpoint, authorization, 1_000, 10, 10, 512, "");
    return new OtlpSink(config, "instance-1", () -> NOW, () -> NOW_NANOS);
  }

  private static Span span(String parent, String error) {
    return new Span(
        CONTEXT,
        parent,
        "place",
        Kind.SERVER,
        5_000,
        6_000,
        Map.of("http.response.status_code", 201L, "sluice.order_token", "1001.0.x", "flag", true),
        List.of(LINKED),
        error);
  }

  @Test
  void shouldSendASpanWithAllItHas() {
    // given
    OtlpSink unit = sink(collector.endpoint(), "");

    // when
    boolean taken = unit.send(List.of(span("00f067aa0ba902b7", null)));

    // then
    long nowNanos = NOW.getEpochSecond() * 1_000_000_000L + NOW.getNano();
    assertThat(taken).isTrue();
    assertThat(collector.spans()).hasSize(1);
    SeenSpan seen = collector.spans().get(0);
    assertThat(seen.place()).isEqualTo(CONTEXT.traceId() + "/" + CONTEXT.spanId());
    assertThat(seen.parentSpanId()).isEqualTo("00f067aa0ba902b7");
    assertThat(seen.name()).isEqualTo("place");
    assertThat(seen.kind()).isEqualTo(2);
    assertThat(seen.startNanos()).isEqualTo(nowNanos - 2_000);
    assertThat(seen.endNanos()).isEqualTo(nowNanos - 1_000);
    assertThat(seen.attributes())
        .containsEntry("http.response.status_code", "201")
        .containsEntry("sluice.order_token", "1001.0.x");
    assertThat(seen.links()).containsExactly(LINKED.traceId() + "/" + LINKED.spanId());
    assertThat(seen.failed()).isFalse();
    assertThat(collector.authorizations()).containsExactly("null");
  }

  @Test
  void shouldSendTheErrorAndTheAuthorization() {
    // given
    OtlpSink unit = sink(collector.endpoint() + "/", "Bearer of-the-collector");

    // when
    unit.send(List.of(span(null, "unavailable")));

    // then
    SeenSpan seen = collector.spans().get(0);
    assertThat(seen.failed()).isTrue();
    assertThat(seen.message()).isEqualTo("unavailable");
    assertThat(seen.parentSpanId()).isEmpty();
    assertThat(collector.authorizations()).containsExactly("Bearer of-the-collector");
  }

  @Test
  void shouldSendOnceAndSayNoWhenTheCollectorRefuses() {
    // given
    OtlpSink unit = sink(collector.endpoint(), "");
    collector.answer(503);

    // when
    boolean taken = unit.send(List.of(span(null, null)));

    // then
    assertThat(taken).isFalse();
    assertThat(collector.requests()).isEqualTo(1);
  }

  @Test
  void shouldSayNoWhenNobodyListens() {
    // given
    String endpoint = collector.endpoint();
    collector.close();

    // when
    boolean taken = sink(endpoint, "").send(List.of(span(null, null)));

    // then
    assertThat(taken).isFalse();
  }

  @Test
  void shouldSayNoInTimeWhenTheCollectorIsSilent() {
    // given
    OtlpSink unit = sink(collector.endpoint(), "");
    collector.fallSilent();
    long beginNanos = System.nanoTime();

    // when
    boolean taken = unit.send(List.of(span(null, null)));

    // then
    assertThat(taken).isFalse();
    assertThat(System.nanoTime() - beginNanos).isLessThan(3 * OtlpSink.TIMEOUT.toNanos());
  }
}
