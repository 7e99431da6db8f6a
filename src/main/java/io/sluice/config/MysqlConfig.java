package io.sluice.config;

/**
 * MySQL 8.0.16+ or MariaDB 10.6+.
 *
 * @param poolSize connections of one instance: a quarter for look-ups, an eighth for direct
 *     bookings, the rest for owners
 * @param timeoutMs milliseconds a statement may take
 */
public record MysqlConfig(String uri, int poolSize, int timeoutMs) {
  static final StringKey URI =
      StringKey.of(
          "mysql.uri",
          "mysql://sluice:sluice@127.0.0.1:3306/sluice",
          "a URI like mysql://user:password@host:3306/database (or mariadb)",
          Patterns.MYSQL_URI);
  static final IntKey POOL_SIZE = new IntKey("mysql.pool_size", 8, 1, 1_000);
  static final IntKey TIMEOUT_MS = new IntKey("mysql.timeout_ms", 5_000, 1, 600_000);

  /** One of this many connections is for look-ups. */
  private static final int LOOKUPS_SHARE = 4;

  /** One of this many connections is for direct bookings. */
  private static final int BOOKINGS_SHARE = 8;

  public MysqlConfig {
    URI.check(uri);
    POOL_SIZE.check(poolSize);
    TIMEOUT_MS.check(timeoutMs);
  }

  /**
   * The connections of owners: all except those for look-ups and direct bookings. The smallest
   * configuration uses three connections, since each of the three needs its own.
   */
  public MysqlConfig forOwners() {
    return withPool(Math.max(1, poolSize - lookups() - bookings()));
  }

  /**
   * The connections of direct bookings. They are needed most when owners wait for the ledger on all
   * of theirs.
   */
  public MysqlConfig forBookings() {
    return withPool(bookings());
  }

  /** The connections of look-ups by callers, so that these never take the connections of owners. */
  public MysqlConfig forLookups() {
    return withPool(lookups());
  }

  private int lookups() {
    return Math.max(1, poolSize / LOOKUPS_SHARE);
  }

  private int bookings() {
    return Math.max(1, poolSize / BOOKINGS_SHARE);
  }

  private MysqlConfig withPool(int size) {
    return new MysqlConfig(uri, size, timeoutMs);
  }

  static MysqlConfig read(Settings settings) {
    return new MysqlConfig(
        settings.text(URI), settings.number(POOL_SIZE), settings.number(TIMEOUT_MS));
  }
}
