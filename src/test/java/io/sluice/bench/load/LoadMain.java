package io.sluice.bench.load;

import io.sluice.testkit.process.Affinity;
import java.time.Duration;
import java.util.List;

/** Sends a volley from this process and prints what was heard. */
public final class LoadMain {
  /** The first word of the line that is printed when the first order is due. */
  static final String BEGIN = "begin";

  private static final Duration REHEARSAL = Duration.ofMillis(1_500);
  private static final int REHEARSAL_CONNECTIONS = 64;
  private static final int REHEARSAL_PER_S = 5_000;
  private static final int REHEARSED_PAYMENT_MS = 100;

  private LoadMain() {}

  /** Takes a processor to bind itself to, -1 for any, and the words of a {@link LoadSpec}. */
  public static void main(String[] args) throws InterruptedException {
    List<String> words = List.of(args);
    LoadSpec volley = LoadSpec.parse(words.subList(1, words.size()));
    if (!words.get(0).equals("-1")) {
      Affinity.bind(ProcessHandle.current().pid(), words.get(0));
    }
    rehearse(volley);
    Heard heard = new LoadLoop(volley).run(() -> System.out.println(BEGIN + " of the volley"));
    System.out.println(heard.line());
    System.exit(0);
  }

  /**
   * The code of a generator that has just started is not compiled yet: for a second it would be
   * late itself, and count that as the server's delay.
   */
  private static void rehearse(LoadSpec volley) throws InterruptedException {
    try (ConstantServer server = ConstantServer.start()) {
      LoadSpec rehearsal =
          volley
              .at(server.url())
              .lasting(REHEARSAL)
              .over(Math.min(volley.connections(), REHEARSAL_CONNECTIONS))
              .arriving(volley.perS() == 0 ? 0 : REHEARSAL_PER_S)
              .paidAfter(volley.payAfterMs() > 0 ? REHEARSED_PAYMENT_MS : 0, 0);
      new LoadLoop(rehearsal).run(() -> {});
    }
  }
}
