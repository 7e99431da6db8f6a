package io.sluice.ledger;

import io.sluice.ledger.SkuLedger.ArchiveResult;
import io.sluice.ledger.SkuLedger.Forgotten;
import io.sluice.ledger.rules.SkuRules;
import io.sluice.model.Grant;
import io.sluice.model.Order;
import io.sluice.model.OrderNotes;
import io.sluice.model.OrderNotes.Refund;
import io.sluice.model.OrderStatus;
import io.sluice.model.OrderToken;
import io.sluice.model.Sku;
import io.sluice.model.SkuState;
import io.vertx.core.Future;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * The part of the in-memory ledger that moves orders to the archive: there, they have a mark. Sums
 * are those of all rows.
 */
abstract class InMemoryArchives extends InMemoryProgress {
  private static final long AGAIN_AFTER_MS = 30_000;
  private static final SecureRandom RANDOM = new SecureRandom();

  /** Orders of sales up to this one are moved to the archive. */
  record ArchiveJob(long saleNo, long dueAtMs, boolean done) {}

  @Override
  public Future<ArchiveResult> archive(long skuId) {
    Sku sku = tables.skus.get(skuId);
    return sku == null
        ? Future.succeededFuture(new ArchiveResult.Unknown())
        : archiveSale(skuId, sku.saleNo());
  }

  /** Of a SKU that may be in a later sale. */
  Future<ArchiveResult> archiveSale(long skuId, long saleNo) {
    Sku sku = tables.skus.get(skuId);
    if (sku == null) {
      return Future.succeededFuture(new ArchiveResult.Unknown());
    }
    if (!isOver(sku, saleNo)) {
      return Future.succeededFuture(new ArchiveResult.NotEnded(sku));
    }
    ArchiveJob job = tables.archives.get(skuId);
    if (job == null || job.saleNo() < saleNo) {
      tables.archives.put(skuId, new ArchiveJob(saleNo, 0, false));
      return Future.succeededFuture(new ArchiveResult.Working(sku));
    }
    return Future.succeededFuture(
        job.done() ? new ArchiveResult.Done(sku) : new ArchiveResult.Working(sku));
  }

  private static boolean isOver(Sku sku, long saleNo) {
    return saleNo < sku.saleNo() || sku.state().isEnded();
  }

  @Override
  public Future<Boolean> archiveNext(int ordersMax) {
    return nowMs()
        .map(
            nowMs -> {
              Optional<Long> skuId =
                  tables.archives.entrySet().stream()
                      .filter(job -> !job.getValue().done() && job.getValue().dueAtMs() <= nowMs)
                      .map(job -> job.getKey())
                      .findFirst();
              skuId.ifPresent(id -> archive(id, ordersMax, nowMs));
              return skuId.isPresent();
            });
  }

  private void archive(long skuId, int ordersMax, long nowMs) {
    Sku sku = tables.sku(skuId);
    long saleNo = tables.archives.get(skuId).saleNo();
    List<Order> rest =
        tables.orders.values().stream()
            .filter(order -> order.token().skuId() == skuId && !order.archived())
            .filter(order -> order.saleNo() <= saleNo)
            .sorted(Comparator.comparingLong(Order::epoch).thenComparingLong(Order::seq))
            .toList();
    List<Order> page =
        rest.stream()
            .filter(order -> order.status() != OrderStatus.PENDING)
            .limit(sku.state().isEnded() ? ordersMax : Math.min(ordersMax, BESIDE_A_SALE_MAX))
            .toList();
    page.forEach(order -> tables.orders.put(order.token(), order.inArchive()));
    boolean folds = page.isEmpty() && sku.state().isEnded();
    if (folds && tables.foldMoves(skuId, ordersMax) > 0) {
      return;
    }
    if (page.isEmpty() && rest.isEmpty()) {
      tables.archives.put(skuId, new ArchiveJob(saleNo, 0, true));
      tables.earlier.archived(skuId, saleNo);
      if (sku.state() == SkuState.ENDED && saleNo >= sku.saleNo()) {
        tables.skus.put(skuId, SkuRules.archived(sku));
      }
    } else if (page.isEmpty()) {
      tables.archives.put(skuId, new ArchiveJob(saleNo, nowMs + AGAIN_AFTER_MS, false));
    }
  }

  @Override
  public Future<Forgotten> forget(String userId, String pseudonym) {
    Forgotten now = tables.forgets.get(userId);
    if (now == null) {
      tables.forgets.put(userId, new Forgotten(pseudonym, 0, 0, false));
    } else if (now.done()) {
      tables.forgets.remove(userId);
    }
    return Future.succeededFuture(now == null ? new Forgotten(pseudonym, 0, 0, false) : now);
  }

  @Override
  public Future<Boolean> forgetNext(int rowsMax) {
    Optional<String> userId =
        tables.forgets.entrySet().stream()
            .filter(job -> !job.getValue().done())
            .map(job -> job.getKey())
            .findFirst();
    userId.ifPresent(this::forget);
    return Future.succeededFuture(userId.isPresent());
  }

  private void forget(String userId) {
    String pseudonym = tables.forgets.get(userId).pseudonym();
    List<Order> theirs =
        tables.orders.values().stream().filter(order -> order.userId().equals(userId)).toList();
    List<Order> ended =
        theirs.stream()
            .filter(order -> isOver(order.lineTokens().stream().map(tables.orders::get).toList()))
            .toList();
    Map<OrderToken, OrderToken> tokens = new HashMap<>();
    for (Order line : ended) {
      OrderToken lead =
          tokens.computeIfAbsent(line.lineTokens().get(0), InMemoryArchives::otherToken);
      tables.replace(line, forgotten(line, lead.in(line.token().bucketId()), pseudonym));
    }
    tables.forgets.put(
        userId, new Forgotten(pseudonym, ended.size(), theirs.size() - ended.size(), true));
  }

  private boolean isOver(List<Order> lines) {
    return Order.haveEnded(lines)
        && lines.stream().allMatch(line -> isOver(tables.sku(line.token().skuId()), line.saleNo()));
  }

  private static OrderToken otherToken(OrderToken token) {
    byte[] id = new byte[16];
    RANDOM.nextBytes(id);
    String text = Base64.getUrlEncoder().withoutPadding().encodeToString(id);
    return new OrderToken(
        token.skuId(), token.bucket(), token.skuId() + "." + token.bucket() + "." + text);
  }

  private static Order forgotten(Order order, OrderToken token, String pseudonym) {
    UnaryOperator<String> names = name -> "forgotten-" + Math.abs((pseudonym + name).hashCode());
    OrderNotes notes = order.notes();
    String paymentRef = notes.paymentRef();
    Map<String, Refund> refunds = new HashMap<>();
    notes
        .refunds()
        .forEach(
            (id, refund) ->
                refunds.put(
                    names.apply(id),
                    new Refund(names.apply(id), refund.qty(), refund.state(), refund.skuId())));
    OrderNotes renamed =
        new OrderNotes(
            notes.count(),
            notes.extended(),
            paymentRef == null ? null : names.apply(paymentRef),
            notes.payments().stream().map(names).collect(Collectors.toSet()),
            refunds,
            notes.refundedQty(),
            notes.withdrawnQty());
    return new Order(
        new Grant(token, pseudonym, order.grant().units(), null, order.cart()),
        new Order.Life(
            order.status(),
            order.reason(),
            order.version(),
            order.latePaidAtMs(),
            order.updatedAtMs(),
            renamed),
        order.archived());
  }
}
