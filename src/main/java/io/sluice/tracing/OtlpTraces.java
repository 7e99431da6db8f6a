package io.sluice.tracing;

import io.micrometer.core.instrument.Counter;
import io.sluice.async.RateLimit;
import io.sluice.config.Config.TracingConfig;
import io.sluice.metrics.Meters;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Traces that are sent to a collector. Thread-safe. */
public final class OtlpTraces implements Traces {
  private static final Logger log = LoggerFactory.getLogger(OtlpTraces.class);

  private final HeadSampling sampling;
  private final RateLimit failures;
  private final RateLimit refusals;
  private final RateLimit asked;
  private final SpanQueue queue;

  /** Where spans are sent; blocks, and is used by one thread. */
  public interface SpanSink {
    /** Sends some spans; false if the collector has not taken them. */
    boolean send(List<Span> spans);

    /** Gives its connections up. */
    void close();
  }

  /**
   * Begins to send; nothing waits for the collector.
   *
   * @param sink makes it, on the thread that sends
   */
  public OtlpTraces(
      TracingConfig config, Supplier<SpanSink> sink, Meters meters, LongSupplier nanoTime) {
    this.sampling = HeadSampling.of(config.sampleOneIn());
    this.failures = new RateLimit(config.failuresPerS(), nanoTime);
    this.refusals = new RateLimit(config.failuresPerS(), nanoTime);
    this.asked = new RateLimit(config.askedPerS(), nanoTime);
    this.queue = new SpanQueue(config.queueMax(), sink, meters, nanoTime);
  }

  @Override
  public boolean isOn() {
    return true;
  }

  @Override
  public boolean samples(String orderToken) {
    return sampling.chooses(orderToken);
  }

  @Override
  public boolean takesFailure(boolean busy) {
    return (busy ? refusals : failures).take();
  }

  @Override
  public boolean takesAsked() {
    return asked.take();
  }

  @Override
  public void record(Span span) {
    queue.add(span);
  }

  @Override
  public Future<Void> close() {
    return queue.close();
  }

  /**
   * Chooses one order in so many by its trace id, like the ratio sampler of OpenTelemetry: a higher
   * rate chooses all that a lower one chooses.
   *
   * @param threshold of the last 63 bits of a trace id; those below it are sampled
   */
  public record HeadSampling(long threshold) {

    /**
     * @param oneIn how many orders there are for each that is sampled; 0 samples none
     */
    public static HeadSampling of(int oneIn) {
      return new HeadSampling(oneIn == 0 ? 0 : Long.MAX_VALUE / oneIn);
    }

    /** Whether this order is sampled; allocates nothing. */
    public boolean chooses(String orderToken) {
      return threshold != 0
          && TraceContext.OrderHash.isThere(orderToken)
          && (TraceContext.OrderHash.low(orderToken) & Long.MAX_VALUE) <= threshold;
    }
  }

  /**
   * The spans that wait for the collector, and the thread that sends them. A batch that the
   * collector has not taken is lost; the next one follows after a pause, which grows.
   */
  static final class SpanQueue {
    static final int BATCH_MAX = 512;

    /** How long a batch waits for more. */
    static final Duration LINGER = Duration.ofMillis(500);

    private static final Duration PAUSE_MIN = Duration.ofSeconds(1);
    private static final Duration PAUSE_MAX = Duration.ofSeconds(30);

    /** Wakes the thread; never sent. */
    private static final Span END =
        new Span(
            TraceContext.fresh(), null, "", Span.Kind.INTERNAL, 0, 0, Map.of(), List.of(), null);

    private final BlockingQueue<Span> waiting;
    private final Counter sent;
    private final Counter dropped;
    private final Counter failed;
    private final LongSupplier nanoTime;
    private final Promise<Void> ended = Promise.promise();
    private final CountDownLatch closing = new CountDownLatch(1);
    private Duration pause = Duration.ZERO;

    /**
     * @param open makes the sink, on the thread of this queue, so that nobody waits for it
     */
    SpanQueue(int max, Supplier<SpanSink> open, Meters meters, LongSupplier nanoTime) {
      this.waiting = new ArrayBlockingQueue<>(max);
      this.sent = meters.traceSpans("sent");
      this.dropped = meters.traceSpans("dropped");
      this.failed = meters.traceSpans("failed");
      this.nanoTime = nanoTime;
      Thread thread = new Thread(() -> run(open), "sluice-traces");
      thread.setDaemon(true);
      thread.start();
    }

    void add(Span span) {
      if (!waiting.offer(span)) {
        dropped.increment();
      }
    }

    /** Sends what waits, once, and ends. Completes on any thread. */
    Future<Void> close() {
      closing.countDown();
      // If there is no room for it, nobody waits for a span.
      boolean ignored = waiting.offer(END);
      return ended.future();
    }

    private void run(Supplier<SpanSink> open) {
      try {
        SpanSink sink = open.get();
        while (closing.getCount() > 0) {
          sendNext(sink);
        }
        sendRest(sink);
        sink.close();
      } catch (InterruptedException stop) {
        Thread.currentThread().interrupt();
      } catch (RuntimeException | LinkageError bug) {
        log.atError().setCause(bug).log("traces are no longer sent");
      } finally {
        ended.complete();
      }
    }

    private void sendNext(SpanSink sink) throws InterruptedException {
      List<Span> batch = new ArrayList<>();
      take(batch, waiting.poll(PAUSE_MAX.toMillis(), TimeUnit.MILLISECONDS));
      if (!batch.isEmpty()) {
        fill(batch);
        send(sink, batch);
        if (!pause.isZero()) {
          boolean ignored = closing.await(pause.toMillis(), TimeUnit.MILLISECONDS);
        }
      }
    }

    private static void take(List<Span> batch, @Nullable Span next) {
      if (next != null && !next.equals(END)) {
        batch.add(next);
      }
    }

    private void fill(List<Span> batch) throws InterruptedException {
      long endNanos = nanoTime.getAsLong() + LINGER.toNanos();
      while (batch.size() < BATCH_MAX && closing.getCount() > 0) {
        Span next = waiting.poll(endNanos - nanoTime.getAsLong(), TimeUnit.NANOSECONDS);
        if (next == null) {
          return;
        }
        take(batch, next);
      }
    }

    /** Stops at the first batch that is not taken. */
    private void sendRest(SpanSink sink) {
      boolean isTaken = true;
      while (isTaken && !waiting.isEmpty()) {
        List<Span> batch = new ArrayList<>();
        waiting.drainTo(batch, BATCH_MAX);
        batch.remove(END);
        isTaken = batch.isEmpty() || send(sink, batch);
      }
    }

    private boolean send(SpanSink sink, List<Span> batch) {
      boolean isTaken = sink.send(batch);
      if (isTaken) {
        sent.increment(batch.size());
        if (!pause.isZero()) {
          log.atInfo().log("trace collector takes spans again");
        }
        pause = Duration.ZERO;
        return true;
      }
      failed.increment(batch.size());
      if (pause.isZero()) {
        log.atWarn().log("trace collector does not take spans; they are dropped until it does");
      }
      Duration longer = pause.multipliedBy(2);
      pause = pause.isZero() ? PAUSE_MIN : longer.compareTo(PAUSE_MAX) > 0 ? PAUSE_MAX : longer;
      return false;
    }
  }
}
