package io.sluice.ledger;

import io.sluice.ledger.InMemoryTables.StoredRequest;
import io.sluice.ledger.OwnerRequest.RequestKind;
import io.sluice.model.BucketId;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/** What operators ask owners to do, on the tables of an {@link InMemoryLedger}. */
final class InMemoryRequests {
  private final InMemoryTables tables;
  private final InstantSource clock;

  InMemoryRequests(InMemoryTables tables, InstantSource clock) {
    this.tables = tables;
    this.clock = clock;
  }

  long request(RequestKind kind, BucketId bucket) {
    return request(kind, tables.bucket(bucket).partition(), Optional.of(bucket));
  }

  long request(RequestKind kind, int partition, Optional<BucketId> bucket) {
    return tables.requests.values().stream()
        .filter(stored -> stored.answer() == null)
        .map(StoredRequest::request)
        .filter(open -> open.kind() == kind && open.partition() == partition)
        .filter(open -> open.bucket().equals(bucket))
        .findFirst()
        .map(OwnerRequest::id)
        .orElseGet(() -> newRequest(kind, partition, bucket));
  }

  /** Of a bucket that has none. */
  long first(RequestKind kind, BucketId bucket) {
    return newRequest(kind, tables.bucket(bucket).partition(), Optional.of(bucket));
  }

  private long newRequest(RequestKind kind, int partition, Optional<BucketId> bucket) {
    long id = tables.nextId();
    OwnerRequest request = new OwnerRequest(id, partition, kind, bucket);
    tables.requests.put(id, new StoredRequest(request, null, clock.millis()));
    return id;
  }

  /** Leaves one that is served to what carries it out. */
  void answer(long id, String answer) {
    tables.requests.computeIfPresent(
        id, (same, stored) -> InMemoryMoves.isServed(stored) ? stored : stored.answered(answer));
  }

  void age(long id, Duration by) {
    tables.requests.computeIfPresent(
        id,
        (same, stored) ->
            new StoredRequest(
                stored.request(), stored.answer(), stored.createdAtMs() - by.toMillis()));
  }

  Optional<String> answerOf(long id) {
    return Optional.ofNullable(tables.requests.get(id)).map(StoredRequest::answer);
  }
}
