package io.sluice.ledger.mysql;

import io.sluice.async.AsyncLoop;
import io.sluice.db.SqlSession;
import io.sluice.ledger.Fence;
import io.sluice.ledger.Ledger.LendResult;
import io.sluice.ledger.Move;
import io.sluice.ledger.Move.Part;
import io.sluice.ledger.rules.Gathering;
import io.sluice.ledger.rules.OutboxPayload;
import io.sluice.ledger.rules.RestockPlan;
import io.sluice.ledger.rules.SkuRules;
import io.sluice.model.BucketId;
import io.sluice.model.Sku;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Units that move between buckets of a SKU, so that one that has too few gets some: an owner's
 * intent, which {@link TakeTransaction} carries out once Redis has taken them, or, of a SKU that
 * sells in the ledger alone, the move itself. That one locks all buckets, so that the sum of their
 * allotments is the SKU's total at every committed moment.
 */
record MoveTransaction(SqlSession session) {
  /** The id of the row is drawn while the bucket is locked, so that ids rise as rows commit. */
  Future<LendResult> lend(Fence fence, Move move) {
    return PartitionTable.under(
        session,
        fence,
        LendResult.FENCE_LOST,
        () ->
            SkuTable.share(session, move.from().skuId())
                .compose(
                    sku ->
                        sku.filter(now -> SkuRules.maySell(now, move)).isPresent()
                            ? lend(fence.partition(), sku.get(), move)
                            : Future.succeededFuture(LendResult.NOTHING)));
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
    return held.leave(List.of(OutboxPayload.move(partition, served))).map(LendResult.INTENDED);
  }

  /** Of a SKU that sells in the ledger alone: whether the bucket has so many free units now. */
  static Future<Boolean> gather(SqlSession session, BucketId bucket, int qty) {
    return SkuTable.onLocked(
        session,
        bucket.skuId(),
        false,
        sku ->
            sku.isDirect()
                ? SkuTransaction.on(session, sku).compose(held -> ahead(held, bucket.bucket(), qty))
                : Future.succeededFuture(false));
  }

  private static Future<Boolean> ahead(SkuTransaction held, int target, int qty) {
    Map<Integer, Long> changes = Gathering.ahead(held.freeAfter(Map.of()), target, qty);
    return changes.isEmpty()
        ? Future.succeededFuture(held.bucket(target).free() >= qty)
        : move(held, target, changes).map(true);
  }

  private static Future<Void> move(SkuTransaction held, int target, Map<Integer, Long> changes) {
    String id = RestockPlan.moveId(target, held.bucket(target).nextWrite());
    return held.allot(changes, each -> RestockPlan.token(id, each, 1));
  }
}
