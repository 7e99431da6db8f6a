package io.sluice.ledger.mysql;

import static io.sluice.db.TestDatabase.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.Buyers;
import io.sluice.db.TestDatabase;
import io.sluice.ledger.Audit;
import io.sluice.ledger.Audit.Mark;
import io.sluice.ledger.Audit.TxnSums;
import io.sluice.ledger.Batches;
import io.sluice.ledger.Fence;
import io.sluice.ledger.Step;
import io.sluice.ledger.Step.Result;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.SkuState;
import io.sluice.testkit.mysql.LedgerFill;
import io.vertx.core.Future;
import io.vertx.mysqlclient.MySQLConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/**
 * Audits a SKU in slices while its buckets are booked: a mark is set only under all bucket locks,
 * so it covers exactly the committed rows.
 */
class AuditRacesIT {
  private static final int BUCKETS = 4;
  private static final int BATCHES = 20;
  private static final int BATCH = 5;
  private static final int SLICE = 50;

  private static final String MOVED_MEANWHILE =
      "INSERT INTO restock_row (sku_id, row_token, bucket, qty, created_at, write_no)"
          + " VALUES (5, '!move-15-1#1', 1, 7, 1, 1)";

  @AutoClose private static final RealLedger real = new RealLedger(8);

  private static final TestDatabase database = real.database;
  private static final MySqlLedger ledger = real.ledger;
  private static final MySqlSkuLedger skus = real.skus;

  @Test
  void shouldSumWhatEachMarkStandsForWhileBatchesAreBooked() {
    // given
    real.put(3, 10_000, BUCKETS);
    Future<?> booked =
        Future.all(IntStream.range(0, BUCKETS).mapToObj(i -> book(new BucketId(3, i), 0)).toList());

    // when
    List<Audit> audits = new ArrayList<>();
    do {
      audits.add(audit(get(ledger.mark(3)).orElseThrow()));
    } while (!booked.isComplete());
    get(booked);

    // then
    assertThat(audits).allMatch(Audit::agrees).hasSizeGreaterThan(2);
    assertThat(audit(get(ledger.mark(3)).orElseThrow()).held())
        .isEqualTo(BUCKETS * BATCHES * BATCH);
  }

  @Test
  void shouldNeverSumARowTwiceOrNotAtAllWhileOrdersMoveToTheArchive() {
    // given
    real.put(4, 10_000, BUCKETS);
    for (int bucket = 0; bucket < BUCKETS; bucket++) {
      get(book(new BucketId(4, bucket), 0));
      confirm(new BucketId(4, bucket));
    }
    new LedgerFill(database::sql, RealLedger.PARTITIONS).moved(new BucketId(4, 0), 60);
    end(4);
    get(skus.archive(4));
    Future<?> archived = archive();
    List<TxnSums> sums = new ArrayList<>();
    List<Audit> audits = new ArrayList<>();

    // when
    do {
      Mark mark = get(ledger.mark(4)).orElseThrow();
      TxnSums summed = sum(mark);
      sums.add(summed);
      if (summed.complete()) {
        audits.add(mark.against(summed));
      }
      audits.add(get(skus.audit(4)).orElseThrow());
    } while (!archived.isComplete());
    get(archived);

    // then
    assertThat(sums).as("a mark that rows were moved after").contains(TxnSums.NONE);
    assertThat(audits).allMatch(Audit::agrees);
    assertThat(audit(get(ledger.mark(4)).orElseThrow()).sold())
        .isEqualTo(BUCKETS * BATCHES * BATCH);
    assertThat(get(skus.sku(4)).orElseThrow().state()).isEqualTo(SkuState.ARCHIVED);
  }

  /** A batch that gathers units locks its buckets, but no SKU. */
  @Test
  void shouldKeepARowOfUnitsThatMovedWhileThoseAroundItWereFolded() {
    // given
    real.put(5, 10_000, BUCKETS);
    new LedgerFill(database::sql, RealLedger.PARTITIONS).moved(new BucketId(5, 0), 20);
    end(5);
    get(skus.archive(5));
    MySQLConnection batch = database.connect();
    get(batch.query("START TRANSACTION").execute());
    get(batch.query(MOVED_MEANWHILE).execute());

    // when
    get(archive());
    get(batch.query("COMMIT").execute());

    // then
    assertThat(moved(5)).containsExactly("!move-#0 0", "!move-15-1#1 7");
    get(batch.close());
  }

  private static List<String> moved(long skuId) {
    List<String> rows = new ArrayList<>();
    database
        .sql(
            "SELECT CONCAT(row_token, ' ', qty) FROM restock_row WHERE row_token LIKE '!move%' AND"
                + " sku_id = "
                + skuId)
        .forEach(row -> rows.add(row.getString(0)));
    return rows;
  }

  private static void end(long skuId) {
    database.sql(
        "UPDATE inventory SET state = 'ENDED', thawed_state = 'ENDED' WHERE sku_id = " + skuId);
  }

  private static Future<Void> archive() {
    return ledger.archiveNext(7).compose(more -> more ? archive() : Future.succeededFuture());
  }

  private static void confirm(BucketId bucket) {
    List<Command> confirms =
        IntStream.rangeClosed(1, BATCHES * BATCH)
            .<Command>mapToObj(
                number -> new Command.Confirm(RealLedger.token(bucket, Buyers.of(number)), null))
            .toList();
    Fence fence = get(real.takeOver(bucket));
    get(Batches.apply(ledger, Step.check(fence), confirms));
  }

  /** NONE where rows were moved meanwhile. */
  private static TxnSums sum(Mark mark) {
    TxnSums sums = TxnSums.NONE;
    do {
      sums = get(ledger.sum(mark, sums, SLICE));
    } while (!sums.complete() && !sums.equals(TxnSums.NONE));
    return sums;
  }

  private static Audit audit(Mark mark) {
    TxnSums sums = TxnSums.NONE;
    while (!sums.complete()) {
      sums = get(ledger.sum(mark, sums, SLICE));
    }
    return mark.against(sums);
  }

  /**
   * Books the next batches of a bucket; takes the partition over again whenever the fence is lost.
   */
  private static Future<Void> book(BucketId bucket, int batch) {
    if (batch == BATCHES) {
      return Future.succeededFuture();
    }
    return real.takeOver(bucket)
        .compose(fence -> Batches.apply(ledger, Step.check(fence), reserves(bucket, batch * BATCH)))
        .compose(result -> book(bucket, result instanceof Result.FenceLost ? batch : batch + 1));
  }

  private static List<Command> reserves(BucketId bucket, int from) {
    return IntStream.range(from + 1, from + 1 + BATCH)
        .<Command>mapToObj(
            number ->
                new Command.Reserve(RealLedger.grant(bucket, Buyers.of(number), number), null))
        .toList();
  }
}
