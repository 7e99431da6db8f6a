package io.sluice.ledger.mysql;

import io.sluice.async.AsyncLoop;
import io.sluice.db.SqlSession;
import io.sluice.ledger.Ledger.Batch;
import io.sluice.ledger.Step;
import io.sluice.ledger.Step.Result;
import io.sluice.ledger.mysql.BucketTable.LockedBucket;
import io.sluice.ledger.mysql.OrderTable.Leads;
import io.sluice.ledger.mysql.PartitionTable.Asked;
import io.sluice.ledger.mysql.Reach.SeenCarts;
import io.sluice.ledger.rules.BatchChanges;
import io.sluice.ledger.rules.BatchChanges.DeadCause;
import io.sluice.ledger.rules.BatchChanges.Replayed;
import io.sluice.ledger.rules.BatchSnapshot;
import io.sluice.ledger.rules.BatchSnapshot.Claims;
import io.sluice.ledger.rules.BatchSnapshot.SaleKey;
import io.sluice.ledger.rules.LedgerBatch;
import io.sluice.ledger.rules.LedgerBatch.Source;
import io.sluice.ledger.rules.OverdueHolds;
import io.sluice.ledger.rules.OverdueHolds.Demand;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Order;
import io.sluice.model.OrderToken;
import io.sluice.model.Placement;
import io.sluice.model.Sku;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The one transaction for batches of commands: slices of the log, time-outs, a sweep, or bookings
 * past the log. It locks the fences, then SKUs whose totals may fall, then the bucket rows, reads
 * the existing orders and the clock, replays the batches and appends the rows. Every transaction
 * takes locks in this order, and reads nothing before it is locked. The lock of its bucket protects
 * an order.
 *
 * <p>Batches of a round share each statement, and change different buckets. So the outcome is that
 * of the batches one after the other, in any order. One that is refused, or that would change a
 * bucket of another one, is left out before anything is written.
 *
 * <p>A grant from the log, or past it, is rarely in the ledger already, so existing orders are not
 * read at first. If one exists, its insert fails on a unique key. The transaction then runs again
 * and reads them all, and also which orders have the places of these grants: two that claim one
 * fail alike. If the gate has no room, a rejection would be a row of another table, so the orders
 * are read before it is believed.
 *
 * <p>An order of several SKUs is changed with all its lines. If lines are not known before, since
 * only a command's lead names its order, nothing of its batch is written, and {@link
 * RepeatedBatches} runs it again with them. If a bucket has no room, it is run again with all
 * buckets of its SKU. That is impossible in a sound system: a ledger that was restored to an
 * earlier state has lost moves of units between them.
 */
final class BatchTransaction {
  private final SqlSession session;
  private final List<Part> parts;
  private final SaleIds sales;
  private final Map<BucketId, LockedBucket> locked = new TreeMap<>();

  /**
   * The clock of the database, read once all is locked; with the orders, if one of them is a hold.
   */
  private @Nullable Long nowMs;

  private BatchTransaction(SqlSession session, List<Part> parts, SaleIds sales) {
    this.session = session;
    this.parts = parts;
    this.sales = sales;
  }

  /** A batch of the transaction. */
  private static final class Part {
    private final @Nullable Batch batch;
    private final List<Command> commands;
    private final Reach reach;
    private final Source source;
    private final BatchLocks locks;

    private Part(
        @Nullable Batch batch, int partition, List<Command> commands, Reach reach, Source source) {
      this.batch = batch;
      this.commands = commands;
      this.reach = reach;
      this.source = source;
      this.locks = new BatchLocks(partition);
    }

    static Part of(Batch batch, Reach reach) {
      Step step = batch.step();
      Source source = step.advances() ? Source.LOG : Source.OWNER;
      return new Part(batch, step.partition(), batch.commands(), reach, source);
    }

    /** Its step in the log; of a batch that has one. */
    Step step() {
      return Objects.requireNonNull(batch).step();
    }

    boolean advances() {
      return batch != null && batch.step().advances();
    }

