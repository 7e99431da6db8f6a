package io.sluice.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.kafka.GroupMembers;
import io.sluice.testkit.site.SaleSite;
import io.sluice.testkit.site.SluiceProcess;
import io.sluice.testkit.site.SluiceProcess.TestMain;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** One instance that follows orders at its steps; it is restarted after each death. */
final class Suspect {
  private static final Duration LOOK_EVERY = Duration.ofMillis(50);
  private static final Duration TOLD_LIMIT = Duration.ofSeconds(10);
  private static final Duration POLL = Duration.ofMillis(5);

  private final SluiceProcess process;
  private final Path orders;
  private final Path trail;

  Suspect(SaleSite site, Path folder, String name, Map<String, String> settings) {
    this.orders = folder.resolve(name + ".orders");
    this.trail = folder.resolve(name + ".trail");
    write("");
    var properties =
        Map.of(
            InstrumentedMain.ORDERS, orders.toString(), InstrumentedMain.TRAIL, trail.toString());
    this.process = site.newInstance(settings, new TestMain(InstrumentedMain.class, properties));
  }

  SluiceProcess process() {
    return process;
  }

  /**
   * Sets the orders; they are in force when this returns, or from the next start where the instance
   * is down. Not while it is stopped.
   */
  void tell(List<String> lines) {
    String text = String.join("\n", lines);
    write(text);
    if (process.isAlive()) {
      await()
          .atMost(TOLD_LIMIT)
          .pollDelay(Duration.ZERO)
          .pollInterval(POLL)
          .until(() -> knows(text));
    }
  }

  private boolean knows(String text) throws IOException {
    Path read = Steps.acknowledged(orders);
    return !process.isAlive() || (Files.exists(read) && Files.readString(read).equals(text));
  }

  private void write(String text) {
    try {
      Path draft = orders.resolveSibling(orders.getFileName() + ".draft");
      Files.writeString(draft, text);
      Files.move(
          draft, orders, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException unwritable) {
      throw new UncheckedIOException(unwritable);
    }
  }

  void revive() {
    if (!process.isAlive()) {
      process.start();
    }
  }

  /**
   * Starts it without members of the group that are dead, and waits until it is killed at a step.
   */
  void startToBeKilledAt(String step, GroupMembers group, Duration limit) {
    tell(List.of(new Steps.Order(Steps.Verb.KILL, step).toString()));
    group.evict();
    process.start();
    await("killed at " + step).atMost(limit).until(this::isDead);
    expectKilledAt(step);
  }

  boolean isDead() {
    return process.isDeadWithin(LOOK_EVERY);
  }

  void expectKilledAt(String step) {
    assertThat(process.exitCode()).as("exit code at %s", step).isEqualTo(Steps.KILLED);
    assertThat(process.log().lines().filter(line -> line.startsWith(Steps.LAST_WORDS)))
        .endsWith(Steps.LAST_WORDS + step);
  }

  /** Every step that it has ever taken. */
  Set<String> trail() {
    try {
      return Files.exists(trail) ? new TreeSet<>(Files.readAllLines(trail)) : Set.of();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  void awaitStoppedAt(String step, Duration limit) {
    await().atMost(limit).until(() -> process.log().contains(Steps.STOPPED + step));
  }
}
