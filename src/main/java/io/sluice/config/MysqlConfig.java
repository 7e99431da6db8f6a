package io.sluice.config;

import static io.sluice.config.InvalidConfigException.require;

import io.sluice.config.Key.Patterns;
import java.util.Set;

/**
 * MySQL 8.0.16+ or MariaDB 10.6+.
 *
 * @param uri with the login, see {@link #server}
 * @param poolSize connections of one instance: a quarter for look-ups, an eighth for bookings past
 *     the log, the rest for owners
 * @param writers transactions in which one instance books its partitions at the same time
 * @param timeoutMs milliseconds a statement may take
 * @param tls disabled, required (encrypted, but any server is accepted) or verify (its certificate
 *     and host name too)
 * @param caFile for verify, the PEM file of the authorities that may have signed the server's
 *     certificate; empty: those that the JVM trusts
 */
public record MysqlConfig(
    @Key(
            value = "mysql://sluice:sluice@127.0.0.1:3306/sluice",
            form = Patterns.MYSQL_URI,
            expected = "a URI like mysql://user:password@host:3306/database (or mariadb)",
            shown = Key.Shown.URI)
        String uri,
    @Key(value = "8", min = 1, max = 1_000) int poolSize,
    @Key(value = "1", min = 1, max = 16) int writers,
    @Key(value = "5000", min = 1, max = 600_000) int timeoutMs,
    @Key(
            value = DISABLED,
            form = "disabled|required|verify",
            expected = "disabled, required or verify")
        String tls,
    @Key(expected = "a file", certificates = true) String caFile) {
  private static final String DISABLED = "disabled";
  private static final String CA_FILE = "mysql.ca_file";

  /** One of this many connections is for look-ups. */
  private static final int LOOKUPS_SHARE = 4;

  /** One of this many connections is for bookings past the log. */
  private static final int BOOKINGS_SHARE = 8;

  public MysqlConfig {
    ServerUri.parse(uri).checkParameters("mysql.uri", Set.of(), "mysql.tls and " + CA_FILE);
    require(
        caFile.isEmpty() || tls.equals("verify"),
        CA_FILE,
        "must be empty unless mysql.tls is verify");
  }

  /** Host, login and database. */
  public ServerUri server() {
    return ServerUri.parse(uri);
  }

  /** Whether the connections are encrypted. */
  public boolean isTls() {
    return !tls.equals(DISABLED);
  }

  /** Whether the server must prove who it is: its certificate is verified, and its host name. */
  public boolean isVerified() {
    return tls.equals("verify");
  }

  /**
   * The connections of owners: all except those for look-ups and bookings past the log. The
   * smallest configuration uses three connections, since each of the three needs its own.
   */
  public MysqlConfig forOwners() {
    return withPool(Math.max(1, poolSize - lookups() - bookings()));
  }

  /**
   * The connections of bookings past the log. They are needed most when owners wait for the ledger
   * on all of theirs.
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

  /** The same with so many connections. */
  public MysqlConfig withPool(int size) {
    return new MysqlConfig(uri, size, writers, timeoutMs, tls, caFile);
  }

  /** Without the password, since this may be logged. */
  @Override
  public String toString() {
    return "database at " + server() + ", tls " + tls;
  }
}
