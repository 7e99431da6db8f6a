package io.sluice.owner.rebuild;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.partitioningBy;
import static java.util.stream.Collectors.toSet;

import io.sluice.async.AsyncLoop;
import io.sluice.ledger.Buckets.BucketRow;
import io.sluice.ledger.Fence;
import io.sluice.owner.fencing.FenceLostException;
import io.sluice.owner.fencing.OwnerContext;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
  static final int SKUS_MAX = 500;
  static final Duration LOOK_EVERY = Duration.ofMillis(500);

  /** Ten seconds. */
  static final int LOOKS_PER_LINE = 20;

  private static final Logger log = LoggerFactory.getLogger(SiblingWait.class);

  private final OwnerContext context;
  private final Consumer<List<RebuildRequest>> released;
  private List<RebuildRequest> left;

  /** The partitions of the other buckets, by SKU. */
  private final Map<Long, Set<Integer>> siblings = new HashMap<>();

  /** Where the logs ended that are not booked so far. */
  private final Map<Integer, Long> ends = new TreeMap<>();

  private int looks;

  /**
   * @param requests whose own log is booked
   * @param released called with those that need not wait any longer
   */
  SiblingWait(
      OwnerContext context,
      List<RebuildRequest> requests,
      Consumer<List<RebuildRequest>> released) {
    this.context = context;
    this.left = requests;
    this.released = released;
  }

  /** The requests that were not released. */
  List<RebuildRequest> left() {
    return left;
  }

  /**
   * Releases all requests, each as soon as all those partitions have booked what their logs have
   * now. Where the ledger was not restored, that is at once. Fails where it cannot be told.
   */
  Future<Void> run() {
    if (!context.ownership().wentBack()) {
      release(request -> true);
      return Future.succeededFuture();
    }
    return AsyncLoop.forEach(pages(), this::findSiblings)
        .onSuccess(found -> release(request -> siblings(request).isEmpty()))
        .compose(found -> readEnds())
        .compose(read -> AsyncLoop.whileTrue(this::look));
  }

  private List<List<Long>> pages() {
    List<Long> skuIds = left.stream().flatMap(RebuildRequest::skuIds).distinct().toList();
    List<List<Long>> pages = new ArrayList<>();
    for (int from = 0; from < skuIds.size(); from += SKUS_MAX) {
      pages.add(skuIds.subList(from, Math.min(skuIds.size(), from + SKUS_MAX)));
    }
    return pages;
  }

  private Future<Void> findSiblings(List<Long> skuIds) {
    return context
        .ledger()
        .bucketsOf(skuIds)
        .onSuccess(found -> found.forEach((id, rows) -> siblings.put(id, elsewhere(rows))))
        .mapEmpty();
  }

  private Set<Integer> elsewhere(List<BucketRow> rows) {
    return rows.stream()
        .filter(row -> !row.isDirect() && !row.state().isEnded())
        .map(BucketRow::partition)
        .filter(partition -> partition != context.ownership().partition())
        .collect(toSet());
  }

  private Set<Integer> siblings(RebuildRequest request) {
    return request
        .skuIds()
        .flatMap(id -> siblings.getOrDefault(id, Set.of()).stream())
        .collect(toSet());
  }

  private Future<Void> readEnds() {
    Set<Integer> partitions =
        left.stream().flatMap(request -> siblings(request).stream()).collect(toSet());
    return Future.join(
            partitions.stream()
                .map(
                    partition ->
                        context
                            .orderLog()
                            .endOffset(partition)
                            .onSuccess(end -> ends.put(partition, end)))
                .toList())
        .mapEmpty();
  }

  private Future<Boolean> look() {
    if (left.isEmpty()) {
      return Future.succeededFuture(false);
    }
    if (context.ownership().isLost()) {
      return Future.failedFuture(new FenceLostException(context.ownership().partition()));
    }
    return context.ledger().fences().compose(this::goOn);
  }

  private Future<Boolean> goOn(Map<Integer, Fence> fences) {
    ends.entrySet().removeIf(end -> bookedTo(end.getKey(), fences) >= end.getValue());
    release(request -> siblings(request).stream().noneMatch(ends::containsKey));
    if (left.isEmpty()) {
      return Future.succeededFuture(false);
    }
    if (++looks % LOOKS_PER_LINE == 0) {
      tell(fences);
    }
    return context.timers().after(LOOK_EVERY).map(true);
  }

  private void release(Predicate<RebuildRequest> free) {
    Map<Boolean, List<RebuildRequest>> split = left.stream().collect(partitioningBy(free));
    left = List.copyOf(split.get(false));
    released.accept(split.get(true));
  }

  private void tell(Map<Integer, Fence> fences) {
    context
        .ownership()
        .about(log.atWarn())
        .addKeyValue("requests", left.size())
        .addKeyValue(
            "behind",
            ends.entrySet().stream()
                .map(
                    end ->
                        "partition %d at %d of %d"
                            .formatted(
                                end.getKey(), bookedTo(end.getKey(), fences), end.getValue()))
                .collect(joining(", ")))
        .log("buckets of a restored ledger wait until other partitions have booked their logs");
  }

  private static long bookedTo(int partition, Map<Integer, Fence> fences) {
    Fence fence = fences.get(partition);
    return fence == null ? 0 : fence.nextOffset();
  }
}
