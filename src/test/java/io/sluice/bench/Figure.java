package io.sluice.bench;

import java.util.Arrays;
import java.util.Optional;

/** What a row measures; each has the same meaning in every row. */
public enum Figure {
  /** Answers, grants or lives, as the row says. */
  RATE("a second", true, 0.10),
  /** Of the rate, to what the row is measured beside. */
  RATIO("ratio", true, 0.10),
  /** Of {@link #ALL}, to that of what the row is measured beside. */
  COST_RATIO("us ratio", false, 0.10),
  /** From when an order was due to its yes; of refusals to the no. */
  YES_P50("yes p50 ms", false, 0.15),
  YES_P99("yes p99 ms", false, 0.40),
  /** From when a payment was due to its answer. */
  PAY_P50("payment p50 ms", false, 0.15),
  PAY_P99("payment p99 ms", false, 0.40),
  /** Processor time of the four together. */
  ALL("us an order", false, 0.06),
  SERVICE("us service", false, 0.08),
  REDIS("us Redis", false, 0.10),
  KAFKA("us Kafka", false, 0.10),
  /** MariaDB or MySQL. */
  DATABASE("us database", false, 0.10),
  /** Of the order log. */
  RECORDS("records an order", false, 0.05),
  STATEMENTS("SQL statements an order", false, 0.05),
  SCRIPTS("script calls an order", false, 0.05),
  /** Orders booked from a backlog while none arrive. */
  BOOKED("booked a second", true, 0.10),
  /** Of one processor, by the service. */
  IDLE("idle percent", false, 0.15),
  /** From when an empty Redis answers until an order is granted. */
  OPEN("open again after s", false, 0.15),
  /** From an unpaid order's deadline until its unit is on sale. */
  RELEASE_P50("release p50 ms", false, 0.15),
  RELEASE_P99("release p99 ms", false, 0.40);

  private final String words;
  private final boolean moreIsBetter;
  private final double noise;

  Figure(String words, boolean moreIsBetter, double noise) {
    this.words = words;
    this.moreIsBetter = moreIsBetter;
    this.noise = noise;
  }

  static Optional<Figure> named(String words) {
    return Arrays.stream(values()).filter(figure -> figure.words.equals(words)).findFirst();
  }

  /** As in reports and goals. */
  public String words() {
    return words;
  }

  /** Of one part; {@link #ALL} is their sum. */
  public boolean isProcessorTime() {
    return this == SERVICE || this == REDIS || this == KAFKA || this == DATABASE;
  }

  /** By how much the median was better before, as a part of it; negative if it was worse. */
  double loss(double before, double now) {
    if (before == 0) {
      return 0;
    }
    return (moreIsBetter ? before - now : now - before) / before;
  }

  /** Whether it fell by more than it differs from run to run. */
  boolean hasFallen(Spread before, Spread now) {
    boolean isOutside = moreIsBetter ? now.median() < before.min() : now.median() > before.max();
    return isOutside && loss(before.median(), now.median()) > noise;
  }
}
