package io.sluice.ledger.mysql;

import io.micrometer.core.instrument.Timer;
import io.sluice.async.AsyncLoop;
import io.sluice.async.SharedQuestion;
import io.sluice.db.Database;
import io.sluice.db.SqlSession;
import io.sluice.db.SqlStatement;
import io.sluice.ledger.Audit;
import io.sluice.ledger.Audit.Mark;
import io.sluice.ledger.Audit.TxnSums;
import io.sluice.ledger.BucketRow;
import io.sluice.ledger.BucketRow.LoadRow;
import io.sluice.ledger.DuePage;
import io.sluice.ledger.DuePage.DuePlace;
import io.sluice.ledger.Fence;
import io.sluice.ledger.Ledger;
import io.sluice.ledger.Ledger.Booked;
import io.sluice.ledger.Ledger.Correction;
import io.sluice.ledger.Ledger.Glance;
import io.sluice.ledger.Ledger.InstanceSettings;
import io.sluice.ledger.Ledger.LendResult;
import io.sluice.ledger.Ledger.MarkedStock;
import io.sluice.ledger.Ledger.StillBucket;
import io.sluice.ledger.Ledger.TakeResult;
import io.sluice.ledger.Move;
import io.sluice.ledger.OutboxRow;
import io.sluice.ledger.OutboxRow.OutboxKind;
import io.sluice.ledger.OwnerRequest;
import io.sluice.ledger.OwnerRequest.RequestKind;
import io.sluice.ledger.Reading;
import io.sluice.ledger.Step;
import io.sluice.ledger.Step.Result;
import io.sluice.ledger.mysql.OrderTable.DueAsked;
import io.sluice.ledger.mysql.OutboxTable.Asked;
import io.sluice.ledger.mysql.OutboxTable.Waiting;
import io.sluice.ledger.rules.BatchChanges;
import io.sluice.ledger.rules.BatchChanges.DeadCause;
import io.sluice.ledger.rules.BatchSnapshot;
import io.sluice.metrics.Meters;
import io.sluice.metrics.OutboxMeters;
import io.sluice.metrics.ProcessMeters.Rare;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.Order;
import io.sluice.model.OrderToken;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The ledger in MySQL or MariaDB. Each call is one transaction; the larger ones have a class of
 * their own.
 */
public final class MySqlLedger implements Ledger {
  /** The timers of the owners of an instance fire that close together. */
  private static final int GATHER_MS = 20;

  /**
   * The passes of partitions, and what they ask, follow the commit that they share, on several
   * event loops.
   */
  private static final int PASS_GATHER_MS = 1;

  /** The most partitions whose due orders are read by one statement, and the most rows of each. */
  private static final int DUE_TOGETHER_MAX = 16;

  private static final int DUE_TOGETHER_ROWS = 128;

  /** Counts cost the database a few milliseconds. */
  private static final int COUNTED_MAX = 10_000;

  private final LedgerDatabase database;
  private final Meters meters;
  private final MySqlInstances instances;
  private final RepeatedBatches batches;
  private final Freshness freshness = new Freshness(System::nanoTime);
  private final SharedQuestion<Integer, Map<Integer, Glance>> glances;
  private final SharedQuestion<Integer, Long> clock;
  private final SharedQuestion<DueAsked, Optional<DuePage>> due;
  private final Map<OutboxKind, SharedQuestion<Asked, List<Waiting>>> pages =
      new EnumMap<>(OutboxKind.class);
  private final SharedQuestion<List<OutboxRow>, Void> marks;

  public MySqlLedger(Database database, Meters meters) {
    this(database, database, meters);
  }

  /** The ledger for code that serves buyers: its single reads use connections of their own. */
  public MySqlLedger(Database database, Database lookups, Meters meters) {
    this.database = new LedgerDatabase(database, lookups);
    this.meters = meters;
    this.glances =
        new SharedQuestion<>(
            SharedQuestion.same(() -> this.database.read(PartitionTable::glances)), GATHER_MS);
    this.clock =
        new SharedQuestion<>(
            SharedQuestion.same(() -> this.database.read(OrderTable::nowMs)), PASS_GATHER_MS);
    this.due = new SharedQuestion<>(this::due, PASS_GATHER_MS);
    for (OutboxKind kind : OutboxKind.values()) {
      pages.put(
          kind,
          new SharedQuestion<>(
              asked -> this.database.read(session -> OutboxTable.waiting(session, kind, asked)),
              PASS_GATHER_MS));
    }
    this.marks = new SharedQuestion<>(this::markSent, PASS_GATHER_MS);
    this.batches = new RepeatedBatches(this.database, new SaleIds());
    this.instances = new MySqlInstances(database);
    for (DeadCause cause : DeadCause.values()) {
      // So that the first one of a cause is an increase.
      meters.booking().deadLettered(cause.word(), 0);
    }
  }

