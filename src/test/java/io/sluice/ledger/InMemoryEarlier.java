package io.sluice.ledger;

import io.sluice.ledger.SaleLedger.Member;
import io.sluice.ledger.rules.SkuRules;
import io.sluice.model.Sku;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** The sales that SKUs were in before their current one. */
final class InMemoryEarlier {
  private final List<Member> rows = new ArrayList<>();

  /** Enforces the unique keys. */
  void add(Member leaving) {
    boolean twice =
        of(leaving.sku().membership().saleId())
            .anyMatch(row -> row.sku().skuId() == leaving.sku().skuId());
    if (twice) {
      throw new IllegalStateException("Expected a SKU once in a sale, but got " + leaving);
    }
    rows.add(leaving);
  }

  /** The SKUs that have left the sale, in no order. */
  Stream<Member> of(String saleId) {
    return rows.stream().filter(row -> saleId.equals(row.sku().membership().saleId()));
  }

  /** All of all sales. */
  Stream<Sku> all() {
    return rows.stream().map(Member::sku);
  }

  void archived(long skuId, long saleNo) {
    replace(
        sku -> sku.skuId() == skuId && sku.saleNo() <= saleNo,
        row -> new Member(SkuRules.archived(row.sku()), false, row.sold()));
  }

  void lower(long skuId, long saleNo, long units) {
    replace(
        sku -> sku.skuId() == skuId && sku.saleNo() == saleNo,
        row -> new Member(row.sku(), false, row.sold() - units));
  }

  void delete(long skuId) {
    rows.removeIf(row -> row.sku().skuId() == skuId);
  }

  void becomes(InMemoryEarlier other) {
    rows.clear();
    rows.addAll(other.rows);
  }

  private void replace(Predicate<Sku> which, UnaryOperator<Member> change) {
    rows.replaceAll(row -> which.test(row.sku()) ? change.apply(row) : row);
  }
}
