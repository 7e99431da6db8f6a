package io.sluice.demo;

import io.sluice.testkit.site.Answer;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** What the buyers of a stampede were told, and how fast. */
final class Tally {
  private final LongAdder requests = new LongAdder();
  private final LongAdder granted = new LongAdder();
  private final LongAdder repeated = new LongAdder();
  private final LongAdder contradictions = new LongAdder();
  private final Map<String, LongAdder> refused = new ConcurrentHashMap<>();
  private final Map<String, LongAdder> outcomes = new ConcurrentHashMap<>();
  private final Set<String> tokens = ConcurrentHashMap.newKeySet();
  private final long[] tookNs;
  private final AtomicInteger took = new AtomicInteger();

  Tally(int requestsMax) {
    this.tookNs = new long[requestsMax];
  }

  /** An answer to a request for a unit. */
  void heard(Answer answer) {
    requests.increment();
    int slot = took.getAndIncrement();
    if (slot < tookNs.length) {
      tookNs[slot] = answer.took().toNanos();
    }
    if (answer.status() == 201) {
      granted.increment();
      tokens.add(answer.token());
    } else if (answer.isYes()) {
      repeated.increment();
    } else {
      refused.computeIfAbsent(nameOf(answer), any -> new LongAdder()).increment();
    }
  }

  /** The answer to the same request once more, which must be the same. */
  void heardAgain(Answer first, Answer again) {
    heard(again);
    if (first.isYes() && !(again.isYes() && again.token().equals(first.token()))) {
      contradictions.increment();
    }
  }

  /** What a payment or a cancel came to. */
  void ended(String wish, Answer answer) {
    outcomes.computeIfAbsent(wish + ": " + answer.brief(), any -> new LongAdder()).increment();
  }

  long requests() {
    return requests.sum();
  }

  long granted() {
    return granted.sum();
  }

  long repeated() {
    return repeated.sum();
  }

  long contradictions() {
    return contradictions.sum();
  }

  long refused(String problem) {
    LongAdder count = refused.get(problem);
    return count == null ? 0 : count.sum();
  }

  /** How often something else than a yes or sold out was answered. */
  long other() {
    return refused().entrySet().stream()
        .filter(count -> !count.getKey().equals("sold-out"))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  /** How often each problem was answered. */
  Map<String, Long> refused() {
    return sums(refused);
  }

  /** How payments and cancels went. */
  Map<String, Long> outcomes() {
    return sums(outcomes);
  }

  /** Every token that a buyer was told yes with. */
  Set<String> tokens() {
    return tokens;
  }

  /** The time within which this share of all requests was answered. */
  Duration percentile(double share) {
    long[] sorted = Arrays.copyOf(tookNs, Math.min(took.get(), tookNs.length));
    Arrays.sort(sorted);
    return sorted.length == 0
        ? Duration.ZERO
        : Duration.ofNanos(
            sorted[(int) Math.min(sorted.length - 1L, (long) (sorted.length * share))]);
  }

  private static String nameOf(Answer answer) {
    if (!answer.came()) {
      return "no answer";
    }
    String problem = answer.problem();
    return problem == null ? String.valueOf(answer.status()) : problem;
  }

  private static Map<String, Long> sums(Map<String, LongAdder> counts) {
    var sums = new TreeMap<String, Long>();
    counts.forEach((name, count) -> sums.put(name, count.sum()));
    return sums;
  }
}
