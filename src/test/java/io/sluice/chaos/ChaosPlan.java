package io.sluice.chaos;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Random;

/** All faults of a run: kind, target, moment and length follow from the seed alone. */
record ChaosPlan(long seed, Duration length, List<Fault> faults) {
  private static final int WARM_UP_MS = 4_000;
  private static final int GAP_MIN_MS = 3_500;
  private static final int GAP_MAX_MS = 8_000;
  private static final double PAIR_CHANCE = 0.25;

  /** Drawn from a deck, so that each kind comes up about equally often. */
  private static final class Deck {
    private final Random luck;
    private final Deque<FaultKind> cards = new ArrayDeque<>();

    Deck(Random luck) {
      this.luck = luck;
    }

    FaultKind draw() {
      if (cards.isEmpty()) {
        List<FaultKind> all = new ArrayList<>(Arrays.asList(FaultKind.values()));
        Collections.shuffle(all, luck);
        cards.addAll(all);
      }
      return cards.remove();
    }
  }

  static ChaosPlan of(long seed, Duration length) {
    var luck = new Random(seed);
    var deck = new Deck(luck);
    var faults = new ArrayList<Fault>();
    long atMs = WARM_UP_MS;
    while (atMs < length.toMillis()) {
      Fault fault = fault(faults.size() + 1, atMs, deck.draw(), luck);
      faults.add(fault);
      boolean paired = luck.nextDouble() < PAIR_CHANCE;
      Fault second = fault(faults.size() + 1, atMs + luck.nextInt(1_000), deck.draw(), luck);
      if (paired && !second.target().equals(fault.target())) {
        faults.add(second);
      }
      atMs += fault.holdMs() + GAP_MIN_MS + luck.nextInt(GAP_MAX_MS - GAP_MIN_MS);
    }
    return new ChaosPlan(seed, length, List.copyOf(faults));
  }

  private static Fault fault(int number, long atMs, FaultKind kind, Random luck) {
    int instance = luck.nextInt(Targets.INSTANCES);
    String server = Targets.SERVERS.get(luck.nextInt(Targets.SERVERS.size()));
    String target =
        switch (kind.part()) {
          case INSTANCE -> Targets.instance(instance);
          case LINK -> Targets.link(instance, server);
          case REDIS -> Targets.REDIS;
          case KAFKA -> Targets.KAFKA;
          case DATABASE -> Targets.DATABASE;
        };
    return new Fault(number, atMs, kind, target, kind.holdMs(luck.nextDouble()));
  }
}
