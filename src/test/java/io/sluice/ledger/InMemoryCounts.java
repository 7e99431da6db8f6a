package io.sluice.ledger;

import io.sluice.model.OrderToken;
import io.vertx.core.Future;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/** What instances have counted, without a database; no orders. */
public class InMemoryCounts implements History {
  private final TreeSet<Interval> intervals =
      new TreeSet<>(
          Comparator.comparing(Interval::saleId)
              .thenComparingLong(Interval::beganMs)
              .thenComparing(Interval::instanceId));
  private final TreeSet<Incident> incidents =
      new TreeSet<>(
          Comparator.comparingLong(Incident::firstMs)
              .thenComparing(Incident::instanceId)
              .thenComparing(Incident::alarm));

  /** The answer to writes; null where they succeed. */
  public Throwable failure;

  private static <T> Future<T> none() {
    return Future.failedFuture(new UnsupportedOperationException("Expected no look at orders"));
  }

  @Override
  public Future<Optional<Story>> story(OrderToken token) {
    return none();
  }

  @Override
  public Future<Page> page(long skuId, HoldPlace after, int limit) {
    return none();
  }

  @Override
  public Future<Optional<SalePage>> pageOfSale(String saleId, SalePlace after, int limit) {
    return none();
  }

  @Override
  public Future<FoundPage> lookUp(By by, String value, FoundPlace behind, int limit) {
    return none();
  }

  @Override
  public Future<Slice> granted(Rest rest, long intervalMs, int limit) {
    return none();
  }

  @Override
  public Future<Slice> ended(Rest rest, long intervalMs, int limit) {
    return none();
  }

  @Override
  public Future<Void> keep(List<Interval> more) {
    if (failure != null) {
      return Future.failedFuture(failure);
    }
    intervals.addAll(more);
    return Future.succeededFuture();
  }

  @Override
  public Future<Void> keepIncidents(List<Incident> more) {
    if (failure != null) {
      return Future.failedFuture(failure);
    }
    incidents.addAll(more);
    return Future.succeededFuture();
  }

  @Override
  public Future<List<Interval>> intervals(String saleId, long afterMs, String afterInstanceId) {
    return Future.succeededFuture(
        intervals.stream()
            .filter(one -> one.saleId().equals(saleId))
            .filter(
                one ->
                    one.beganMs() > afterMs
                        || (one.beganMs() == afterMs
                            && one.instanceId().compareTo(afterInstanceId) > 0))
            .limit(ROWS_MAX)
            .toList());
  }

  @Override
  public Future<List<Incident>> incidents(long fromMs, long untilMs) {
    return Future.succeededFuture(
        incidents.stream()
            .filter(one -> one.firstMs() >= fromMs && one.firstMs() <= untilMs)
            .limit(ROWS_MAX)
            .toList());
  }

  @Override
  public Future<Boolean> forget(long beforeMs) {
    List<Interval> old =
        intervals.stream().filter(one -> one.beganMs() < beforeMs).limit(ROWS_MAX).toList();
    List<Incident> oldIncidents =
        incidents.stream().filter(one -> one.firstMs() < beforeMs).limit(ROWS_MAX).toList();
    old.forEach(intervals::remove);
    oldIncidents.forEach(incidents::remove);
    return Future.succeededFuture(Math.max(old.size(), oldIncidents.size()) < ROWS_MAX);
  }
}
