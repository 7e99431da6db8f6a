package io.sluice.crash;

import io.sluice.Main;
import java.nio.file.Path;

/**
 * The service, as a process that can be told to die, to stop or to fail at a named step.
 *
 * <p>What it is told stands in the file that {@link #ORDERS} names, which it looks at all the time;
 * every step that it takes for the first time, it writes to the file that {@link #TRAIL} names.
 */
public final class InstrumentedMain {
  static final String ORDERS = "sluice.crash.orders";
  static final String TRAIL = "sluice.crash.trail";

  private InstrumentedMain() {}

  public static void main(String[] args) {
    Steps steps = new Steps(path(ORDERS), path(TRAIL));
    steps.watchOrders();
    Main.run(args, new TappedPorts(steps));
  }

  private static Path path(String property) {
    return Path.of(System.getProperty(property));
  }
}