    /** Nothing is replayed if lines are missing. */
    Replayed replayed(BatchSnapshot snapshot) {
      List<Command> whole = snapshot.missingLines().isEmpty() ? commands : List.of();
      return new Replayed(snapshot, LedgerBatch.replay(snapshot, whole, source));
    }

    /** The orders that the ledger does not know, unless their grants were looked for. */
    Set<OrderToken> unknown(Map<OrderToken, Order> orders) {
      if (batch == null || batch.searched() || !advances()) {
        return Set.of();
      }
      Set<OrderToken> unknown = BatchSnapshot.orphans(commands);
      unknown.removeAll(orders.keySet());
      return unknown;
    }
  }

  /** A batch, and what is locked in addition to the buckets that its commands name. */
  record Asking(Batch batch, Reach reach) {}

  /**
   * The result of the step, and what is measured of it.
   *
   * @param dead the number of dead-lettered commands, by cause
   * @param timeoutLagsMs how late each time-out was
   * @param orders the number of orders that were written
   * @param repeated grants that had an order before
   * @param bookedLagMs how long before that the oldest of these orders was granted
   * @param lines what was learned of orders of several SKUs
   */
  record Outcome(
      Result result,
      Map<DeadCause, Integer> dead,
      List<Long> timeoutLagsMs,
      int orders,
      int repeated,
      long bookedLagMs,
      SeenCarts lines) {
    /** Nothing was written by this call. */
    static Outcome of(Result result) {
      return new Outcome(result, Map.of(), List.of(), 0, 0, 0, SeenCarts.NONE);
    }

    private static Outcome of(Replayed replayed) {
      BatchChanges changes = replayed.changes();
      return new Outcome(
          changes.applied(replayed.snapshot()),
          changes.dead(),
          changes.timeoutLagsMs(),
          changes.newOrders(),
          changes.repeated(),
          changes.bookedLagMs(replayed.snapshot().nowMs()),
          SeenCarts.in(replayed));
    }
  }

  /** Runs a round of batches of different partitions; an outcome for each, in their order. */
  static Future<List<Outcome>> run(SqlSession session, List<Asking> round, SaleIds sales) {
    List<Part> parts = round.stream().map(one -> Part.of(one.batch(), one.reach())).toList();
    return new BatchTransaction(session, parts, sales).run(false);
  }

  /** Does the same in a transaction that is rolled back, except for commands of foreign buckets. */
  static Future<Outcome> rehearse(SqlSession session, Batch batch, Reach reach, SaleIds sales) {
    return new BatchTransaction(session, List.of(Part.of(batch, reach)), sales)
        .run(true)
        .map(outcomes -> outcomes.get(0));
  }

  /**
   * Runs without the fence, for callers that are not the owner, with commands of one bucket, or of
   * buckets in one partition, wherever that is. The bucket's lock alone protects the gate. The
   * fence only prevents that an offset is applied twice, and here there is no offset.
   *
   * @param assumesFresh whether existing orders are not read at first
   */
  static Future<Replayed> runUnfenced(
      SqlSession session,
      List<Command> commands,
      Reach reach,
      boolean assumesFresh,
      SaleIds sales) {
    Part part = new Part(null, BatchLocks.ANY_PARTITION, commands, reach, Source.PAST_LOG);
    BatchTransaction unfenced = new BatchTransaction(session, List.of(part), sales);
    return unfenced
        .lockBuckets(List.of(part))
        .compose(
            joined ->
                part.locks.partition() == BatchLocks.ANY_PARTITION
                    ? Future.failedFuture("Expected a bucket of the ledger, but there is none")
                    : unfenced.replayAlone(part, assumesFresh));
  }

  /** The same with commands of buckets whose SKUs sell in the ledger alone. */
  static Future<Replayed> runDirect(
      SqlSession session, List<Command> commands, Reach reach, SaleIds sales) {
    Part part = new Part(null, Placement.DIRECT, commands, reach, Source.OWNER);
    BatchTransaction direct = new BatchTransaction(session, List.of(part), sales);
    return direct
        .lockBuckets(List.of(part))
        .compose(
            joined ->
                part.locks.foreign().isEmpty()
                    ? direct.replayAlone(part, false)
                    : Future.failedFuture("Expected direct SKUs, but got " + part.locks.foreign()));
  }

