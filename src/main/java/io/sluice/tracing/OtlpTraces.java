package io.sluice.tracing;

import io.sluice.config.TracingConfig;
import io.sluice.metrics.Meters;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Traces that are sent to a collector. Thread-safe. */
public final class OtlpTraces implements Traces {
  private final HeadSampling sampling;
  private final SecondBudget failures;
  private final SecondBudget refusals;
  private final SecondBudget asked;
  private final SpanQueue queue;

  OtlpTraces(
      TracingConfig config,
      Supplier<SpanQueue.SpanSink> sink,
      Meters meters,
      LongSupplier nanoTime) {
    this.sampling = HeadSampling.of(config.sampleOneIn());
    this.failures = new SecondBudget(config.failuresPerS(), nanoTime);
    this.refusals = new SecondBudget(config.failuresPerS(), nanoTime);
    this.asked = new SecondBudget(config.askedPerS(), nanoTime);
    this.queue = new SpanQueue(config.queueMax(), sink, meters, nanoTime);
  }

  /**
   * Begins to send; nothing waits for the collector.
   *
   * @param instance the name that distinguishes this process from others
   */
  public static OtlpTraces open(
      TracingConfig config,
      String instance,
      Meters meters,
      InstantSource clock,
      LongSupplier nanoTime) {
    return new OtlpTraces(
        config, () -> new OtlpSink(config, instance, clock, nanoTime), meters, nanoTime);
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

  /** So many a second, and not more. Thread-safe; allocates nothing. */
  static final class SecondBudget {
    private static final long NANOS_PER_S = 1_000_000_000;
    private static final int COUNT_BITS = 24;
    private static final long COUNT_MASK = (1L << COUNT_BITS) - 1;

    private final int perSecond;
    private final LongSupplier nanoTime;
    private final long startNanos;

    /** The second, counted from the start, and below it how many were taken in it. */
    private final AtomicLong taken = new AtomicLong();

    /**
     * @param perSecond less than 2^24
     */
    SecondBudget(int perSecond, LongSupplier nanoTime) {
      this.perSecond = perSecond;
      this.nanoTime = nanoTime;
      this.startNanos = nanoTime.getAsLong();
    }

    /** Takes one, if there is one left in this second. */
    boolean take() {
      long second = (nanoTime.getAsLong() - startNanos) / NANOS_PER_S;
      while (true) {
        long before = taken.get();
        long count = before >>> COUNT_BITS == second ? before & COUNT_MASK : 0;
        if (count >= perSecond) {
          return false;
        }
        if (taken.compareAndSet(before, second << COUNT_BITS | (count + 1))) {
          return true;
        }
      }
    }
  }
}
