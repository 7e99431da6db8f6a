package io.sluice.bench.load;

import io.sluice.testkit.process.ChildJvm;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** The generator of everything that has a rate: {@link LoadMain} in a JVM of its own. */
public final class OpenLoop implements AutoCloseable {
  private static final Duration START_LIMIT = Duration.ofMinutes(4);
  private static final Duration GRACE = Duration.ofSeconds(60);
  private static final List<String> JVM = List.of("-Xmx512m", "-XX:+UseSerialGC");

  private final LoadSpec volley;
  private final ChildJvm child;

  private OpenLoop(LoadSpec volley, ChildJvm child) {
    this.volley = volley;
    this.child = child;
  }

  /** Returns when the first order is due; {@code processor}: the one to run on, -1 for any. */
  public static OpenLoop start(LoadSpec volley, int processor) {
    List<String> words =
        Stream.concat(Stream.of(String.valueOf(processor)), volley.words().stream()).toList();
    OpenLoop running = new OpenLoop(volley, ChildJvm.start("load", JVM, LoadMain.class, words));
    try {
      running.child.awaitLine(LoadMain.BEGIN, START_LIMIT);
      return running;
    } catch (AssertionError e) {
      running.close();
      throw e;
    }
  }

  /** Waits until all is answered, or given up. */
  public Heard awaitEnd() {
    Duration limit = volley.length().plusMillis(volley.payAfterMs()).plus(GRACE);
    return Heard.parse(child.awaitLine(Heard.WORD, limit));
  }

  @Override
  public void close() {
    child.close();
  }
}
