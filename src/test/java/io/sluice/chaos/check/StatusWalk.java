package io.sluice.chaos.check;

import io.sluice.chaos.buyer.OrderStory;
import io.sluice.chaos.buyer.OrderStory.Ask;
import io.sluice.chaos.buyer.OrderStory.BookedMark;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Checks the answers about one order in the order of time: a status that was answered is never
 * revoked.
 *
 * <p>An instance may answer for two seconds from what it was notified of before, so an answer binds
 * only requests sent some time later. A repeated order may be answered with less than is known, and
 * so may any RESERVED, and a command whose outcome is not known in time (202): none contradicts an
 * earlier answer.
 */
final class StatusWalk {
  /** Two seconds of a stale copy, plus the delay of its heartbeat. */
  static final long STALE_MAX_MS = 5_000;

  /** The statuses that may follow each status. */
  private static final Map<String, Set<String>> AFTER =
      Map.of(
          "PENDING", Set.of("PENDING", "CONFIRMED", "CANCELED", "REFUNDED"),
          "CONFIRMED", Set.of("CONFIRMED", "REFUNDED"),
          "CANCELED", Set.of("CANCELED"),
          "REFUNDED", Set.of("REFUNDED"),
          "REJECTED", Set.of("REJECTED"));

  private static final Map<String, String> REFUSALS =
      Map.of("409 already-confirmed", "CONFIRMED", "409 already-refunded", "REFUNDED");

  private StatusWalk() {}

  /** One line per breach; answers that do not bind may be contradicted later. */
  static List<String> breaches(OrderStory story, Predicate<BookedMark> binds) {
    List<String> breaches = new ArrayList<>();
    List<BookedMark> tolds = story.tolds();
    for (BookedMark later : tolds) {
      statusIn(later)
          .ifPresent(
              status ->
                  earlier(tolds, later)
                      .filter(binds)
                      .filter(told -> !mayFollow(statusIn(told).orElseThrow(), status))
                      .findFirst()
                      .ifPresent(told -> breaches.add(told + ", and later " + later)));
    }
    return breaches;
  }

  private static Stream<BookedMark> earlier(List<BookedMark> tolds, BookedMark later) {
    return tolds.stream()
        .filter(told -> told.endMs() + STALE_MAX_MS < later.atMs())
        .filter(told -> statusIn(told).isPresent());
  }

  private static boolean mayFollow(String before, String after) {
    return AFTER.get(before).contains(after);
  }

  /** The status that an answer commits to; empty where it only says that the order exists. */
  private static Optional<String> statusIn(BookedMark told) {
    if (!told.isYes()) {
      return Optional.ofNullable(REFUSALS.get(told.answer()));
    }
    String status = told.answer().substring(told.answer().indexOf(' ') + 1);
    boolean commits = told.ask() != Ask.PLACE && !told.answer().startsWith("202");
    return commits && AFTER.containsKey(status) ? Optional.of(status) : Optional.empty();
  }
}
