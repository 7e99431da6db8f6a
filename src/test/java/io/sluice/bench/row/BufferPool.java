package io.sluice.bench.row;

import io.sluice.bench.BenchException;
import io.sluice.testkit.mysql.LedgerReader;
import io.sluice.testkit.mysql.MysqlBackend;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** The buffer pool of a running database, which is resized in the background. */
record BufferPool(MysqlBackend database, LedgerReader reader) {
  private static final Duration LIMIT = Duration.ofMinutes(5);
  private static final Duration POLL = Duration.ofMillis(500);
  private static final String SIZE = "SELECT CAST(@@GLOBAL.innodb_buffer_pool_size AS SIGNED)";
  private static final String STATUS = "SHOW GLOBAL STATUS LIKE 'Innodb_buffer_pool_resize_status'";
  private static final String DATA = "SHOW GLOBAL STATUS LIKE 'Innodb_buffer_pool_bytes_data'";

  private static final String UNCHANGED = "Size did not change";

  /** Returns when it has this size. */
  void resize(long bytes) {
    database.administer("SET GLOBAL innodb_buffer_pool_size = " + bytes);
    long endNs = System.nanoTime() + LIMIT.toNanos();
    while (!isResized(bytes)) {
      if (System.nanoTime() > endNs) {
        throw new BenchException(
            "Expected a buffer pool of %,d bytes in time, but it has %,d"
                .formatted(bytes, reader.count(SIZE)));
      }
      LockSupport.parkNanos(POLL.toNanos());
    }
  }

  private boolean isResized(long bytes) {
    List<String> status = reader.query(STATUS, row -> row.getString(1));
    return reader.count(SIZE) == bytes
        && Long.parseLong(reader.query(DATA, row -> row.getString(1)).get(0)) <= bytes
        && status.stream()
            .allMatch(
                text ->
                    text.isBlank() || text.startsWith("Completed") || text.startsWith(UNCHANGED));
  }
}
