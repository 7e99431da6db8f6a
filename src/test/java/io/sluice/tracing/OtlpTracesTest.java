package io.sluice.tracing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.config.Config.TracingConfig;
import io.sluice.metrics.Meters;
import io.sluice.tracing.Span.Kind;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class OtlpTracesTest {
  private static final int QUEUE_MAX = 1_000;
  private static final TracingConfig CONFIG =
      new TracingConfig("http://unused:1", "", 1_000, 2, 3, QUEUE_MAX, "");

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final FakeSink sink = new FakeSink();

  /** A collector that is here, away, or slow. */
  private static final class FakeSink implements OtlpTraces.SpanSink {
    final List<Span> taken = new CopyOnWriteArrayList<>();
    final CountDownLatch mayAnswer = new CountDownLatch(1);
    volatile boolean isAway;
    volatile boolean isSlow;
    volatile boolean isClosed;
    final AtomicInteger calls = new AtomicInteger();

    @Override
    public boolean send(List<Span> spans) {
      calls.incrementAndGet();
      if (isSlow) {
        try {
          assertThat(mayAnswer.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
      }
      if (!isAway) {
        taken.addAll(spans);
      }
      return !isAway;
    }

    @Override
    public void close() {
      isClosed = true;
    }
  }

  private OtlpTraces open() {
    return new OtlpTraces(CONFIG, () -> sink, new Meters(registry), System::nanoTime);
  }

  private static Span span() {
    return new Span(
        TraceContext.fresh(), null, "place", Kind.SERVER, 0, 1, Map.of(), List.of(), null);
  }

  private double spans(String outcome) {
    return registry.get("sluice_trace_spans").tag("outcome", outcome).counter().count();
  }

  @Test
  void shouldSendWhatIsRecorded() {
    // given
    OtlpTraces unit = open();
    Span span = span();

    // when
    unit.record(span);

    // then
    await().untilAsserted(() -> assertThat(sink.taken).containsExactly(span));
    await().untilAsserted(() -> assertThat(spans("sent")).isEqualTo(1));
  }

  @Test
  void shouldSendTheRestWhenItIsClosed() {
    // given
    OtlpTraces unit = open();
    IntStream.range(0, 900).forEach(i -> unit.record(span()));

    // when
    Future<Void> closed = unit.close();

    // then
    await().until(closed::succeeded);
    assertThat(sink.taken).hasSize(900);
    assertThat(sink.isClosed).isTrue();
  }

  @Test
  void shouldDropAndCountWhenTheCollectorIsSlow() {
    // given
    OtlpTraces unit = open();
    sink.isSlow = true;
    unit.record(span());
    await().until(() -> sink.calls.get() == 1);

    // when
    IntStream.range(0, QUEUE_MAX + 50).forEach(i -> unit.record(span()));

    // then
    assertThat(spans("dropped")).isEqualTo(50);
    sink.mayAnswer.countDown();
    await().untilAsserted(() -> assertThat(spans("sent")).isEqualTo(QUEUE_MAX + 1));
  }

  @Test
  void shouldRestBetweenTriesWhenTheCollectorIsAway() {
    // given
    OtlpTraces unit = open();
    sink.isAway = true;
    unit.record(span());
    await().untilAsserted(() -> assertThat(spans("failed")).isEqualTo(1));

    // when
    IntStream.range(0, 10).forEach(i -> unit.record(span()));

    // then
    assertThat(sink.calls.get()).isEqualTo(1);
    sink.isAway = false;
    await().atMost(Duration.ofSeconds(10)).untilAsserted(() -> assertThat(sink.taken).hasSize(10));
    assertThat(sink.calls.get()).isEqualTo(2);
  }

  @Test
  void shouldEndWithoutTheRestWhenTheCollectorIsAwayAtTheEnd() {
    // given
    OtlpTraces unit = open();
    sink.isAway = true;
    IntStream.range(0, 900).forEach(i -> unit.record(span()));

    // when
    Future<Void> closed = unit.close();

    // then
    await().until(closed::succeeded);
    assertThat(sink.taken).isEmpty();
    assertThat(sink.calls.get()).isLessThanOrEqualTo(2);
  }

  @Test
  void shouldTakeSoManyFailuresASecondAndRefusalsApart() {
    // given
    OtlpTraces unit = open();

    // when
    long busy = IntStream.range(0, 10).filter(i -> unit.takesFailure(true)).count();
    long failures = IntStream.range(0, 10).filter(i -> unit.takesFailure(false)).count();
    long asked = IntStream.range(0, 10).filter(i -> unit.takesAsked()).count();

    // then
    assertThat(List.of(busy, failures, asked)).isEqualTo(List.of(2L, 2L, 3L));
  }
}
