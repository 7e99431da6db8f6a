package io.sluice.bench.load;

import io.sluice.testkit.process.ChildJvm;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** Runs {@link LoadMain} in a JVM of its own; needs only a JDK. */
public final class OwnGenerator implements Generator {
  private static final Duration GRACE = Duration.ofSeconds(40);
  private static final List<String> JVM = List.of("-Xmx256m", "-XX:+UseSerialGC");

  private final List<String> jvm;

  public OwnGenerator() {
    this(-1);
  }

  /** One that binds itself to this processor, -1 for any. */
  public OwnGenerator(int processor) {
    jvm = Stream.concat(JVM.stream(), Stream.of("-Dprocessor=" + processor)).toList();
  }

  @Override
  public String name() {
    return "own generator (Netty, one thread)";
  }

  @Override
  public boolean leavesSomeUnheard() {
    return false;
  }

  @Override
  public Heard fire(LoadSpec volley) {
    List<String> arguments =
        List.of(
            volley.url(),
            String.valueOf(volley.connections()),
            String.valueOf(volley.length().toMillis()),
            String.valueOf(volley.ratePerS()),
            volley.kind().name(),
            volley.buyers(),
            String.valueOf(volley.firstSku()),
            String.valueOf(volley.skus()));
    try (ChildJvm child = ChildJvm.start("load", jvm, LoadMain.class, arguments)) {
      return Heard.parse(child.awaitLine(Heard.WORD, volley.length().plus(GRACE)));
    }
  }
}
