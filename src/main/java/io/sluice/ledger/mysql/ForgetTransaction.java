package io.sluice.ledger.mysql;

import io.sluice.db.SqlSession;
import io.sluice.ledger.SkuLedger.Forgotten;
import io.sluice.ledger.mysql.ForgetTable.Found;
import io.sluice.ledger.mysql.ForgetTable.Job;
import io.sluice.ledger.mysql.ForgetTable.Phase;
import io.sluice.ledger.mysql.ForgetTable.Place;
import io.sluice.model.Order;
import io.sluice.model.OrderToken;
import io.sluice.model.Sku;
import io.vertx.core.Future;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The transactions that take a buyer out of orders. The rows of orders are found without a lock, in
 * slices of all of them, because they have no key by buyer. Those that are changed are read only
 * while their buckets are locked. Then nothing else moves or changes them, and all rows of an order
 * are changed at once, here or in the archive: none could be found by the buyer later.
 */
final class ForgetTransaction {
  /** For how long the result, and the id with it, is kept if nobody asks for it. */
  static final Duration RESULT_KEPT = Duration.ofMinutes(10);

  /** How many orders are changed at once: their buckets may sell to others. */
  private static final int ORDERS_MAX = 200;

  private static final int PURGE_MAX = 100;
  private static final int SALT_BYTES = 24;
  private static final SecureRandom RANDOM = new SecureRandom();

  private final SqlSession session;
  private final long nowMs;
  private final int rowsMax;

  private ForgetTransaction(SqlSession session, long nowMs, int rowsMax) {
    this.session = session;
    this.nowMs = nowMs;
    this.rowsMax = rowsMax;
  }

  static Future<Forgotten> ask(SqlSession session, String userId, String pseudonym) {
    return ForgetTable.ask(session, userId, pseudonym)
        .compose(asked -> ForgetTable.read(session, userId))
        .compose(
            now ->
                now.done()
                    ? ForgetTable.end(session, userId).map(now)
                    : Future.succeededFuture(now));
  }

  static Future<Boolean> next(SqlSession session, int rowsMax) {
    return OrderTable.nowMs(session)
        .compose(nowMs -> new ForgetTransaction(session, nowMs, rowsMax).next());
  }

  private Future<Boolean> next() {
    return ForgetTable.lock(session)
        .compose(
            job ->
                job.isPresent()
                    ? step(job.get()).map(true)
                    : ForgetTable.purge(session, nowMs - RESULT_KEPT.toMillis(), PURGE_MAX)
                        .map(purged -> purged == PURGE_MAX));
  }

  private Future<Void> step(Job job) {
    int limit = Math.min(rowsMax, ORDERS_MAX);
    return ForgetTable.found(session, job, rowsMax, limit)
        .compose(
            found ->
                forgotten(job, found.stream().filter(Found::theirs).toList())
                    .compose(now -> keep(now, after(found, limit))));
  }

  private Optional<Place> after(List<Found> found, int limit) {
    if (found.isEmpty()) {
      return Optional.empty();
    }
    Found last = found.get(found.size() - 1);
    boolean isFull = found.size() == limit || last.number() == rowsMax;
    return isFull ? Optional.of(last.place()) : Optional.empty();
  }

  /** An order is forgotten with all its lines, wherever they are, or not yet. */
  private Future<Job> forgotten(Job job, List<Found> theirs) {
    Map<OrderToken, Found> orders = new LinkedHashMap<>();
    theirs.forEach(row -> orders.putIfAbsent(leadOf(row), row));
    return over(orders.values())
        .compose(this::ended)
        .compose(
            ended -> {
              Set<OrderToken> leads = new HashSet<>();
              ended.forEach(line -> leads.add(line.lineTokens().get(0)));
              long left = theirs.stream().filter(row -> !leads.contains(leadOf(row))).count();
              return ForgetTable.replace(session, job.pseudonym(), salt(), ended)
                  .map(done -> counted(job, ended.size(), left));
            });
  }

  private static OrderToken leadOf(Found row) {
    return row.tokens().get(0);
  }

  /** Those of these orders all of whose SKUs have ended in their sale: that stays so. */
  private Future<List<Found>> over(Collection<Found> orders) {
    Set<Long> skuIds = new TreeSet<>();
    orders.forEach(order -> order.tokens().forEach(token -> skuIds.add(token.skuId())));
    return SkuTable.read(session, skuIds)
        .map(
            read -> {
              Map<Long, Sku> skus =
                  read.stream().collect(Collectors.toMap(Sku::skuId, Function.identity()));
              return orders.stream().filter(order -> isOver(order, skus)).toList();
            });
  }

  private static boolean isOver(Found order, Map<Long, Sku> skus) {
    List<OrderToken> tokens = order.tokens();
    List<Long> saleNos = order.saleNos();
    return IntStream.range(0, tokens.size())
        .allMatch(
            line -> {
              Sku sku = skus.get(tokens.get(line).skuId());
              return sku != null && (sku.state().isEnded() || saleNos.get(line) < sku.saleNo());
            });
  }

  /** Locks the buckets of these orders, and reads all lines of those that have ended. */
  private Future<List<Order>> ended(List<Found> orders) {
    List<OrderToken> lines = orders.stream().flatMap(order -> order.tokens().stream()).toList();
    return lines.isEmpty()
        ? Future.succeededFuture(List.of())
        : BucketTable.lock(
                session, new TreeSet<>(lines.stream().map(OrderToken::bucketId).toList()))
            .compose(locked -> OrderTable.read(session, lines))
            .map(
                read ->
                    orders.stream()
                        .map(
                            order ->
                                order.tokens().stream()
                                    .map(read::get)
                                    .filter(Objects::nonNull)
                                    .toList())
                        .filter(Order::haveEnded)
                        .flatMap(List::stream)
                        .toList());
  }

  private static String salt() {
    byte[] bytes = new byte[SALT_BYTES];
    RANDOM.nextBytes(bytes);
    return Base64.getEncoder().encodeToString(bytes);
  }

  private static Job counted(Job job, long replaced, long left) {
    return new Job(
        job.userId(),
        job.pseudonym(),
        job.phase(),
        job.after(),
        job.replaced() + replaced,
        job.left() + left);
  }

  /**
   * @param after where this phase goes on; empty if the next one begins
   */
  private Future<Void> keep(Job job, Optional<Place> after) {
    boolean isLast = job.phase() == Phase.ARCHIVED_REJECTS;
    Phase phase =
        after.isPresent() || isLast ? job.phase() : Phase.values()[job.phase().ordinal() + 1];
    Job now =
        new Job(
            job.userId(),
            job.pseudonym(),
            phase,
            after.orElse(Place.FIRST),
            job.replaced(),
            job.left());
    return ForgetTable.keep(session, now, after.isEmpty() && isLast ? nowMs : 0);
  }
}
