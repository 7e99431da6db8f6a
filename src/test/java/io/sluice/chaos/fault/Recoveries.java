package io.sluice.chaos.fault;

import io.sluice.chaos.buyer.Prober;
import io.sluice.chaos.fault.FaultInjector.Strike;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/** Waits for the end of each fault's effects, and checks the limits for faults that were alone. */
public final class Recoveries {
  /** Limit from the end of a fault that was alone until all instances and partitions serve. */
  public static final Duration RECOVERY_MAX = Duration.ofSeconds(20);

  /** Limit from the end of an instance until the others have taken over its partitions. */
  public static final Duration TAKEOVER_MAX = Duration.ofSeconds(15);

  /** In a shorter run all JVMs are cold: what they do first takes twice as long, or more. */
  private static final Duration WARM_AFTER = Duration.ofMinutes(5);

  private static final Duration WAIT_MAX = Duration.ofSeconds(120);
  private static final Duration LOOK_EVERY = Duration.ofMillis(500);

  private final Prober prober;
  private final int partitions;
  private final Consumer<String> tell;
  private final List<Recovery> all = new ArrayList<>();

  public Recoveries(Prober prober, int partitions, Consumer<String> tell) {
    this.prober = prober;
    this.partitions = partitions;
    this.tell = tell;
  }

  /** Returns when the effects of all these faults, which were injected together, are over. */
  public void await(List<Strike> strikes) {
    var last = new ArrayList<Recovery>();
    try {
      Awaitility.await()
          .atMost(WAIT_MAX)
          .pollDelay(LOOK_EVERY)
          .pollInterval(LOOK_EVERY)
          .ignoreExceptions()
          .until(
              () -> {
                List<Recovery> now = of(strikes);
                last.clear();
                last.addAll(now);
                return now.stream().allMatch(Recovery::isOver);
              });
    } catch (ConditionTimeoutException e) {
      tell.accept("not recovered after " + WAIT_MAX);
    }
    last.forEach(
        recovery -> tell.accept("over: " + recovery.strike().fault() + ", " + times(recovery)));
    all.addAll(last);
  }

  public List<Recovery> all() {
    return List.copyOf(all);
  }

  /** Faults without a recovery. */
  public List<String> unrecovered() {
    return all.stream().filter(recovery -> !recovery.isOver()).map(Recovery::toString).toList();
  }

  /** Faults that were alone and whose effects lasted longer than the limits. */
  public List<String> tooLong(Duration runLength) {
    Duration recoveryMax = RECOVERY_MAX.multipliedBy(slack(runLength));
    Duration takeoverMax = TAKEOVER_MAX.multipliedBy(slack(runLength));
    var breaches = new ArrayList<String>();
    for (Recovery recovery : all) {
      if (recovery.alone()) {
        if (exceeds(recovery.recoveryMs(), recoveryMax)) {
          breaches.add("recovered after more than %s: %s".formatted(recoveryMax, recovery));
        }
        if (exceeds(recovery.takeoverMs(), takeoverMax)) {
          breaches.add("handed over after more than %s: %s".formatted(takeoverMax, recovery));
        }
      }
    }
    return breaches;
  }

  /** By how much the limits are multiplied in a run of this length. */
  private static int slack(Duration runLength) {
    return runLength.compareTo(WARM_AFTER) < 0 ? 2 : 1;
  }

  /** The limits in a run of this length, for its report. */
  public static String limits(Duration runLength) {
    return "recovered within %d s, handed over within %d s"
        .formatted(
            RECOVERY_MAX.toSeconds() * slack(runLength),
            TAKEOVER_MAX.toSeconds() * slack(runLength));
  }

  private List<Recovery> of(List<Strike> strikes) {
    long sinceMs = strikes.stream().mapToLong(Strike::struckMs).min().orElse(0);
    var probes = prober.booked(sinceMs);
    return strikes.stream()
        .map(strike -> Recovery.of(strike, strikes.size() == 1, probes, partitions))
        .toList();
  }

  private static boolean exceeds(OptionalLong timeMs, Duration limit) {
    return timeMs.orElse(0) > limit.toMillis();
  }

  private static String times(Recovery recovery) {
    return "recovered %s, handed over %s"
        .formatted(text(recovery.recoveryMs()), text(recovery.takeoverMs()));
  }

  private static String text(OptionalLong timeMs) {
    return timeMs.isPresent() ? "after %.1f s".formatted(timeMs.getAsLong() / 1e3) : "-";
  }
}
