package io.sluice.bench.load;

import io.sluice.testkit.process.Affinity;
import java.net.URI;
import java.time.Duration;

/** Sends one volley from this process and prints the result on one line. */
public final class LoadMain {
  private static final Duration REHEARSAL = Duration.ofMillis(1_500);
  private static final int REHEARSAL_CONNECTIONS = 64;
  private static final int REHEARSAL_PER_S = 10_000;

  private LoadMain() {}

  /** Takes the fields of a {@link LoadSpec}, the length in milliseconds. */
  public static void main(String[] args) throws InterruptedException {
    LoadSpec volley =
        new LoadSpec(
            args[0],
            Integer.parseInt(args[1]),
            Duration.ofMillis(Long.parseLong(args[2])),
            Integer.parseInt(args[3]),
            Buyers.valueOf(args[4]),
            args[5],
            Long.parseLong(args[6]),
            Integer.parseInt(args[7]));
    int processor = Integer.getInteger("processor", -1);
    if (processor >= 0) {
      Affinity.bind(ProcessHandle.current().pid(), String.valueOf(processor));
    }
    rehearse(volley);
    System.out.println(run(volley).line());
    System.exit(0);
  }

  /**
   * The code of a generator that has just started is not compiled yet: for a second it would be
   * late itself, and count that as the server's delay.
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
