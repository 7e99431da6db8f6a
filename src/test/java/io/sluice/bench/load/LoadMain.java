package io.sluice.bench.load;

import io.sluice.testkit.process.Affinity;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Sends volleys from this process, one after the other, and prints a line for each result. */
public final class LoadMain {
  /** The first word of the last line. */
  static final String END = "end";

  private static final Duration REHEARSAL = Duration.ofMillis(1_500);
  private static final int REHEARSAL_CONNECTIONS = 64;
  private static final int REHEARSAL_PER_S = 10_000;

  private LoadMain() {}

  /** Takes the words of each {@link LoadSpec}. */
  public static void main(String[] args) throws InterruptedException {
    List<LoadSpec> volleys = new ArrayList<>();
    List<String> words = List.of(args);
    for (int at = 0; at < args.length; at += LoadSpec.WORDS) {
      volleys.add(LoadSpec.parse(words.subList(at, at + LoadSpec.WORDS)));
    }
    int processor = Integer.getInteger("processor", -1);
    if (processor >= 0) {
      Affinity.bind(ProcessHandle.current().pid(), String.valueOf(processor));
    }
    Duration all = volleys.stream().map(LoadSpec::length).reduce(Duration.ZERO, Duration::plus);
    if (all.compareTo(REHEARSAL) > 0) {
      rehearse(volleys.get(0));
    }
    for (LoadSpec volley : volleys) {
      System.out.println(run(volley).line());
    }
    System.out.println(END + " of all volleys");
    System.exit(0);
  }

  /**
   * The code of a generator that has just started is not compiled yet: for a second it would be
   * late itself, and count that as the server's delay. Shorter volleys warm up servers.
   */
  private static void rehearse(LoadSpec volley) throws InterruptedException {
    try (ConstantServer server = ConstantServer.start()) {
      run(
          volley
              .at(server.url())
              .lasting(REHEARSAL)
              .over(Math.min(volley.connections(), REHEARSAL_CONNECTIONS))
              .arriving(Math.min(volley.ratePerS(), REHEARSAL_PER_S)));
    }
  }

  private static Heard run(LoadSpec volley) throws InterruptedException {
    URI target = URI.create(volley.url());
    return new LoadLoop(volley).run(target.getHost(), target.getPort());
  }
}