  // ---- owners of partitions

  @Override
  public Future<Fence> takeOver(int partition, long termSeen) {
    return database.inTransaction(session -> PartitionTable.takeOver(session, partition, termSeen));
  }

  @Override
  public Future<Map<Integer, Fence>> fences() {
    return database.read(PartitionTable::byPartition);
  }

  @Override
  public Future<Fence> reset(int partition, long nextOffset) {
    return database.inTransaction(session -> PartitionTable.reset(session, partition, nextOffset));
  }

  @Override
  public Future<Glance> glance(int partition) {
    return glances
        .ask(partition)
        .compose(
            all -> {
              Glance found = all.get(partition);
              return found == null ? neverOwned() : Future.succeededFuture(found);
            });
  }

  /** Nothing is known of such a partition, so anything may be pending. */
  private Future<Glance> neverOwned() {
    return nowMs()
        .map(nowMs -> new Glance(nowMs, Optional.empty(), EnumSet.allOf(OutboxKind.class)));
  }

  @Override
  public Future<Optional<Reading>> reading(int partition) {
    return database.read(session -> PartitionTable.reading(session, partition));
  }

  @Override
  public Future<Boolean> keepReading(Fence fence, Reading reading, boolean outage) {
    return database
        .inTransaction(session -> PartitionTable.keepReading(session, fence, reading))
        .onSuccess(
            kept -> {
              if (kept && outage) {
                meters.count(Rare.PAYMENTS_INTERRUPTED);
              }
            });
  }

  @Override
  public Future<Long> longestWindowMs() {
    return database.read(SkuTable::longestWindowMs);
  }

  @Override
  public Future<Boolean> skipLost(int partition, long from, long to) {
    return database.inTransaction(
        session ->
            PartitionTable.skip(session, partition, from, to)
                .compose(
                    skipped ->
                        skipped
                            ? RequestTable.askForAll(session, RequestKind.REBUILD, partition)
                                .map(true)
                            : Future.succeededFuture(false)));
  }

  @Override
  public Future<Boolean> hasLost(int partition) {
    return database.read(
        session -> RequestTable.isAskedForAll(session, RequestKind.REBUILD, partition));
  }

  // ---- commands

  @Override
  public Future<List<Result>> apply(List<Batch> round) {
    Timer.Sample begun = meters.booking().begin();
    return batches
        .apply(round)
        .map(
            outcomes -> {
              measure(begun, round, outcomes);
              return outcomes.stream().map(this::counted).toList();
            });
  }

  private void measure(
      Timer.Sample begun, List<Batch> round, List<BatchTransaction.Outcome> outcomes) {
    int commands = 0;
    for (int i = 0; i < round.size(); i++) {
      BatchTransaction.Outcome outcome = outcomes.get(i);
      if (outcome.result() instanceof Result.Applied && !round.get(i).commands().isEmpty()) {
        commands += round.get(i).commands().size();
        meters.booking().booked(outcome.orders(), outcome.repeated(), outcome.bookedLagMs());
      }
    }
    if (commands > 0) {
      meters.booking().applied(begun, commands);
    }
  }

  private Result counted(BatchTransaction.Outcome outcome) {
    if (outcome.result() instanceof Result.Applied applied) {
      count(applied.stale().size(), applied.full().size(), outcome.dead());
      outcome.timeoutLagsMs().forEach(meters::timedOut);
    }
    return outcome.result();
  }

  private void count(int stale, int full, Map<DeadCause, Integer> dead) {
    dead.forEach((cause, commands) -> meters.booking().deadLettered(cause.word(), commands));
    meters.count(Rare.LEDGER_STALE_GRANTS, stale);
    meters.count(Rare.LEDGER_GATE_FULL, full);
  }

