package io.sluice.chaos.fault;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;

/**
 * All faults of a run: kind, target, sequence and length follow from the seed alone. A scene has
 * one fault, so that its time to recover can be measured, or several at once. The run starts each
 * scene when the one before is over.
 */
public record ChaosPlan(long seed, Duration length, List<Scene> scenes) {
  static final int STORM_SETTLES_LATER_MS = 5_000;

  private static final int WARM_UP_MS = 4_000;
  private static final int STORM_EVERY = 4;
  private static final int STORM_MIN = 6;
  private static final int STORM_MAX = 8;
  private static final int STORM_WITHIN_MS = 7_000;
  private static final int STORM_HOLD_MAX_MS = 9_000;
  private static final int DRAWS_MAX = 40;
  private static final Duration SHORT = Duration.ofMinutes(3);
  private static final int SHORT_STORM = 3;
  private static final int OVER_MS = 5_000;

  /**
   * A store that is down when an instance starts is down for one part in this many of the run,
   * within the limits of the kind.
   */
  private static final int AWAY_SHARE = 22;

  /** Kinds are drawn without replacement, so that each comes up about equally often. */
  private static final class Deck {
    private final Random luck;
    private final List<FaultKind> kinds;
    private final Deque<FaultKind> cards = new ArrayDeque<>();

    Deck(Random luck, Collection<FaultKind> possible, Predicate<FaultKind> wanted) {
      this.luck = luck;
      List<FaultKind> all = possible.stream().sorted().toList();
      List<FaultKind> some = all.stream().filter(wanted).toList();
      this.kinds = some.isEmpty() ? all : some;
    }

    FaultKind draw() {
      if (cards.isEmpty()) {
        List<FaultKind> all = new ArrayList<>(kinds);
        Collections.shuffle(all, luck);
        cards.addAll(all);
      }
      return cards.remove();
    }

    /** Puts back kinds that could not be used now, behind the remaining ones. */
    void putBack(List<FaultKind> drawn) {
      cards.addAll(drawn);
    }
  }

  /** Draws one scene after the other. */
  private static final class Dealer {
    private final Duration length;
    private final Random luck;
    private final Deck alone;
    private final Deck mixed;
    private int number;

    Dealer(long seed, Duration length, Set<FaultKind> possible) {
      this.length = length;
      this.luck = new Random(seed);
      boolean isShort = length.compareTo(SHORT) < 0;
      this.alone = new Deck(luck, possible, kind -> !isShort || !kind.isLong());
      this.mixed = new Deck(luck, possible, kind -> kind.mixes() && (!isShort || !kind.isLong()));
    }

    Scene single() {
      FaultKind kind = alone.draw();
      return new Scene(List.of(fault(0, kind, Aim.of(kind, luck), Integer.MAX_VALUE)));
    }

    Scene storm() {
      int size =
          length.compareTo(SHORT) < 0
              ? SHORT_STORM
              : STORM_MIN + luck.nextInt(STORM_MAX - STORM_MIN + 1);
      var faults = new ArrayList<Fault>();
      var crowdedOut = new ArrayList<FaultKind>();
      for (int draw = 0; faults.size() < size && draw < DRAWS_MAX; draw++) {
        FaultKind kind = mixed.draw();
        Aim aim = Aim.of(kind, luck);
        int atMs = luck.nextInt(STORM_WITHIN_MS);
        if (faults.stream().allMatch(fault -> fault.aim().isApartFrom(aim))) {
          faults.add(fault(atMs, kind, aim, STORM_HOLD_MAX_MS));
        } else {
          crowdedOut.add(kind);
        }
      }
      mixed.putBack(crowdedOut);
      return new Scene(faults);
    }

    private Fault fault(int atMs, FaultKind kind, Aim aim, int holdMaxMs) {
      int holdMs = Math.min(kind.holdMs(luck.nextDouble()), holdMaxMs);
      if (kind == FaultKind.INSTANCE_BEFORE_STORE) {
        long away = length.toMillis() / AWAY_SHARE;
        holdMs = (int) Math.min(Math.max(away, kind.holdMinMs()), kind.holdMaxMs());
      }
      return new Fault(++number, atMs, kind, aim, holdMs);
    }
  }

  /** {@code possible} are the kinds that these servers allow. */
  public static ChaosPlan of(long seed, Duration length, Set<FaultKind> possible) {
    var dealer = new Dealer(seed, length, possible);
    var scenes = new ArrayList<Scene>();
    long usedMs = WARM_UP_MS;
    Scene next = dealer.single();
    while (scenes.isEmpty() || usedMs + next.usualMs() <= length.toMillis() + OVER_MS) {
      scenes.add(next);
      usedMs += next.usualMs();
      boolean stormy = scenes.size() % STORM_EVERY == STORM_EVERY - 1;
      next = stormy ? dealer.storm() : dealer.single();
    }
    return new ChaosPlan(seed, length, List.copyOf(scenes));
  }

  public List<Fault> faults() {
    return scenes.stream().flatMap(scene -> scene.faults().stream()).toList();
  }
}
