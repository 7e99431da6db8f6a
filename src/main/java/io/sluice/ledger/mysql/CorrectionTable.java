package io.sluice.ledger.mysql;

import io.sluice.db.SqlSession;
import io.sluice.db.SqlStatement;
import io.sluice.ledger.Ledger.Correction;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.util.List;

/** The repairs, and their reasons. */
public final class CorrectionTable {
  private CorrectionTable() {}

  /** Records a repair. */
  public static Future<Void> insert(SqlSession session, Correction correction, long nowMs) {
    return session
        .update(
            SqlStatement.INSERT_CORRECTION,
            Tuple.of(
                correction.what(),
                correction.before(),
                correction.after(),
                correction.why(),
                nowMs))
        .mapEmpty();
  }

  /** The last repairs, newest first. */
  public static Future<List<Correction>> last(SqlSession session, int limit) {
    return session.select(
        SqlStatement.LIST_CORRECTIONS,
        Tuple.of(limit),
        row ->
            new Correction(
                row.getString(0),
                row.getString(1),
                row.getString(2),
                row.getString(3),
                row.getLong(4)));
  }
}
