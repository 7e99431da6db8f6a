package io.sluice.admin;

import io.sluice.ledger.Audit;
import io.sluice.ledger.BucketRow;
import io.sluice.ledger.BucketRows;
import io.sluice.ledger.OwnerRequest.RequestKind;
import io.sluice.ledger.SkuLedger;
import io.sluice.ledger.SkuLedger.ArchiveResult;
import io.sluice.ledger.SkuLedger.Forgotten;
import io.sluice.model.BucketId;
import io.sluice.model.IfMatch;
import io.sluice.model.Placement;
import io.sluice.model.Sku;
import io.sluice.model.SkuSettings;
import io.sluice.model.SkuState;
import io.vertx.core.Future;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A ledger with scripted answers that records its calls. */
public final class FakeLedger implements SkuLedger {
  public static final SkuSettings SETTINGS = new SkuSettings(300, 1, 0, 0);

  public final List<String> asked = new CopyOnWriteArrayList<>();
  final TreeMap<Long, Sku> skus = new TreeMap<>();
  public final Deque<Future<RestockResult>> restocks = new ArrayDeque<>();
  public final Deque<Future<ArchiveResult>> archives = new ArrayDeque<>();
  public final Deque<Future<Forgotten>> forgets = new ArrayDeque<>();
  public final Deque<Optional<String>> answers = new ArrayDeque<>();
  public final Map<Integer, String> reports = new TreeMap<>();
  public volatile NewSku lastPut;
  public volatile IfMatch lastIfMatch;
  public volatile Future<PutResult> putResult = Future.failedFuture("not told");
  public volatile Future<ChangeResult> changeResult = Future.failedFuture("not told");
  public volatile Future<DeleteResult> deleteResult = Future.failedFuture("not told");
  public volatile Future<Optional<Audit>> auditResult = Future.succeededFuture(Optional.empty());
  public volatile long version = 1;

  public static Sku sku(long skuId, int buckets) {
    return new Sku(
        skuId,
        1_000,
        1_050,
        buckets,
        Sku.Mode.FAST,
        SETTINGS,
        SkuState.OPEN,
        SkuState.OPEN,
        Placement.first(skuId, buckets, 8),
        Sku.Membership.NONE,
        null);
  }

  public void has(Sku sku) {
    skus.put(sku.skuId(), sku);
  }

  @Override
  public Future<PutResult> put(NewSku sku) {
    asked.add("put " + sku.skuId());
    lastPut = sku;
    return putResult;
  }

  @Override
  public Future<ChangeResult> change(long skuId, StateChange change, IfMatch ifMatch) {
    lastIfMatch = ifMatch;
    asked.add("change " + skuId + " " + change);
    return changeResult;
  }

  @Override
  public Future<DeleteResult> delete(long skuId) {
    asked.add("delete " + skuId);
    return deleteResult;
  }

  @Override
  public Future<RestockResult> restock(long skuId, String restockId, long qty, IfMatch ifMatch) {
    lastIfMatch = ifMatch;
    asked.add("restock " + skuId + " " + restockId + " " + qty);
    return restocks.size() > 1 ? restocks.poll() : restocks.peek();
  }

  @Override
  public Future<ArchiveResult> archive(long skuId) {
    asked.add("archive " + skuId);
    return archives.size() > 1 ? archives.poll() : archives.peek();
  }

  @Override
  public Future<Forgotten> forget(String userId, String pseudonym) {
    asked.add("forget " + userId);
    return forgets.size() > 1 ? forgets.poll() : forgets.peek();
  }

  @Override
  public Future<Map<Long, Sku>> skus(Collection<Long> skuIds) {
    Map<Long, Sku> found = new TreeMap<>(skus);
    found.keySet().retainAll(skuIds);
    return Future.succeededFuture(found);
  }

  @Override
  public Future<List<Sku>> skus(long afterSkuId, int limit) {
    asked.add("skus " + afterSkuId + " " + limit);
    return Future.succeededFuture(
        new ArrayList<>(skus.tailMap(afterSkuId, false).values()).stream().limit(limit).toList());
  }

  @Override
  public Future<Map<Long, List<BucketRow>>> bucketsOf(Collection<Long> skuIds) {
    return Future.succeededFuture(
        skuIds.stream().collect(Collectors.toMap(skuId -> skuId, this::rows)));
  }

  private List<BucketRow> rows(long skuId) {
    int buckets = skus.containsKey(skuId) ? skus.get(skuId).buckets() : 1;
    return IntStream.range(0, buckets)
        .mapToObj(bucket -> row(new BucketId(skuId, bucket), version))
        .toList();
  }

  public static BucketRow row(BucketId id, long version) {
    return BucketRows.of(id, 5, 100, 30, 20, 1, version, SkuState.OPEN, SETTINGS);
  }

  @Override
  public Future<Set<BucketId>> borrow(List<io.sluice.ledger.Move.Borrow> borrows) {
    return Future.failedFuture("not of operators");
  }

  @Override
  public Future<Optional<Audit>> audit(long skuId) {
    return auditResult;
  }

  @Override
  public Future<Long> request(RequestKind kind, BucketId bucket) {
    asked.add("request " + kind + " " + bucket);
    return Future.succeededFuture((long) bucket.bucket());
  }

  @Override
  public Future<Long> requestReconcile(int partition) {
    asked.add("reconcile " + partition);
    return Future.succeededFuture((long) partition);
  }

  @Override
  public Future<Map<Integer, String>> reports() {
    return Future.succeededFuture(Map.copyOf(reports));
  }

  @Override
  public Future<Optional<String>> answer(long requestId) {
    asked.add("answer " + requestId);
    return Future.succeededFuture(answers.size() > 1 ? answers.poll() : answers.peek());
  }
}