  private Future<Replayed> replayAlone(Part part, boolean assumesFresh) {
    return replay(List.of(part), assumesFresh)
        .compose(
            all -> {
              Replayed replayed = Objects.requireNonNull(all.get(part));
              return write(Reach.missing(replayed).isNone() ? all : Map.of()).map(replayed);
            });
  }

  private Future<List<Outcome>> run(boolean rehearses) {
    Map<Part, Outcome> outcomes = new HashMap<>();
    return PartitionTable.check(session, parts.stream().map(Part::step).toList())
        .compose(fences -> passed(fences, outcomes))
        .compose(this::lockBuckets)
        .compose(
            joined -> {
              List<Part> here = rehearses ? joined : here(joined, outcomes);
              return replay(here, !session.isRepeated());
            })
        .compose(replayed -> write(sound(replayed, outcomes)))
        .map(
            written ->
                parts.stream()
                    .map(part -> outcomes.getOrDefault(part, Outcome.of(new Result.NotJoined())))
                    .toList());
  }

  /** The batches whose fences their owners still have. */
  private Future<List<Part>> passed(Map<Integer, Asked> fences, Map<Part, Outcome> outcomes) {
    List<Part> passed = new ArrayList<>();
    return AsyncLoop.forEach(
            parts,
            part -> {
              Asked asked = Objects.requireNonNull(fences.get(part.step().partition()));
              switch (asked.passage()) {
                case PASSED -> passed.add(part);
                case LOST -> outcomes.put(part, Outcome.of(new Result.FenceLost(asked.now())));
                case ALREADY -> {
                  return recall(part).onSuccess(recalled -> outcomes.put(part, recalled));
                }
              }
              return Future.succeededFuture();
            })
        .map(passed);
  }

  /**
   * The step was committed before. The orders that exist now show which grants it booked, and what
   * became of those of the other commands.
   */
  private Future<Outcome> recall(Part part) {
    return OrderTable.readWhole(session, BatchSnapshot.tokensOf(part.commands))
        .map(
            orders ->
                Outcome.of(Result.Applied.before(BatchSnapshot.reserved(part.commands), orders)));
  }

  /** The batches that have no commands of buckets in other partitions. */
  private static List<Part> here(List<Part> joined, Map<Part, Outcome> outcomes) {
    List<Part> here = new ArrayList<>();
    for (Part part : joined) {
      if (part.locks.foreign().isEmpty()) {
        here.add(part);
      } else {
        outcomes.put(part, Outcome.of(new Result.Foreign(Map.copyOf(part.locks.foreign()))));
      }
    }
    return here;
  }

  /** The batches that can be written; those that lack rows are left out. */
  private static Map<Part, Replayed> sound(
      Map<Part, Replayed> replayed, Map<Part, Outcome> outcomes) {
    Map<Part, Replayed> sound = new HashMap<>();
    replayed.forEach(
        (part, one) -> {
          Set<OrderToken> unknown = part.unknown(one.snapshot().orders());
          boolean isKnown = unknown.isEmpty() || !one.snapshot().missingLines().isEmpty();
          outcomes.put(part, isKnown ? Outcome.of(one) : Outcome.of(new Result.Missing(unknown)));
          if (isKnown && Reach.missing(one).isNone()) {
            sound.put(part, one);
          }
        });
    return sound;
  }

  /** Locks the buckets of these batches, and returns those that share none with one before. */
  private Future<List<Part>> lockBuckets(List<Part> asking) {
    Set<Long> refunded = new TreeSet<>();
    Set<Long> whole = new TreeSet<>();
    asking.forEach(
        part -> {
          refunded.addAll(part.reach.refunded(part.commands));
          whole.addAll(part.reach.withdrawn(part.commands));
          whole.addAll(part.reach.skuIds());
        });
    return SkuTable.lockRejoined(session, refunded, whole)
        .compose(skus -> lockBuckets(asking, skus));
  }

