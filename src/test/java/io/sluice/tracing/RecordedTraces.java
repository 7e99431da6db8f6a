package io.sluice.tracing;

import io.sluice.tracing.OtlpTraces.HeadSampling;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** Traces that are kept, and what they take. */
public final class RecordedTraces implements Traces {
  private final HeadSampling sampling;
  private final List<Span> spans = new CopyOnWriteArrayList<>();
  public volatile int failuresLeft = 100;
  public volatile int askedLeft = 100;

  private RecordedTraces(HeadSampling sampling) {
    this.sampling = sampling;
  }

  /** Of every order. */
  public static RecordedTraces ofAll() {
    return new RecordedTraces(HeadSampling.of(1));
  }

  /** Of no order whose trace nobody asks for. */
  public static RecordedTraces ofNone() {
    return new RecordedTraces(HeadSampling.of(0));
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
  public synchronized boolean takesFailure(boolean busy) {
    return failuresLeft-- > 0;
  }

  @Override
  public synchronized boolean takesAsked() {
    return askedLeft-- > 0;
  }

  @Override
  public void record(Span span) {
    spans.add(span);
  }

  /** All spans so far, in the order of their ends. */
  public List<Span> spans() {
    return List.copyOf(spans);
  }

  /** The names of all spans so far. */
  public List<String> names() {
    return spans.stream().map(Span::name).toList();
  }

  /** The only span of this name. */
  public Span only(String name) {
    List<Span> named = spans.stream().filter(span -> span.name().equals(name)).toList();
    if (named.size() != 1) {
      throw new AssertionError("Expected one span " + name + ", but got " + spans);
    }
    return named.get(0);
  }

  /** The attributes of the only span of this name. */
  public Map<String, Object> attributes(String name) {
    return only(name).attributes();
  }
}
