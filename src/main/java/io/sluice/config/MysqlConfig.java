package io.sluice.config;

/**
 * MySQL 8.0.16+ or MariaDB 10.6+.
 *
 * @param poolSize connections of one instance
 * @param timeoutMs milliseconds a statement may take
 */
public record MysqlConfig(String uri, int poolSize, int timeoutMs) {
  static final Text URI =
      Text.of(
          "mysql.uri",
          "mysql://sluice:sluice@127.0.0.1:3306/sluice",
          "a URI like mysql://user:password@host:3306/database (or mariadb)",
          Forms.MYSQL_URI);
  static final WholeNumber POOL_SIZE = new WholeNumber("mysql.pool_size", 8, 1, 1_000);
  static final WholeNumber TIMEOUT_MS = new WholeNumber("mysql.timeout_ms", 5_000, 1, 600_000);

  /** Checks each value. */
  public MysqlConfig {
    URI.check(uri);
    POOL_SIZE.check(poolSize);
    TIMEOUT_MS.check(timeoutMs);
  }

  static MysqlConfig read(Settings settings) {
    return new MysqlConfig(
        settings.text(URI), settings.number(POOL_SIZE), settings.number(TIMEOUT_MS));
  }
}
