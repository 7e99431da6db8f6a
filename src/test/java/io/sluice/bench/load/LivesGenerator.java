package io.sluice.bench.load;

import io.sluice.testkit.process.ChildJvm;
import java.time.Duration;
import java.util.List;

/** Runs {@link LivesMain} in a JVM of its own while its caller watches the service. */
public final class LivesGenerator implements AutoCloseable {
  private static final Duration START_LIMIT = Duration.ofSeconds(40);
  private static final Duration GRACE = Duration.ofSeconds(60);
  private static final List<String> JVM = List.of("-Xmx512m", "-XX:+UseSerialGC");

  private final LivesSpec spec;
  private final ChildJvm child;

  private LivesGenerator(LivesSpec spec) {
    this.spec = spec;
    this.child = ChildJvm.start("lives", JVM, LivesMain.class, spec.words());
  }

  /** Returns when the first order is due. */
  public static LivesGenerator start(LivesSpec spec) {
    LivesGenerator generator = new LivesGenerator(spec);
    try {
      generator.child.awaitLine(LivesMain.BEGIN, START_LIMIT);
      return generator;
    } catch (AssertionError e) {
      generator.close();
      throw e;
    }
  }

  /** Waits until all is answered, or given up. */
  public LivesHeard awaitEnd() {
    Duration limit = spec.orders().length().plus(spec.payAfter()).plus(GRACE);
    return LivesHeard.parse(child.awaitLine(LivesHeard.WORD, limit));
  }

  @Override
  public void close() {
    child.close();
  }
}
