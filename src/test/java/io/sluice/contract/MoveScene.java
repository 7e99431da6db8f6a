package io.sluice.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.BucketRow;
import io.sluice.ledger.Ledger.LendResult;
import io.sluice.ledger.Ledger.TakeResult;
import io.sluice.ledger.Move;
import io.sluice.ledger.Move.Borrow;
import io.sluice.ledger.Move.Part;
import io.sluice.ledger.OutboxRow;
import io.sluice.ledger.OwnerRequest;
import io.sluice.ledger.OwnerRequest.RequestKind;
import io.sluice.ledger.rules.OutboxPayload;
import io.sluice.model.BucketId;
import io.sluice.model.Sku;
import java.util.List;

/** Shorthand for the contracts of units that move between buckets. */
abstract class MoveScene extends LedgerScene {
  final Borrow borrow(Sku sku, int from, int to) {
    return new Borrow(sku.placed(from), sku.placed(to), sku.saleNo(), 1, 100);
  }

  final Part part(Sku sku, OwnerRequest request, int to, long units) {
    return new Part(request.id(), to, sku.placed(to).partition(), units);
  }

  final OwnerRequest ask(Sku sku, int from, int to) {
    get(skus().borrow(List.of(borrow(sku, from, to))));
    return requests(sku).stream()
        .filter(request -> request.borrow().orElseThrow().to().equals(sku.placed(to)))
        .findFirst()
        .orElseThrow();
  }

  /** An intent to move units from the first bucket to both others. */
  final OutboxRow intend(Sku sku, long toSecond, long toThird) {
    BucketId from = new BucketId(sku.skuId(), 0);
    List<Part> parts =
        List.of(part(sku, ask(sku, 0, 1), 1, toSecond), part(sku, ask(sku, 0, 2), 2, toThird));
    LendResult result = get(ledger().lend(own(from), new Move(from, sku.saleNo(), parts)));
    assertThat(result).isEqualTo(LendResult.INTENDED);
    return intents(sku).get(0);
  }

  final TakeResult finish(OutboxRow intent) {
    BucketRow from = row(OutboxPayload.bucketOf(intent.payload()));
    return get(ledger().finishTake(own(from.id()), intent, from.epoch(), from.version()));
  }

  final List<OwnerRequest> requests(Sku sku) {
    return requests(sku.skuId(), RequestKind.BORROW);
  }

  final List<Long> versions(Sku sku) {
    return get(skus().bucketsOf(sku.skuId())).stream().map(BucketRow::version).toList();
  }

  final List<OutboxRow> rows(Sku sku, String type) {
    return restocks(sku.skuId(), type);
  }

  final List<OutboxRow> intents(Sku sku) {
    return rows(sku, OutboxPayload.MOVE);
  }

  final List<OutboxRow> takes(Sku sku) {
    return rows(sku, OutboxPayload.TAKE);
  }

  final List<Integer> received(Sku sku) {
    return rows(sku, OutboxPayload.CEILING).stream()
        .filter(row -> OutboxPayload.isReceived(row.payload()))
        .map(row -> OutboxPayload.bucketOf(row.payload()).bucket())
        .toList();
  }
}
