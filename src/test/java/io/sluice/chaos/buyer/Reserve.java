package io.sluice.chaos.buyer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * How many buyers may be under way at once, so that the processors of the machine keep a reserve:
 * where they are busy all the time, the length of a recovery tells more about the machine than
 * about the service. Where the machine does not tell, it is always the most.
 */
final class Reserve {
  static final int MOST = 300;
  static final int LEAST = 100;
  private static final int FEWER = 20;
  private static final int MORE = 5;
  private static final double SHORT = 0.05;
  private static final double AMPLE = 0.2;
  private static final Path STAT = Path.of("/proc/stat");
  private static final int IDLE = 3;
  private static final int WAITS_FOR_DISK = 4;

  /** Processor time since the machine has started, in ticks. */
  record Ticks(long idle, long all) {
    /** The first line of {@code /proc/stat}. */
    static Ticks of(String line) {
      long[] spent =
          Stream.of(line.trim().split(" +")).skip(1).mapToLong(Long::parseLong).toArray();
      return new Ticks(spent[IDLE] + spent[WAITS_FOR_DISK], LongStream.of(spent).sum());
    }
  }

  private final Supplier<Optional<Ticks>> machine;
  private Optional<Ticks> last = Optional.empty();
  private volatile int allowed = MOST;
  private volatile int fewest = MOST;

  Reserve(Supplier<Optional<Ticks>> machine) {
    this.machine = machine;
  }

  static Reserve ofThisMachine() {
    return new Reserve(Reserve::read);
  }

  /** The number of buyers; from any thread. */
  int allowed() {
    return allowed;
  }

  /** The lowest number so far. */
  int fewest() {
    return fewest;
  }

  /** To be called once a second, on one thread. */
  void look() {
    Optional<Ticks> now = machine.get();
    if (now.isPresent() && last.isPresent() && now.get().all() > last.get().all()) {
      double idle = now.get().idle() - last.get().idle();
      double share = idle / (now.get().all() - last.get().all());
      if (share < SHORT) {
        allowed = Math.max(LEAST, allowed - FEWER);
      } else if (share > AMPLE) {
        allowed = Math.min(MOST, allowed + MORE);
      }
      fewest = Math.min(fewest, allowed);
    }
    last = now;
  }

  private static Optional<Ticks> read() {
    try (Stream<String> lines = Files.lines(STAT)) {
      return lines.findFirst().map(Ticks::of);
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
