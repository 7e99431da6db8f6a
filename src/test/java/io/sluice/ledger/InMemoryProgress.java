package io.sluice.ledger;

import io.sluice.ledger.InMemoryTables.StoredRequest;
import io.sluice.ledger.Ledger.Glance;
import io.sluice.ledger.OutboxRow.OutboxKind;
import io.sluice.ledger.OwnerRequest.RequestKind;
import io.vertx.core.Future;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The part of the in-memory ledger that records how far the log was read. */
abstract class InMemoryProgress implements Ledger, SkuLedger {
  final InMemoryTables tables = new InMemoryTables();

  final Fence fence(int partition) {
    return tables.fence(partition);
  }

  final boolean holds(Fence fence) {
    return tables.holds(fence, fence(fence.partition()));
  }

  /** The clock of this ledger. */
  @Override
  public abstract Future<Long> nowMs();

  @Override
  public Future<Glance> glance(int partition) {
    Set<OutboxKind> pending =
        tables.outbox.values().stream()
            .filter(stored -> !stored.sent() && stored.row().partition() == partition)
            .map(stored -> stored.row().kind())
            .collect(Collectors.toSet());
    Optional<Fence> fence = Optional.ofNullable(tables.fences.get(partition));
    return nowMs().map(nowMs -> new Glance(nowMs, fence, pending));
  }

  @Override
  public Future<Optional<Reading>> reading(int partition) {
    return Future.succeededFuture(Optional.ofNullable(tables.readings.get(partition)));
  }

  @Override
  public Future<Boolean> keepReading(Fence fence, Reading reading, boolean outage) {
    boolean mine = holds(fence);
    if (mine) {
      tables.readings.put(fence.partition(), reading);
    }
    return Future.succeededFuture(mine);
  }

  @Override
  public Future<Long> longestWindowMs() {
    return Future.succeededFuture(
        tables.skus.values().stream()
            .mapToLong(sku -> sku.settings().paymentWindowS() * 1_000)
            .max()
            .orElse(0));
  }

  @Override
  public Future<Boolean> skipLost(int partition, long from, long to) {
    Fence now = fence(partition);
    if (now.nextOffset() != from || now.term() == 0) {
      return Future.succeededFuture(false);
    }
    tables.fences.put(partition, new Fence(partition, now.term() + 1, to));
    long id = tables.nextId();
    OwnerRequest request = new OwnerRequest(id, partition, RequestKind.REBUILD, Optional.empty());
    tables.requests.put(id, new StoredRequest(request, null, 0));
    return Future.succeededFuture(true);
  }

  @Override
  public Future<Boolean> hasLost(int partition) {
    return Future.succeededFuture(
        tables.requests.values().stream()
            .filter(stored -> stored.answer() == null)
            .map(StoredRequest::request)
            .anyMatch(
                request ->
                    request.partition() == partition
                        && request.kind() == RequestKind.REBUILD
                        && request.bucket().isEmpty()));
  }
}
