package io.sluice.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.DirectLedger.Outcome;
import io.sluice.ledger.DirectLedger.Wish;
import io.sluice.ledger.OutboxRow.OutboxKind;
import io.sluice.ledger.SkuLedger.NewSku;
import io.sluice.ledger.rules.OutboxList;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Order;
import io.sluice.model.OrderToken;
import io.sluice.model.OrderTokens;
import io.sluice.model.Placement;
import io.sluice.model.Refusal;
import io.sluice.model.Sku;
import io.sluice.model.SkuSettings;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** Shorthand for the contracts of SKUs that sell in the ledger alone. */
abstract class DirectScene extends LedgerScene {
  static final OrderTokens TOKENS = new OrderTokens(new byte[16]);

  final BucketId direct(long stock) {
    return direct(stock, 1, SETTINGS);
  }

  final BucketId direct(long stock, int buckets, SkuSettings settings) {
    Sku sku = put(new NewSku(newSkuId(), stock, buckets, Sku.Mode.DIRECT, settings));
    return new BucketId(sku.skuId(), 0);
  }

  static SkuSettings limited(int limit) {
    return new SkuSettings(300, limit, 0, 0);
  }

  static Wish wish(BucketId bucket, String user, int qty) {
    return keyed(bucket, user, "", qty);
  }

  static Wish keyed(BucketId bucket, String user, String key, int qty) {
    return new Wish(TOKENS.tokenFor(user, bucket, key), user, qty, null);
  }

  final List<Outcome> place(Wish... wishes) {
    return placeIn(0, wishes);
  }

  /** The same of callers who believe in this sale. */
  final List<Outcome> placeIn(long saleNo, Wish... wishes) {
    Map<Long, Long> sales = Map.of(wishes[0].token().skuId(), saleNo);
    return get(direct().place(sales, () -> List.of(wishes)));
  }

  final Order booked(Wish wish) {
    Outcome outcome = place(wish).get(0);
    assertThat(outcome).isInstanceOf(Outcome.Booked.class);
    return ((Outcome.Booked) outcome).order();
  }

  static Refusal refusal(Outcome outcome) {
    assertThat(outcome).isInstanceOf(Outcome.Refused.class);
    return ((Outcome.Refused) outcome).refusal();
  }

  final Order apply(Command command) {
    return get(direct().apply(List.of(command))).get(command.token());
  }

  final List<String> eventTypes(BucketId bucket) {
    return outbox(Placement.DIRECT, OutboxKind.EVENT).stream()
        .filter(row -> row.payload().contains("\"sku_id\":" + bucket.skuId()))
        .flatMap(
            row -> Collections.nCopies(entriesOf(row.payload(), bucket), row.eventType()).stream())
        .toList();
  }

  static int entriesOf(String payload, BucketId bucket) {
    return (int)
        OutboxList.entries(payload).stream()
            .filter(entry -> entry.contains("\"sku_id\":" + bucket.skuId()))
            .count();
  }

  static Command part(OrderToken token, int qty, Command.RefundPart.Step step) {
    return new Command.RefundPart(token, "r1", qty, step);
  }
}