  private Future<List<Part>> lockBuckets(List<Part> asking, List<Sku> skus) {
    Map<Part, Set<BucketId>> joined = new HashMap<>();
    Set<BucketId> all = new TreeSet<>();
    for (Part part : asking) {
      Set<BucketId> wanted =
          BatchLocks.buckets(
              part.commands,
              part.reach.lines(),
              skus.stream().filter(sku -> part.reach.skuIds().contains(sku.skuId())).toList());
      if (wanted.stream().noneMatch(all::contains)) {
        all.addAll(wanted);
        joined.put(part, wanted);
      }
    }
    return BucketTable.lock(session, all)
        .map(
            rows -> {
              rows.forEach(row -> locked.put(row.id(), row));
              joined.forEach((part, wanted) -> part.locks.take(among(rows, wanted), part.commands));
              return asking.stream().filter(joined::containsKey).toList();
            });
  }

  private static List<LockedBucket> among(List<LockedBucket> rows, Set<BucketId> wanted) {
    return rows.stream().filter(row -> wanted.contains(row.id())).toList();
  }

  /** Replays these batches on what the ledger has now. */
  private Future<Map<Part, Replayed>> replay(List<Part> joined, boolean assumesFresh) {
    Map<Part, Replayed> replayed = new HashMap<>();
    return snapshots(joined, assumesFresh)
        .compose(
            snapshots -> {
              snapshots.forEach((part, snapshot) -> replayed.put(part, part.replayed(snapshot)));
              return AsyncLoop.forEach(joined, part -> settle(part, assumesFresh, replayed));
            })
        .map(replayed);
  }

  /** Before a rejection is believed, existing orders are read, and holds that may be overdue. */
  private Future<?> settle(Part part, boolean assumesFresh, Map<Part, Replayed> replayed) {
    Replayed first = Objects.requireNonNull(replayed.get(part));
    if (OverdueHolds.toRead(first, Set.of()).isEmpty()) {
      return Future.succeededFuture();
    }
    Future<Replayed> known =
        assumesFresh
            ? snapshots(List.of(part), false)
                .map(snapshots -> part.replayed(Objects.requireNonNull(snapshots.get(part))))
            : Future.succeededFuture(first);
    return known
        .compose(again -> makingRoom(part, again))
        .onSuccess(settled -> replayed.put(part, settled));
  }

  /**
   * If a bucket has no room, reads holds that may be overdue and replays the batch with them:
   * ending these may make room. Past the log none are ended.
   */
  private Future<Replayed> makingRoom(Part part, Replayed first) {
    if (part.source == Source.PAST_LOG) {
      return Future.succeededFuture(first);
    }
    AtomicReference<Replayed> last = new AtomicReference<>(first);
    Set<BucketId> read = new HashSet<>();
    return AsyncLoop.whileTrue(
            () -> {
              Replayed before = Objects.requireNonNull(last.get());
              Set<BucketId> next = OverdueHolds.toRead(before, read);
              read.addAll(next);
              return next.isEmpty()
                  ? Future.succeededFuture(false)
                  : overdue(next, part.commands)
                      .compose(found -> with(before.snapshot(), found))
                      .map(
                          snapshot -> {
                            last.set(part.replayed(snapshot));
                            return true;
                          });
            })
        .map(done -> last.get());
  }

  private Future<BatchSnapshot> with(BatchSnapshot snapshot, List<Order> found) {
    return sales
        .of(session, BatchSnapshot.salesOf(List.of(), found))
        .map(theirs -> snapshot.with(found, theirs));
  }

  private Future<List<Order>> overdue(Set<BucketId> buckets, List<Command> commands) {
    List<Order> overdue = new ArrayList<>();
    return AsyncLoop.forEach(
            buckets,
            bucket ->
                OrderTable.overdue(session, bucket, Demand.of(bucket.skuId(), commands))
                    .onSuccess(overdue::addAll))
        .map(overdue);
  }

