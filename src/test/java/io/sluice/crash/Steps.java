package io.sluice.crash;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/** The steps of a victim, and what happens at them. Thread-safe. */
final class Steps {
  /**
   * The last line of the thread that is at the step at which the process is killed, which follows;
   * other threads may still write one.
   */
  static final String LAST_WORDS = "killed at ";

  static final String STOPPED = "stopped at ";

  /** The exit code after kill -9. */
  static final int KILLED = 137;

  private static final Duration LOOK_EVERY = Duration.ofMillis(5);

  /** What happens at a step. */
  enum Verb {
    /** The process ends at once, as by kill -9. */
    KILL,
    /** It stops there by SIGSTOP, once. */
    STOP,
    /** The call is not made, and fails. */
    FAIL
  }

  /** One line of the orders: a verb and a step. */
  record Order(Verb verb, String step) {
    static Order parse(String line) {
      String[] words = line.split(" ", 2);
      return new Order(Verb.valueOf(words[0]), words[1]);
    }

    @Override
    public String toString() {
      return verb + " " + step;
    }
  }

  private final Path ordersFile;
  private final Path trail;
  private final Set<String> taken = ConcurrentHashMap.newKeySet();
  private final Set<Order> done = ConcurrentHashMap.newKeySet();
  private volatile List<Order> orders = List.of();
  private String read = "none yet";

  Steps(Path ordersFile, Path trail) {
    this.ordersFile = ordersFile;
    this.trail = trail;
  }

  /** The file with the orders that are in force. */
  static Path acknowledged(Path ordersFile) {
    return ordersFile.resolveSibling(ordersFile.getFileName() + ".read");
  }

  /** Watches for new orders; the present ones are in force when this returns. */
  void watchOrders() {
    look();
    Thread watch = new Thread(this::watch, "crash-orders");
    watch.setDaemon(true);
    watch.start();
  }

  private void watch() {
    while (true) {
      look();
      LockSupport.parkNanos(LOOK_EVERY.toNanos());
    }
  }

  private void look() {
    try {
      String text = Files.readString(ordersFile);
      if (!text.equals(read)) {
        read = text;
        orders =
            Arrays.stream(text.split("\n"))
                .filter(line -> !line.isBlank())
                .map(Order::parse)
                .toList();
        Files.writeString(acknowledged(ordersFile), text);
      }
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /** Called at each step, on the thread that takes it; returns only if the process may continue. */
  void reached(String step) {
    if (taken.add(step)) {
      note(step);
    }
    for (Order order : orders) {
      if (order.step().equals(step) || isAgain(step, order.step())) {
        obey(order);
      }
    }
  }

  /** A repeated transaction is not attributed to a call, so its statements are matched alone. */
  private static boolean isAgain(String step, String ordered) {
    String nobodys = TappedPorts.NO_CALL + "/";
    return step.startsWith(nobodys)
        && !step.endsWith("/commit")
        && ordered.endsWith("/" + step.substring(nobodys.length()));
  }

  boolean fails(String call) {
    return orders.contains(new Order(Verb.FAIL, call));
  }

  private void obey(Order order) {
    if (order.verb() == Verb.KILL) {
      System.out.println(LAST_WORDS + order.step());
      Runtime.getRuntime().halt(KILLED);
    }
    if (order.verb() == Verb.STOP) {
      stopOnce(order);
    }
  }

  /** Other threads that take the step wait: none may pass it before the process has stopped. */
  private synchronized void stopOnce(Order order) {
    if (done.add(order)) {
      System.out.println(STOPPED + order.step());
      stop();
    }
  }

  private static void stop() {
    try {
      new ProcessBuilder("kill", "-STOP", String.valueOf(ProcessHandle.current().pid()))
          .start()
          .waitFor();
    } catch (IOException noSuchProgram) {
      throw new UncheckedIOException(noSuchProgram);
    } catch (InterruptedException nobodyDoes) {
      Thread.currentThread().interrupt();
    }
  }

  private void note(String step) {
    try {
      Files.write(
          trail,
          (step + "\n").getBytes(StandardCharsets.UTF_8),
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException unwritable) {
      throw new UncheckedIOException(unwritable);
    }
  }
}
