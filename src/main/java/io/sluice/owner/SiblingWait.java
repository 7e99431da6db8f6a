package io.sluice.owner;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toSet;

import io.sluice.async.AsyncLoop;
import io.sluice.ledger.BucketRow;
import io.sluice.ledger.Fence;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * In a ledger that was restored to an earlier state, the wait of frozen buckets for the other
 * partitions in which their SKUs have buckets. Moves of units are in no log: a unit that such a
 * ledger has in this bucket may have been granted in another one. It is there again once the log of
 * that one is booked; offered here before that, it would be sold twice.
 */
final class SiblingWait {
  /** Of up to 256 buckets each. */
  static final int SKUS_MAX = 20;

  static final Duration LOOK_EVERY = Duration.ofMillis(500);

  /** Ten seconds. */
  static final int LOOKS_PER_LINE = 20;

  /**
   * The look, two seconds after the first, at which the ends of logs are asked for. Owners look at
   * their fences each second, so one restore freezes all partitions within this: then no grant is
   * left that the end of a log does not have.
   */
  static final int ASKED_AT = 5;

  /**
   * The last look, two seconds later, at which all that was on its way is booked. An owner that
   * takes longer books a lost past.
   */
  static final int IN_FLIGHT_UNTIL = 9;

  private static final Logger log = LoggerFactory.getLogger(SiblingWait.class);

  private final OwnerContext context;
  private final Consumer<List<RebuildRequest>> released;

  /** The requests that were not released, and the partitions of the other buckets of their SKUs. */
  private final Map<RebuildRequest, Set<Integer>> left = new LinkedHashMap<>();

  private final Map<Integer, Sibling> behind = new TreeMap<>();
  private Map<Integer, Fence> fences = Map.of();
  private int looks;

  /** A partition whose log is not booked yet, as far as is known. */
  private static final class Sibling {
    private final int partition;
    private OptionalLong end = OptionalLong.empty();
    private boolean late;
    private int askFrom = ASKED_AT;

    Sibling(int partition) {
      this.partition = partition;
    }
  }

  /**
   * @param requests whose own log is booked
   * @param released called with those that need not wait any longer
   */
  SiblingWait(
      OwnerContext context,
      List<RebuildRequest> requests,
      Consumer<List<RebuildRequest>> released) {
    this.context = context;
    this.released = released;
    requests.forEach(request -> left.put(request, Set.of()));
  }

  /** The requests that were not released. */
  List<RebuildRequest> left() {
    return List.copyOf(left.keySet());
  }

  /**
   * Releases all requests, each as soon as all those partitions have booked what their logs have.
   * If the ledger was not restored, that is at once. Fails if it cannot be determined.
   *
   * @param deadline after which no grant of a frozen bucket can be acknowledged. A partition that
   *     is still behind some time later may have frozen its buckets as late, and must have booked
   *     once more what its log has so much later.
   */
  Future<Void> run(Duration deadline) {
    release(request -> !context.ownership().wentBack() || !request.knewOfRestore());
    if (left.isEmpty()) {
      return Future.succeededFuture();
    }
    int pause = (int) (deadline.toMillis() / LOOK_EVERY.toMillis()) + 1;
    return findSiblings().compose(found -> AsyncLoop.whileTrue(() -> look(pause)));
  }

  private Future<Void> findSiblings() {
    Map<Long, Set<Integer>> found = new HashMap<>();
    List<Long> skuIds = left.keySet().stream().flatMap(RebuildRequest::skuIds).distinct().toList();
    return AsyncLoop.forEach(
            AsyncLoop.parts(skuIds, SKUS_MAX),
            page ->
                context
                    .ledger()
                    .bucketsOf(page)
                    .onSuccess(skus -> skus.forEach((id, rows) -> found.put(id, elsewhere(rows)))))
        .onSuccess(
            read -> {
              left.replaceAll((request, none) -> siblings(request, found));
              left.values()
                  .forEach(all -> all.forEach(each -> behind.computeIfAbsent(each, Sibling::new)));
            });
  }

  private Set<Integer> elsewhere(List<BucketRow> rows) {
    return rows.stream()
        .filter(row -> !row.isDirect() && !row.state().isEnded())
        .map(BucketRow::partition)
        .filter(partition -> partition != context.ownership().partition())
        .collect(toSet());
  }

  private static Set<Integer> siblings(RebuildRequest request, Map<Long, Set<Integer>> found) {
    return request
        .skuIds()
        .flatMap(id -> found.getOrDefault(id, Set.of()).stream())
        .collect(toSet());
  }

  private Future<Boolean> look(int pause) {
    if (left.isEmpty()) {
      return Future.succeededFuture(false);
    }
    return context.ownership().ifHeld(() -> lookAtAll(pause));
  }

  private Future<Boolean> lookAtAll(int pause) {
    looks++;
    return Future.join(behind.values().stream().map(this::readEnd).toList())
        .transform(read -> context.ledger().fences())
        .otherwise(unknown -> fences)
        .compose(now -> goOn(now, pause));
  }

  /** One that cannot be read is asked for again with the next look. */
  private Future<Long> readEnd(Sibling sibling) {
    return sibling.end.isPresent() || looks < sibling.askFrom
        ? Future.succeededFuture()
        : context
            .orderLog()
            .endOffset(sibling.partition)
            .onSuccess(end -> sibling.end = OptionalLong.of(end));
  }

  private Future<Boolean> goOn(Map<Integer, Fence> now, int pause) {
    fences = now;
    behind.values().removeIf(each -> isSettled(each, pause));
    releaseSettled();
    if (left.isEmpty()) {
      return Future.succeededFuture(false);
    }
    if (looks % LOOKS_PER_LINE == 0) {
      tell();
    }
    return context.timers().after(LOOK_EVERY).map(true);
  }

  private boolean isSettled(Sibling sibling, int pause) {
    boolean isBooked =
        sibling.end.isPresent() && bookedTo(sibling.partition) >= sibling.end.getAsLong();
    if (isBooked && (looks <= IN_FLIGHT_UNTIL || sibling.late)) {
      return true;
    }
    if (isBooked) {
      sibling.late = true;
      sibling.end = OptionalLong.empty();
      sibling.askFrom = looks + pause;
    }
    return false;
  }

  private void releaseSettled() {
    release(
        request -> left.getOrDefault(request, Set.of()).stream().noneMatch(behind::containsKey));
  }

  private void release(Predicate<RebuildRequest> free) {
    List<RebuildRequest> now = left.keySet().stream().filter(free).toList();
    now.forEach(left::remove);
    if (!now.isEmpty()) {
      released.accept(now);
    }
  }

  private void tell() {
    context
        .ownership()
        .about(log.atWarn())
        .addKeyValue("requests", left.size())
        .addKeyValue("behind", behind.values().stream().map(this::line).collect(joining(", ")))
        .log("buckets of a restored ledger wait until other partitions have booked their logs");
  }

  private String line(Sibling sibling) {
    OptionalLong end = sibling.end;
    return "partition %d at %d of %s"
        .formatted(
            sibling.partition,
            bookedTo(sibling.partition),
            end.isPresent() ? end.getAsLong() : "an unknown end");
  }

  private long bookedTo(int partition) {
    Fence fence = fences.get(partition);
    return fence == null ? 0 : fence.nextOffset();
  }
}