  private Future<Map<Part, BatchSnapshot>> snapshots(List<Part> joined, boolean assumesFresh) {
    Set<OrderToken> tokens = new HashSet<>();
    for (Part part : joined) {
      tokens.addAll(
          assumesFresh && part.source != Source.OWNER
              ? BatchSnapshot.notFresh(part.commands, part.locks.counters())
              : BatchSnapshot.tokensOf(part.commands, part.locks.locked().keySet()));
      tokens.addAll(part.reach.lines());
    }
    return OrderTable.read(
            session, withRejects(tokens, joined), Leads.of(locked), this::orderReadAt)
        .compose(
            orders ->
                claims(joined)
                    .compose(
                        claims ->
                            saleIds(joined, orders)
                                .compose(
                                    ids ->
                                        now()
                                            .map(
                                                atMs ->
                                                    snapshots(
                                                        joined, atMs, orders, claims, ids)))));
  }

  private Future<Map<SaleKey, String>> saleIds(List<Part> joined, Map<OrderToken, Order> orders) {
    List<Command> commands = joined.stream().flatMap(part -> part.commands.stream()).toList();
    return sales.of(session, BatchSnapshot.salesOf(commands, orders.values()));
  }

  private void orderReadAt(long atMs) {
    nowMs = nowMs == null ? atMs : nowMs;
  }

  private Future<Long> now() {
    return nowMs == null
        ? OrderTable.nowMs(session).onSuccess(read -> nowMs = read)
        : Future.succeededFuture(nowMs);
  }

  private static Map<Part, BatchSnapshot> snapshots(
      List<Part> joined,
      long nowMs,
      Map<OrderToken, Order> orders,
      Claims claims,
      Map<SaleKey, String> saleIds) {
    Map<Part, BatchSnapshot> snapshots = new HashMap<>();
    for (Part part : joined) {
      Map<OrderToken, Order> ours = new HashMap<>();
      orders.forEach(
          (token, order) -> {
            if (part.locks.locked().containsKey(token.bucketId())) {
              ours.put(token, order);
            }
          });
      snapshots.put(
          part,
          new BatchSnapshot(
              part.locks.partition(),
              nowMs,
              part.locks.counters(),
              ours,
              claims,
              part.locks.elsewhere(),
              part.reach.skuIds(),
              saleIds));
    }
    return snapshots;
  }

  /** A rejected order is in no key that its grant could violate, so it is always looked for. */
  private Set<OrderToken> withRejects(Set<OrderToken> tokens, List<Part> joined) {
    Predicate<BucketId> rejects = Leads.of(locked).rejects();
    for (Part part : joined) {
      Set<BucketId> ours = part.locks.locked().keySet();
      if (ours.stream().anyMatch(rejects)) {
        BatchSnapshot.tokensOf(part.commands, ours).stream()
            .filter(token -> rejects.test(token.bucketId()))
            .forEach(tokens::add);
      }
    }
    return tokens;
  }

  private Future<Claims> claims(List<Part> joined) {
    if (!session.isRepeated()) {
      return Future.succeededFuture(Claims.UNKNOWN);
    }
    Set<Claims.Place> places = new HashSet<>();
    joined.forEach(
        part -> places.addAll(BatchSnapshot.claimed(part.commands, part.locks.locked().keySet())));
    return OrderTable.claims(session, places);
  }

  /** Writes the rows of these batches, and advances their fences; without any, undoes all. */
  private Future<Void> write(Map<Part, Replayed> sound) {
    if (sound.isEmpty()) {
      session.undo();
      return Future.succeededFuture();
    }
    List<Part> inOrder =
        sound.keySet().stream()
            .sorted(Comparator.comparingInt(part -> part.locks.partition()))
            .toList();
    Collection<BatchChanges> changes =
        inOrder.stream().map(part -> Objects.requireNonNull(sound.get(part)).changes()).toList();
    long atMs = Objects.requireNonNull(nowMs);
    return PartitionTable.advance(
            session, inOrder.stream().filter(Part::advances).map(Part::step).toList())
        .compose(advanced -> new BatchWrite(session, locked, atMs).write(changes));
  }
}
