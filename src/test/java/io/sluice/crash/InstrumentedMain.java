package io.sluice.crash;

import io.sluice.Main;
import java.nio.file.Path;

/**
 * The service, as a process that can be told to die, stop or fail at a named step.
 *
 * <p>It polls the file named by {@link #ORDERS} for what to do, and appends each step that it takes
 * for the first time to the file named by {@link #TRAIL}.
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
