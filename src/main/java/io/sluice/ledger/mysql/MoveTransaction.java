package io.sluice.ledger.mysql;

import io.sluice.async.AsyncLoop;
import io.sluice.db.SqlSession;
import io.sluice.ledger.Fence;
import io.sluice.ledger.Ledger.LendResult;
import io.sluice.ledger.Ledger.TakeResult;
import io.sluice.ledger.Move;
import io.sluice.ledger.Move.Part;
import io.sluice.ledger.OutboxRow;
import io.sluice.ledger.rules.MovePayload;
import io.sluice.ledger.rules.RestockPlan;
import io.sluice.ledger.rules.SkuRules;
import io.sluice.model.Sku;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The two transactions in which units move between buckets of a SKU: the intent, and, once Redis
 * has taken them from the first bucket, the change of all allotments.
 */
final class MoveTransaction {
  private static final Logger log = LoggerFactory.getLogger(MoveTransaction.class);

  private final SqlSession session;

  MoveTransaction(SqlSession session) {
    this.session = session;
  }

  /** The id of the row is drawn while the bucket is locked, so that ids rise as rows commit. */
  Future<LendResult> lend(Fence fence, Move move) {
    return FenceTable.holds(session, fence)
        .compose(
            mine ->
                mine
                    ? SkuTable.share(session, move.from().skuId())
                        .compose(
                            sku ->
                                sku.filter(now -> SkuRules.maySell(now, move)).isPresent()
                                    ? lend(fence.partition(), sku.get(), move)
                                    : Future.succeededFuture(LendResult.NOTHING))
                    : Future.succeededFuture(LendResult.FENCE_LOST));
  }

  private Future<LendResult> lend(int partition, Sku sku, Move move) {
    return SkuTransaction.on(session, sku, Set.of(move.from().bucket()))
        .compose(
            held ->
                held.bucket(move.from().bucket()).partition() != partition
                    ? Future.succeededFuture(LendResult.NOTHING)
                    : served(move.parts()).compose(parts -> intend(held, move, parts)));
  }

  /** Those parts whose requests were open. */
  private Future<List<Part>> served(List<Part> parts) {
    List<Part> open = new ArrayList<>();
    return AsyncLoop.forEach(
            parts,
            part ->
                RequestTable.serve(session, part.requestId())
                    .onSuccess(
                        wasOpen -> {
                          if (wasOpen) {
                            open.add(part);
                          }
                        }))
        .map(open);
  }

  private Future<LendResult> intend(SkuTransaction held, Move move, List<Part> parts) {
    if (parts.isEmpty()) {
      return Future.succeededFuture(LendResult.NOTHING);
    }
    int partition = held.bucket(move.from().bucket()).partition();
    Move served = new Move(move.from(), move.saleNo(), parts);
    return held.leave(List.of(MovePayload.draft(partition, served))).map(LendResult.INTENDED);
  }

  /**
   * Redis has taken the units; see {@link ReductionTransaction#finish}.
   *
   * @param moved given the number of units that this transaction moves, 0 if none; called more than
   *     once if the transaction is repeated
   */
  Future<TakeResult> finish(
      Fence fence, OutboxRow intent, long epoch, long version, LongConsumer moved) {
    moved.accept(0);
    Move move = MovePayload.moveOf(intent.payload());
    return answered(intent, move, epoch, version)
        .record(
            fence,
            sku ->
                !SkuRules.mayMove(sku.sku(), move)
                        || sku.bucket(move.from().bucket()).free() < move.units()
                    ? giveBack(sku, intent, move)
                    : carryOut(sku, intent, move).onSuccess(done -> moved.accept(move.units())));
  }

  /** Redis had too few units; see {@link ReductionTransaction#refuse}. */
  Future<TakeResult> refuse(Fence fence, OutboxRow intent, long epoch, long version) {
    Move move = MovePayload.moveOf(intent.payload());
    return answered(intent, move, epoch, version).record(fence, sku -> refused(intent, move));
  }

  private AnsweredIntent answered(OutboxRow intent, Move move, long epoch, long version) {
    return new AnsweredIntent(session, intent, move.from(), () -> hold(move), epoch, version);
  }

  private Future<SkuTransaction> hold(Move move) {
    Set<Integer> buckets = new HashSet<>(Set.of(move.from().bucket()));
    move.parts().forEach(part -> buckets.add(part.bucket()));
    return SkuTable.share(session, move.from().skuId())
        .compose(sku -> SkuTransaction.on(session, sku.orElseThrow(), buckets));
  }

  private Future<TakeResult> carryOut(SkuTransaction sku, OutboxRow intent, Move move) {
    Map<Integer, Long> changes = new TreeMap<>();
    move.parts().forEach(part -> changes.merge(part.bucket(), part.units(), Long::sum));
    changes.merge(move.from().bucket(), -move.units(), Long::sum);
    return sku.move(changes, bucket -> RestockPlan.moveToken(intent.id(), bucket))
        .compose(done -> close(intent, move.parts(), part -> MovePayload.moved(part.units())));
  }

  /**
   * The SKU has begun to end, or is in its next sale; fewer units are free than Redis had only if
   * something is wrong, as for a take-back. The total is set in Redis again. This locks more than
   * was held, so two that do it may meet; one of them is repeated.
   */
  private Future<TakeResult> giveBack(SkuTransaction sku, OutboxRow intent, Move move) {
    if (SkuRules.mayMove(sku.sku(), move)) {
      log.atError()
          .addKeyValue("sku", move.from().skuId())
          .addKeyValue("bucket", move.from().bucket())
          .addKeyValue("units", move.units())
          .log("Redis has taken back more units than the ledger has free; its total is set again");
    }
    return SkuTransaction.on(session, sku.sku())
        .compose(all -> all.write(all.sku()))
        .compose(told -> refused(intent, move));
  }

  private Future<TakeResult> refused(OutboxRow intent, Move move) {
    return close(intent, move.parts(), part -> MovePayload.refused("too few units"));
  }

  private interface Answer {
    String to(Part part);
  }

  private Future<TakeResult> close(OutboxRow intent, List<Part> parts, Answer answer) {
    return OutboxTable.sent(session, List.of(intent))
        .compose(
            sent ->
                AsyncLoop.forEach(
                    parts,
                    part -> RequestTable.closeServed(session, part.requestId(), answer.to(part))))
        .map(TakeResult.DONE);
  }
}