  @Override
  public Future<Booked> book(Supplier<List<Grant>> grants) {
    return batches
        .applyUnfenced(() -> BatchSnapshot.reservesOf(grants.get()), freshness)
        .map(
            done -> {
              BatchChanges changes = done.changes();
              count(changes.stale().size(), changes.full().size(), changes.dead());
              return changes.booked(done.snapshot());
            });
  }

  @Override
  public Future<Void> rehearse(Step step, List<Command> commands) {
    return batches.rehearse(new Batch(step, commands, true)).mapEmpty();
  }

  // ---- orders

  @Override
  public Future<Long> nowMs() {
    return clock.ask(0);
  }

  @Override
  public Future<Boolean> raise(int level) {
    return instances.raise(level);
  }

  @Override
  public Future<InstanceSettings> longestSettings() {
    return instances.longest();
  }

  @Override
  public Future<DuePage> due(int partition, DuePlace after, long dueMs, int limit) {
    DueAsked asked = new DueAsked(partition, after, dueMs, limit);
    return due.ask(asked)
        .compose(page -> page.map(Future::succeededFuture).orElseGet(() -> dueAlone(asked)));
  }

  /** Empty for each that must be asked alone, which its caller then does. */
  private Future<List<Optional<DuePage>>> due(List<DueAsked> asked) {
    return Future.all(
            AsyncLoop.parts(asked, DUE_TOGETHER_MAX).stream().map(this::dueTogether).toList())
        .map(
            parts -> parts.<List<Optional<DuePage>>>list().stream().flatMap(List::stream).toList());
  }

  /**
   * The pages that are complete; none if there is one question only, or if they are not of
   * different partitions. If reading them together fails, each is read alone, so that a slow one
   * keeps no others.
   */
  private Future<List<Optional<DuePage>>> dueTogether(List<DueAsked> asked) {
    List<Optional<DuePage>> none = Collections.nCopies(asked.size(), Optional.empty());
    long partitions = asked.stream().map(DueAsked::partition).distinct().count();
    if (asked.size() == 1 || partitions < asked.size()) {
      return Future.succeededFuture(none);
    }
    List<DueAsked> few = asked.stream().map(one -> one.atMost(DUE_TOGETHER_ROWS)).toList();
    return database
        .read(session -> OrderTable.due(session, few))
        .map(
            pages ->
                pages.stream().map(page -> Optional.of(page).filter(DuePage::complete)).toList())
        .otherwise(none);
  }

  private Future<DuePage> dueAlone(DueAsked asked) {
    return database
        .read(session -> OrderTable.due(session, List.of(asked)))
        .map(pages -> pages.get(0));
  }

  @Override
  public Future<Map<OrderToken, Order>> orders(Collection<OrderToken> tokens) {
    return database.read(session -> OrderTable.readWhole(session, tokens));
  }

  // ---- buckets

  @Override
  public Future<List<BucketRow>> buckets(int partition, Optional<BucketId> after, int limit) {
    return database.read(session -> BucketTable.page(session, partition, after, limit));
  }

  @Override
  public Future<List<BucketId>> goneBuckets(int partition, Optional<BucketId> after, int limit) {
    return database.read(session -> BucketTable.gonePage(session, partition, after, limit));
  }

  @Override
  public Future<Map<Long, List<BucketRow>>> bucketsOf(Collection<Long> skuIds) {
    return database.read(session -> BucketTable.ofSkus(session, skuIds));
  }

  @Override
  public Future<Optional<BucketRow>> bucket(BucketId id) {
    return database.read(session -> BucketTable.read(session, id));
  }

  @Override
  public Future<List<BucketId>> ofSameSale(
      int partition, long skuId, Optional<BucketId> after, int limit) {
    return database.read(
        session -> BucketTable.ofSameSale(session, partition, skuId, after, limit));
  }

  @Override
  public Future<Optional<BucketRow>> raiseEpoch(Fence fence, BucketId id, long epochSeen) {
    return database
        .inTransaction(session -> BucketTransaction.raiseEpoch(session, fence, id, epochSeen))
        .onSuccess(
            raised -> {
              if (raised.isPresent()) {
                meters.booking().rebuildBegun();
              }
            });
  }

  @Override
  public Future<Void> endClosed(long skuId, long closedForMs) {
    return database.inTransaction(
        session -> BucketTransaction.endClosed(session, skuId, closedForMs));
  }

