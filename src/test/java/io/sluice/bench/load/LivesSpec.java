package io.sluice.bench.load;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * Whole lives of orders: they arrive at a rate, and of ten that are granted nine are confirmed by
 * the back office a while later; nobody pays for the tenth.
 *
 * @param orders how they arrive
 * @param payAfter from the answer to the confirmation
 * @param payingMax connections of those who confirm
 */
public record LivesSpec(LoadSpec orders, Duration payAfter, int payingMax) {
  /** Of so many grants, one is left to time out. */
  public static final int UNPAID_ONE_IN = 10;

  /** Fields as arguments of a command. */
  List<String> words() {
    return Stream.concat(
            orders.words().stream(), Stream.of(payAfter.toMillis(), payingMax).map(String::valueOf))
        .toList();
  }

  /** What {@link #words} made. */
  static LivesSpec parse(List<String> words) {
    return new LivesSpec(
        LoadSpec.parse(words.subList(0, LoadSpec.WORDS)),
        Duration.ofMillis(Long.parseLong(words.get(LoadSpec.WORDS))),
        Integer.parseInt(words.get(LoadSpec.WORDS + 1)));
  }

  /** Whether the buyer of this grant pays; grants are numbered from 0. */
  static boolean isPaid(long grant) {
    return grant % UNPAID_ONE_IN != UNPAID_ONE_IN - 1;
  }
}
