package io.sluice.ledger.mysql;

import io.sluice.async.AsyncLoop;
import io.sluice.db.SqlSession;
import io.sluice.ledger.SaleLedger;
import io.sluice.ledger.rules.SaleRules;
import io.sluice.model.Sale;
import io.sluice.model.Sku;
import io.sluice.model.SkuState;
import io.vertx.core.Future;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * The next step from a change of a sale to its SKUs, in a transaction that has locked the sale. How
 * far it is can be seen in the SKUs alone, so any instance takes the next one.
 */
final class SaleStep {
  private final SqlSession session;
  private final Sale sale;

  SaleStep(SqlSession session, Sale sale) {
    this.session = session;
    this.sale = sale;
  }

  /** False if there is nothing to do now. */
  Future<Boolean> take() {
    return SaleTable.skusBehind(session, sale, SaleLedger.TAKE_OVER_SKUS_MAX)
        .compose(behind -> behind.isEmpty() ? afterwards() : takeOver(behind).map(true));
  }

  private Future<Void> takeOver(List<Long> behind) {
    List<Long> some =
        sale.isArchiving()
            ? behind.subList(0, Math.min(behind.size(), SaleLedger.TAKE_OVER_ARCHIVES_MAX))
            : behind;
    return askArchive(some)
        .compose(asked -> SkuTable.lockEach(session, some))
        .compose(skus -> write(SaleRules.firstStep(skus), sku -> SaleRules.takeOver(sale, sku)));
  }

  /** Of an ended SKU; one that is archived already has nothing to do. */
  private Future<Void> askArchive(List<Long> skuIds) {
    return sale.isArchiving()
        ? AsyncLoop.forEach(
            skuIds,
            skuId -> ArchiveTransaction.ask(session, skuId, Optional.empty()).<Void>mapEmpty())
        : Future.succeededFuture();
  }

  private Future<Void> write(List<Sku> skus, UnaryOperator<Sku> change) {
    List<ChangedSku> changed =
        skus.stream().map(sku -> new ChangedSku(sku, change.apply(sku))).toList();
    return OrderTable.nowMs(session).compose(nowMs -> ChangedSku.write(session, changed, nowMs));
  }

  /** Once all SKUs have the last change. */
  private Future<Boolean> afterwards() {
    if (sale.state() == SkuState.ENDING) {
      return endSome();
    }
    return sale.isArchiving()
        ? askEarlier()
        : SaleTable.takenOver(session, sale.saleId()).map(false);
  }

  /** The archive for SKUs that have left the sale. Their orders of it move beside a later one. */
  private Future<Boolean> askEarlier() {
    return EarlierSaleTable.toArchive(session, sale.saleId(), SaleLedger.TAKE_OVER_ARCHIVES_MAX)
        .compose(
            left ->
                left.isEmpty()
                    ? archivedIfAll()
                    : AsyncLoop.forEach(
                            left,
                            one ->
                                ArchiveTransaction.ask(
                                        session, one.skuId(), Optional.of(one.saleNo()))
                                    .<Void>mapEmpty())
                        .map(true));
  }

  private Future<Boolean> endSome() {
    return toEnd()
        .compose(
            found ->
                found.isEmpty()
                    ? endedIfAll()
                    : SkuTable.lockEach(session, found)
                        .compose(this::stillToEnd)
                        .compose(
                            skus ->
                                write(SaleRules.firstStep(skus), SaleRules::ending)
                                    .map(!skus.isEmpty())));
  }

  private Future<List<Long>> toEnd() {
    return SaleTable.skusToEnd(session, sale, SaleLedger.TAKE_OVER_SKUS_MAX);
  }

  /** A SKU may have changed before it was locked. */
  private Future<List<Sku>> stillToEnd(List<Sku> locked) {
    return toEnd()
        .map(
            found -> {
              Set<Long> still = new HashSet<>(found);
              return locked.stream()
                  .filter(sku -> SaleRules.mayEnd(sku) && still.contains(sku.skuId()))
                  .toList();
            });
  }

  private Future<Boolean> endedIfAll() {
    return SaleTable.ahead(session, sale)
        .compose(ahead -> ahead.unended() > 0 ? stays() : becomes(SaleRules.ended(sale)));
  }

  private Future<Boolean> archivedIfAll() {
    return SaleTable.ahead(session, sale)
        .compose(ahead -> ahead.unarchived() > 0 ? stays() : becomes(SaleRules.archived(sale)));
  }

  /** Looked at again, as long as it is behind. */
  private static Future<Boolean> stays() {
    return Future.succeededFuture(false);
  }

  private Future<Boolean> becomes(Sale now) {
    return SaleTable.update(session, now)
        .compose(done -> SaleTable.takenOver(session, sale.saleId()))
        .map(false);
  }
}