  @Override
  public Future<List<LoadRow>> loadRows(BucketRow bucket, Optional<LoadRow> after, int limit) {
    return database.read(session -> OrderTable.loadRows(session, bucket, after, limit));
  }

  // ---- units that leave a bucket

  @Override
  public Future<LendResult> lend(Fence fence, Move move) {
    return database.inTransaction(session -> new MoveTransaction(session).lend(fence, move));
  }

  @Override
  public Future<TakeResult> finishTake(Fence fence, OutboxRow intent, long epoch, long version) {
    AtomicLong moved = new AtomicLong();
    return database
        .inTransaction(
            session ->
                TakeTransaction.of(session, intent, moved::set).finish(fence, epoch, version))
        .onSuccess(
            done -> {
              if (moved.get() > 0) {
                meters.booking().moved(moved.get());
              }
            });
  }

  @Override
  public Future<TakeResult> refuseTake(Fence fence, OutboxRow intent, long epoch, long version) {
    return database.inTransaction(
        session -> TakeTransaction.of(session, intent, none -> {}).refuse(fence, epoch, version));
  }

  // ---- outbox

  @Override
  public Future<List<OutboxRow>> pending(int partition, OutboxKind kind, long afterId, int limit) {
    return waiting(partition, kind, afterId, limit)
        .map(
            page -> {
              measure(partition, kind, afterId == 0, page);
              if (afterId == 0 && page.size() < limit) {
                meters.outbox().waiting(name(kind), partition, page.size());
              }
              return page.stream().map(Waiting::row).toList();
            });
  }

  /** The first pages of partitions that are asked for together are read together. */
  private Future<List<Waiting>> waiting(int partition, OutboxKind kind, long afterId, int limit) {
    return afterId == 0
        ? Objects.requireNonNull(pages.get(kind)).ask(new Asked(partition, limit))
        : database.read(session -> OutboxTable.waiting(session, partition, kind, afterId, limit));
  }

  private static String name(OutboxKind kind) {
    return kind.name().toLowerCase(Locale.ROOT);
  }

  private void measure(int partition, OutboxKind kind, boolean first, List<Waiting> page) {
    meters
        .outbox()
        .read(
            name(kind),
            partition,
            first,
            page.stream()
                .map(waiting -> new OutboxMeters.Waiting(waiting.row().id(), waiting.ageMs()))
                .toList());
  }

  /**
   * If they fail together, each caller's are marked alone: a row that is locked keeps no others.
   */
  @Override
  public Future<Void> sent(List<OutboxRow> rows) {
    return marks
        .ask(rows)
        .recover(together -> mark(rows.stream()))
        .onSuccess(marked -> meters.outbox().sent(rows.stream().map(OutboxRow::id).toList()));
  }

  private Future<List<Void>> markSent(List<List<OutboxRow>> of) {
    return mark(of.stream().flatMap(List::stream))
        .map(marked -> Collections.nCopies(of.size(), marked));
  }

  private Future<Void> mark(Stream<OutboxRow> rows) {
    List<OutboxRow> all = rows.toList();
    return database.read(session -> OutboxTable.sent(session, all));
  }

  @Override
  public Future<Boolean> keepRest(Fence fence, Map<OutboxRow, List<String>> rest) {
    return database.inTransaction(
        session ->
            PartitionTable.under(
                session,
                fence,
                false,
                () ->
                    OrderTable.nowMs(session)
                        .compose(
                            nowMs -> OutboxTable.keepRest(session, fence.partition(), rest, nowMs))
                        .map(true)));
  }

  @Override
  public Future<Boolean> noteSent(int partition) {
    return database.read(session -> OutboxTable.noteSent(session, partition));
  }

  @Override
  public Future<Integer> purge(int partition, long beforeMs, int limit) {
    return database
        .read(session -> OutboxTable.purge(session, partition, beforeMs, limit))
        .compose(purged -> count(partition).transform(counted -> Future.succeededFuture(purged)));
  }

