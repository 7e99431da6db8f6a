package io.sluice.config;

import io.sluice.config.value.IntKey;
import io.sluice.config.value.InvalidConfigException;
import io.sluice.config.value.Patterns;
import io.sluice.config.value.PemFile;
import io.sluice.config.value.ServerUri;
import io.sluice.config.value.Settings;
import io.sluice.config.value.StringKey;
import io.sluice.config.value.UriParameters;
import java.util.Set;

/**
 * MySQL 8.0.16+ or MariaDB 10.6+.
 *
 * @param uri with the login, see {@link #server}
 * @param poolSize connections of one instance: a quarter for look-ups, an eighth for direct
 *     bookings, the rest for owners
 * @param timeoutMs milliseconds a statement may take
 * @param tls disabled, required (encrypted, but any server is accepted) or verify (its certificate
 *     and host name too)
 * @param caFile for verify, the PEM file of the authorities that may have signed the server's
 *     certificate; empty: those that the JVM trusts
 */
public record MysqlConfig(String uri, int poolSize, int timeoutMs, String tls, String caFile) {
  static final StringKey URI =
      StringKey.uri(
          "mysql.uri",
          "mysql://sluice:sluice@127.0.0.1:3306/sluice",
          "a URI like mysql://user:password@host:3306/database (or mariadb)",
          Patterns.MYSQL_URI);
  static final IntKey POOL_SIZE = new IntKey("mysql.pool_size", 8, 1, 1_000);
  static final IntKey TIMEOUT_MS = new IntKey("mysql.timeout_ms", 5_000, 1, 600_000);

  static final StringKey TLS =
      StringKey.of(
          "mysql.tls", "disabled", "disabled, required or verify", "disabled|required|verify");
  static final StringKey CA_FILE = StringKey.of("mysql.ca_file", "", "a file", Patterns.ANY);

  /** One of this many connections is for look-ups. */
  private static final int LOOKUPS_SHARE = 4;

  /** One of this many connections is for direct bookings. */
  private static final int BOOKINGS_SHARE = 8;

  public MysqlConfig {
    URI.check(uri);
    POOL_SIZE.check(poolSize);
    TIMEOUT_MS.check(timeoutMs);
    TLS.check(tls);
    UriParameters.check(
        URI.key(),
        ServerUri.parse(uri).parameters(),
        Set.of(),
        TLS.key() + " and " + CA_FILE.key());
    if (!caFile.isEmpty() && !tls.equals("verify")) {
      throw new InvalidConfigException(
          CA_FILE.key(), CA_FILE.key() + " must be empty unless mysql.tls is verify");
    }
  }

  /** Host, login and database. */
  public ServerUri server() {
    return ServerUri.parse(uri);
  }

  /** Whether the connections are encrypted. */
  public boolean isTls() {
    return !tls.equals(TLS.byDefault());
  }

  /** Whether the server must prove who it is: its certificate is verified, and its host name. */
  public boolean isVerified() {
    return tls.equals("verify");
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
    return new MysqlConfig(uri, size, timeoutMs, tls, caFile);
  }

  static MysqlConfig read(Settings settings) {
    return new MysqlConfig(
        settings.text(URI),
        settings.number(POOL_SIZE),
        settings.number(TIMEOUT_MS),
        settings.text(TLS),
        PemFile.certificates(CA_FILE.key(), settings.text(CA_FILE)));
  }

  /** Without the password, since this may be logged. */
  @Override
  public String toString() {
    return "database at " + server() + ", tls " + tls;
  }
}
