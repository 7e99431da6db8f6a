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
    return fire(List.of(volley)).get(0);
  }

  /** Sends volleys one after the other from one JVM, which is cold only once. */
  public List<Heard> fire(List<LoadSpec> volleys) {
    List<String> arguments = volleys.stream().flatMap(volley -> volley.words().stream()).toList();
    Duration all = volleys.stream().map(LoadSpec::length).reduce(Duration.ZERO, Duration::plus);
    try (ChildJvm child = ChildJvm.start("load", jvm, LoadMain.class, arguments)) {
      child.awaitLine(LoadMain.END, all.plus(GRACE));
      return child
          .output()
          .lines()
          .filter(line -> line.startsWith(Heard.WORD))
          .map(line -> Heard.parse(line.substring(Heard.WORD.length())))
          .toList();
    }
  }
}