  /**
   * A purge comes by every few seconds, which is often enough: rows that fit into a page are
   * counted when that is read.
   */
  private Future<Void> count(int partition) {
    return AsyncLoop.forEach(
        List.of(OutboxKind.values()),
        kind ->
            meters.outbox().isCounted(name(kind), partition)
                ? Future.succeededFuture()
                : database
                    .read(session -> OutboxTable.count(session, partition, kind, COUNTED_MAX))
                    .onSuccess(rows -> meters.outbox().waiting(name(kind), partition, rows))
                    .mapEmpty());
  }

  // ---- requests to owners

  @Override
  public Future<List<OwnerRequest>> openRequests(
      Collection<Integer> partitionNumbers, long afterId, int limit) {
    return database.read(session -> RequestTable.open(session, partitionNumbers, afterId, limit));
  }

  @Override
  public Future<Void> answerRequests(Collection<Long> ids, String answer) {
    return database.read(session -> RequestTable.answer(session, ids, answer));
  }

  @Override
  public Future<Integer> purgeRequests(int partition, long beforeMs, int limit) {
    return database.read(session -> RequestTable.purge(session, partition, beforeMs, limit));
  }

  // ---- comparison

  @Override
  public <T> Future<Optional<T>> compare(
      Fence fence, BucketId id, Function<StillBucket, Future<T>> look) {
    return database.inTransaction(
        session ->
            BucketTransaction.hold(session, fence, id)
                .compose(
                    held ->
                        held.isPresent()
                            ? look.apply(held.get()).map(Optional::of)
                            : Future.succeededFuture(Optional.empty())));
  }

  @Override
  public Future<Void> reported(int partition, String report) {
    return database
        .read(
            session ->
                session.update(SqlStatement.KEEP_REPORT, Tuple.of(partition, report, report)))
        .mapEmpty();
  }

  @Override
  public Future<Void> freezeSku(long skuId, String why) {
    return database
        .inTransaction(
            session ->
                SkuTable.lock(session, skuId)
                    .compose(
                        sku ->
                            sku.isPresent()
                                ? StateTransaction.freeze(session, sku.get(), why)
                                : Future.succeededFuture(false)))
        .onSuccess(
            frozen -> {
              if (frozen) {
                meters.count(Rare.LEDGER_SKUS_FROZEN);
              }
            })
        .mapEmpty();
  }

  @Override
  public Future<Void> correct(Correction correction) {
    return database
        .inTransaction(
            session ->
                OrderTable.nowMs(session).compose(nowMs -> insert(session, correction, nowMs)))
        .onSuccess(written -> meters.count(Rare.LEDGER_CORRECTIONS));
  }

  private static Future<Void> insert(SqlSession session, Correction correction, long nowMs) {
    return session
        .update(
            SqlStatement.INSERT_CORRECTION,
            Tuple.of(
                correction.what(),
                correction.before(),
                correction.after(),
                correction.why(),
                nowMs))
        .mapEmpty();
  }

  @Override
  public Future<List<Correction>> corrections(int limit) {
    return database.read(
        session ->
            session.select(
                SqlStatement.LIST_CORRECTIONS, Tuple.of(limit), Columns.to(Correction.class)));
  }

  // ---- audits

  @Override
  public Future<Optional<Audit>> audit(long skuId, int rowsMax) {
    return database.read(session -> AuditTable.audit(session, skuId, rowsMax));
  }

  @Override
  public Future<Optional<Mark>> mark(long skuId) {
    return database.inTransaction(session -> AuditTable.mark(session, skuId));
  }

  @Override
  public Future<TxnSums> sum(Mark mark, TxnSums before, int rowsMax) {
    return database.read(session -> AuditTable.sum(session, mark, before, rowsMax));
  }

  // ---- archive and watermarks

  @Override
  public Future<Boolean> archiveNext(int ordersMax) {
    return database.inTransaction(session -> ArchiveTransaction.next(session, ordersMax));
  }

  @Override
  public Future<Boolean> forgetNext(int rowsMax) {
    return database.inTransaction(session -> ForgetTransaction.next(session, rowsMax));
  }

  @Override
  public Future<List<MarkedStock>> markedStocks(int partition, long afterSkuId, int limit) {
    return database.read(
        session -> WatermarkTransaction.page(session, partition, afterSkuId, limit));
  }

  @Override
  public Future<Boolean> crossMarks(Fence fence, long afterSkuId, int limit) {
    return database.inTransaction(
        session -> WatermarkTransaction.cross(session, fence, afterSkuId, limit));
  }
}
