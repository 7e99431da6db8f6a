package io.sluice.ledger.mysql;

import io.sluice.db.SqlSession;
import io.sluice.db.SqlStatement;
import io.sluice.ledger.SaleLedger.Seen;
import io.sluice.ledger.SaleLedger.StateTotals;
import io.sluice.model.Sale;
import io.sluice.model.Sale.SaleTerms;
import io.sluice.model.Sku;
import io.sluice.model.SkuState;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.Optional;

/** The sales, and which SKUs are in them. A sale is locked before its SKUs. */
public final class SaleTable {
  private SaleTable() {}

  /** Reads and locks a sale; empty if there is none. */
  public static Future<Optional<Sale>> lock(SqlSession session, String saleId) {
    return session
        .select(SqlStatement.LOCK_SALE, Tuple.of(saleId), SaleTable::seen)
        .map(found -> found.stream().findFirst().map(Seen::sale));
  }

  /** Reads a sale; empty if there is none. */
  public static Future<Optional<Seen>> read(SqlSession session, String saleId) {
    return session
        .select(SqlStatement.READ_SALE, Tuple.of(saleId), SaleTable::seen)
        .map(found -> found.stream().findFirst());
  }

  /** The next sales, in order of their ids. */
  public static Future<List<Seen>> page(SqlSession session, String afterSaleId, int limit) {
    return session.select(SqlStatement.LIST_SALES, Tuple.of(afterSaleId, limit), SaleTable::seen);
  }

  /** Adds a sale. */
  public static Future<Void> insert(SqlSession session, Sale sale) {
    SaleTerms terms = sale.terms();
    return session
        .update(
            SqlStatement.INSERT_SALE,
            Tuple.of(
                sale.saleId(),
                sale.name(),
                terms.opensAtMs(),
                terms.closesAtMs(),
                terms.paymentWindowS(),
                flag(sale.carts()),
                flag(terms.ticket()),
                sale.state().name(),
                flag(sale.frozen()),
                sale.version(),
                sale.stateVersion(),
                sale.createdAtMs()))
        .mapEmpty();
  }

  /** Changes a sale, which its SKUs have to take over. */
  public static Future<Void> update(SqlSession session, Sale sale) {
    SaleTerms terms = sale.terms();
    return session.updateOne(
        SqlStatement.UPDATE_SALE,
        Tuple.of(
            sale.name(),
            terms.opensAtMs(),
            terms.closesAtMs(),
            terms.paymentWindowS(),
            flag(terms.ticket()),
            sale.state().name(),
            flag(sale.frozen()),
            sale.version(),
            sale.stateVersion(),
            flag(true),
            sale.saleId()));
  }

  /** Notes that all SKUs of a sale have taken it over. */
  public static Future<Void> takenOver(SqlSession session, String saleId) {
    return session.updateOne(SqlStatement.NOTE_TAKEN_OVER, Tuple.of(saleId));
  }

  /** Some sales whose SKUs may not all have taken them over. */
  public static Future<List<String>> behind(SqlSession session, String afterSaleId, int limit) {
    return session.select(
        SqlStatement.LIST_SALES_BEHIND, Tuple.of(afterSaleId, limit), row -> row.getString(0));
  }

  /** How many SKUs a sale has, those that have left it included. */
  public static Future<Long> countSkus(SqlSession session, String saleId) {
    return session
        .select(SqlStatement.COUNT_SKUS_OF_SALE, Tuple.of(saleId, saleId), row -> row.getLong(0))
        .map(counted -> counted.get(0));
  }

  /** Some SKUs of a locked sale that have not taken it over, in rising order. */
  public static Future<List<Long>> skusBehind(SqlSession session, Sale sale, int limit) {
    return session
        .select(
            SqlStatement.LIST_SKUS_BEHIND,
            Tuple.of(sale.saleId(), sale.version(), limit),
            row -> row.getLong(0))
        .map(found -> found.stream().sorted().toList());
  }

  /**
   * Some SKUs of a locked sale that can begin to end, in rising order: they are not frozen, and
   * nothing is being taken back from them.
   */
  public static Future<List<Long>> skusToEnd(SqlSession session, Sale sale, int limit) {
    return session.select(
        SqlStatement.LIST_SKUS_TO_END, Tuple.of(sale.saleId(), limit), row -> row.getLong(0));
  }

  /**
   * How many SKUs of a locked sale have a way to go.
   *
   * @param unended those that have not ended
   * @param unarchived those that are not archived, unended ones included, and those that have left
   *     the sale
   */
  public record Ahead(long unended, long unarchived) {}

  /** Counts the SKUs of a locked sale that have a way to go. */
  public static Future<Ahead> ahead(SqlSession session, Sale sale) {
    return session
        .select(
            SqlStatement.COUNT_SKUS_AHEAD,
            Tuple.of(sale.saleId(), sale.saleId()),
            row -> new Ahead(row.getLong(0), row.getLong(1)))
        .map(counted -> counted.get(0));
  }

  /** The next SKUs whose current sale this is, in order of their ids. */
  public static Future<List<Sku>> skus(
      SqlSession session, String saleId, long afterSkuId, int limit) {
    return session.select(
        SqlStatement.LIST_SKUS_OF_SALE, Tuple.of(saleId, afterSkuId, limit), LedgerRows::sku);
  }

  /** The SKUs of a sale and their units, by their stored states. */
  public static Future<List<StateTotals>> totals(SqlSession session, String saleId) {
    return session.select(
        SqlStatement.SUM_SALE,
        Tuple.of(saleId, saleId),
        row ->
            new StateTotals(
                SkuState.valueOf(row.getString(0)),
                row.getLong(1),
                row.getLong(2),
                row.getLong(3),
                row.getLong(4),
                row.getLong(5)));
  }

  private static int flag(boolean set) {
    return set ? 1 : 0;
  }

  private static Seen seen(Row row) {
    Sale sale =
        new Sale(
            row.getString(0),
            row.getString(1),
            row.getInteger(5) != 0,
            new SaleTerms(row.getLong(2), row.getLong(3), row.getLong(4), row.getInteger(6) != 0),
            SkuState.valueOf(row.getString(7)),
            row.getInteger(8) != 0,
            row.getLong(9),
            row.getLong(10),
            row.getLong(11));
    return new Seen(sale, row.getLong(12));
  }
}
