package io.sluice;

import io.sluice.alarm.Part;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells of each part that is away for a while, once when it is away and once when it is back. The
 * alarm says what still works, as everything that needs the part fails meanwhile. It is called by
 * timers of one event loop.
 */
final class PartWatch {
  /** Longer than a connection takes to be opened again. */
  static final Duration TELL_AFTER = Duration.ofSeconds(5);

  private static final Logger log = LoggerFactory.getLogger(PartWatch.class);

  private final LongSupplier nanoTime;
  private final Map<Part, Long> awaySince = new EnumMap<>(Part.class);
  private final Set<Part> told = EnumSet.noneOf(Part.class);

  /**
   * @param nanoTime a monotonic clock
   */
  PartWatch(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** Called as often as it is looked at. */
  void note(Part part, boolean up) {
    long now = nanoTime.getAsLong();
    part.note(!up, now);
    if (up) {
      back(part, now);
      return;
    }
    long since = awaySince.computeIfAbsent(part, first -> now);
    if (now - since >= TELL_AFTER.toNanos() && told.add(part)) {
      part.alarm().raise(log.atError().addKeyValue("part", part.word()));
    }
  }

  private void back(Part part, long now) {
    Long since = awaySince.remove(part);
    if (told.remove(part) && since != null) {
      log.atInfo()
          .addKeyValue("part", part.word())
          .addKeyValue("seconds", TimeUnit.NANOSECONDS.toSeconds(now - since))
          .log("part is back");
    }
  }

  /** From now on nobody looks. */
  void stop() {
    awaySince.clear();
    told.clear();
    for (Part part : Part.values()) {
      part.note(false, nanoTime.getAsLong());
    }
  }
}
