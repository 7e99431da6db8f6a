package io.sluice.sale.hostile;

import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;

/** What was answered, and the first answers that were not due. Thread-safe. */
final class Faults {
  private static final int FAULTS_MAX = 5;
  private static final int SHOWN = 400;

  private final Queue<String> all = new ConcurrentLinkedQueue<>();
  private final Map<String, Map<String, Integer>> answers = new TreeMap<>();

  void add(String what, String request, String answer) {
    if (all.size() < FAULTS_MAX) {
      all.add(
          what + "\n" + request.substring(0, Math.min(request.length(), SHOWN)) + "\n-> " + answer);
    }
  }

  /** Counts all that was received on one connection. */
  synchronized void count(String kind, String received) {
    answers
        .computeIfAbsent(kind, name -> new TreeMap<>())
        .merge(statuses(received), 1, Integer::sum);
  }

  /** The statuses of all answers, in order. */
  static String statuses(String received) {
    return RawAnswer.allIn(received).stream()
        .map(answer -> String.valueOf(answer.status()))
        .distinct()
        .collect(Collectors.joining(" "));
  }

  List<String> all() {
    return List.copyOf(all);
  }

  /** How often each kind of request got which answers; begins anew. */
  synchronized String tally() {
    String text =
        answers.entrySet().stream()
            .map(kind -> kind.getKey() + " " + kind.getValue())
            .collect(Collectors.joining("\n"));
    answers.clear();
    return text;
  }
}
