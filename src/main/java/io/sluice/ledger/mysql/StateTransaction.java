package io.sluice.ledger.mysql;

import io.sluice.db.SqlSession;
import io.sluice.ledger.SkuLedger.ChangeResult;
import io.sluice.ledger.SkuLedger.StateChange;
import io.sluice.ledger.mysql.SkuTransaction.ChangedSku;
import io.sluice.ledger.rules.OutboxPayload;
import io.sluice.ledger.rules.SaleRules;
import io.sluice.ledger.rules.SkuRules;
import io.sluice.model.IfMatch;
import io.sluice.model.Sale;
import io.sluice.model.Sku;
import io.sluice.model.SkuState;
import io.sluice.monitor.Alarm;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Changes of a SKU's state, by operators and by alarms. */
final class StateTransaction {
  private static final Logger log = LoggerFactory.getLogger(StateTransaction.class);

  private StateTransaction() {}

  /**
   * @param sku locked
   */
  static Future<ChangeResult> change(
      SqlSession session, Sku sku, StateChange change, IfMatch ifMatch) {
    if (!ifMatch.isMet(Optional.of(sku.tag()))) {
      return Future.succeededFuture(new ChangeResult.Moved());
    }
    if (SkuRules.barredByFreeze(sku, change)) {
      return Future.succeededFuture(new ChangeResult.IsFrozen());
    }
    if (sku.state().isEnding()) {
      return Future.succeededFuture(
          change == StateChange.END ? new ChangeResult.Done(sku) : new ChangeResult.IsEnding());
    }
    return change == StateChange.END
        ? RestockTable.working(session, sku.skuId())
            .compose(
                working ->
                    working.isPresent()
                        ? Future.succeededFuture(new ChangeResult.IsRestocking())
                        : write(session, sku, change))
        : write(session, sku, change);
  }

  private static Future<ChangeResult> write(SqlSession session, Sku sku, StateChange change) {
    return SkuTransaction.on(session, sku)
        .compose(
            held -> {
              if (SkuRules.barredBySale(sku, change, held.nowMs())) {
                String saleId = String.valueOf(sku.membership().saleId());
                return Future.succeededFuture(new ChangeResult.InSale(saleId));
              }
              Sku changed = SkuRules.change(sku, change, held.nowMs());
              return (changed.equals(sku) ? Future.succeededFuture(sku) : held.write(changed))
                  .map(ChangeResult.Done::new);
            });
  }

  /**
   * Takes back what a SKU was opened or closed by on its own. Its sale is locked before it, as by
   * the changes of the sale. So the SKU has the state that the sale has now, and the next change of
   * the sale begins from there.
   */
  static Future<ChangeResult> follow(SqlSession session, long skuId, IfMatch ifMatch) {
    return SkuTable.read(session, List.of(skuId))
        .compose(
            found -> {
              if (found.isEmpty()) {
                return Future.succeededFuture(new ChangeResult.Unknown());
              }
              String saleId = found.get(0).membership().saleId();
              return saleId == null
                  ? followTimes(session, skuId, ifMatch)
                  : SaleTable.lock(session, saleId)
                      .compose(
                          sale ->
                              sale.isEmpty()
                                  ? Future.succeededFuture(new ChangeResult.Unknown())
                                  : follow(session, sale.get(), skuId, ifMatch));
            });
  }

  /** A SKU that is in a sale by now had ended before it has joined that. */
  private static Future<ChangeResult> followTimes(SqlSession session, long skuId, IfMatch ifMatch) {
    return SkuTable.onLocked(
        session,
        skuId,
        new ChangeResult.Unknown(),
        sku ->
            sku.membership().isInSale()
                ? Future.succeededFuture(new ChangeResult.IsEnding())
                : change(session, sku, StateChange.FOLLOW, ifMatch));
  }

  private static Future<ChangeResult> follow(
      SqlSession session, Sale sale, long skuId, IfMatch ifMatch) {
    return SkuTable.onLocked(
        session,
        skuId,
        new ChangeResult.Unknown(),
        sku -> {
          ChangeResult result =
              ifMatch.isMet(Optional.of(sku.tag()))
                  ? SaleRules.follow(sale, sku)
                  : new ChangeResult.Moved();
          return result instanceof ChangeResult.Done done
              ? OrderTable.nowMs(session)
                  .compose(
                      nowMs ->
                          ChangedSku.write(
                              session, List.of(new ChangedSku(sku, done.sku())), nowMs))
                  .map(result)
              : Future.succeededFuture(result);
        });
  }

  /**
   * Stops the sale because an impossible state was found; false if the SKU is frozen already, other
   * than with its sale, or has ended.
   *
   * @param sku locked
   */
  static Future<Boolean> freeze(SqlSession session, Sku sku, String why) {
    boolean isFrozen = sku.state() == SkuState.FROZEN && !sku.membership().frozenBySale();
    if (isFrozen || sku.state().isEnded()) {
      return Future.succeededFuture(false);
    }
    return SkuTransaction.on(session, sku)
        .compose(
            held ->
                held.write(SkuRules.change(sku, StateChange.FREEZE, held.nowMs()))
                    .compose(
                        frozen ->
                            held.leave(
                                List.of(
                                    OutboxPayload.frozen(
                                        held.bucket(0).partition(),
                                        sku.skuId(),
                                        sku.membership().saleId(),
                                        why,
                                        held.nowMs())))))
        .compose(done -> SkuTable.noteFreeze(session, sku.skuId(), why))
        .onSuccess(
            done ->
                Alarm.SKU_FROZEN.raise(
                    log.atError().addKeyValue("sku", sku.skuId()).addKeyValue("why", why)))
        .map(true);
  }
}
