package io.sluice.ledger.mysql;

import io.sluice.db.SqlSession;
import io.sluice.db.SqlStatement;
import io.sluice.ledger.Ledger.Glance;
import io.sluice.ledger.OutboxRow.OutboxKind;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** All partitions at one instant, as their owners see them while nothing happens. */
public final class GlanceTable {
  /** In the order of the statement's columns. */
  private static final List<OutboxKind> KINDS =
      List.of(OutboxKind.EVENT, OutboxKind.RELEASE, OutboxKind.RESTOCK, OutboxKind.DEAD);

  private static final int FIRST_KIND = 4;

  private GlanceTable() {}

  /** By the number of the partition; those that never had an owner are missing. */
  public static Future<Map<Integer, Glance>> byPartition(SqlSession session) {
    return session
        .select(SqlStatement.LIST_GLANCES, Tuple.tuple(), GlanceTable::entry)
        .map(
            rows ->
                rows.stream()
                    .collect(
                        Collectors.toMap(
                            glance -> glance.fence().orElseThrow().partition(),
                            Function.identity())));
  }

  private static Glance entry(Row row) {
    Set<OutboxKind> pending = EnumSet.noneOf(OutboxKind.class);
    for (int i = 0; i < KINDS.size(); i++) {
      if (row.getLong(FIRST_KIND + i) != 0) {
        pending.add(KINDS.get(i));
      }
    }
    return new Glance(row.getLong(3), Optional.of(LedgerRows.fence(row)), pending);
  }
}
