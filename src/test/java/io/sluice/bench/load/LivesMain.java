package io.sluice.bench.load;

import java.time.Duration;
import java.util.List;

/** Orders and confirms from this process, once. */
public final class LivesMain {
  /** The first word of the line that is printed when the first order is due. */
  static final String BEGIN = "begin";

  private static final Duration REHEARSAL = Duration.ofMillis(1_500);
  private static final Duration PAY_AFTER = Duration.ofMillis(100);
  private static final int REHEARSAL_PER_S = 5_000;

  private LivesMain() {}

  /** Takes the words of a {@link LivesSpec}. */
  public static void main(String[] args) throws InterruptedException {
    LivesSpec spec = LivesSpec.parse(List.of(args));
    rehearse(spec);
    LivesHeard heard =
        new LivesLoop(spec).run(() -> System.out.println(BEGIN + " of the first order"));
    System.out.println(heard.line());
    System.exit(0);
  }

  /** As {@link LoadMain} does. */
  private static void rehearse(LivesSpec spec) throws InterruptedException {
    try (ConstantServer server = ConstantServer.start()) {
      LoadSpec orders = spec.orders().at(server.url()).lasting(REHEARSAL).arriving(REHEARSAL_PER_S);
      new LivesLoop(new LivesSpec(orders, PAY_AFTER, spec.payingMax())).run(() -> {});
    }
  }
}
