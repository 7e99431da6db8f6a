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

/** The answers to the buyers of a stampede, and their latencies. */
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

  /** Counts an answer to a request for a unit. */
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

  /** Counts the answer to a repeated request, which must be the same order. */
  void heardAgain(Answer first, Answer again) {
    heard(again);
    if (first.isYes() && !(again.isYes() && again.token().equals(first.token()))) {
      contradictions.increment();
    }
  }

  /** Counts the answer to a payment or a cancel. */
  void ended(String wanted, Answer answer) {
    outcomes.computeIfAbsent(wanted + ": " + answer.brief(), any -> new LongAdder()).increment();
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

  /** The number of answers other than a yes or sold-out. */
  long other() {
    return refused().entrySet().stream()
        .filter(count -> !count.getKey().equals("sold-out"))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  /** The number of times each problem was answered. */
  Map<String, Long> refused() {
    return sums(refused);
  }

  /** The number of answers to payments and cancels, by kind. */
  Map<String, Long> outcomes() {
    return sums(outcomes);
  }

  /** The tokens of all yeses. */
  Set<String> tokens() {
    return tokens;
  }

  /** The latency that this share of all requests did not exceed. */
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
