package io.sluice.config;

import static io.sluice.config.InvalidConfigException.require;
import static io.sluice.config.InvalidConfigException.requireMore;

import io.sluice.config.Key.Patterns;
import io.sluice.model.Limits;
import java.util.List;
import java.util.Map;

/**
 * The whole configuration of an instance: a component for each section, and in each section one for
 * each key, with its default and range; {@code conf/sluice.yaml} says what each is for.
 */
public record Config(
    HttpConfig http,
    AdminConfig admin,
    AuthConfig auth,
    AdmissionConfig admission,
    RedisConfig redis,
    KafkaConfig kafka,
    MysqlConfig mysql,
    StoresConfig stores,
    ReservationConfig reservation,
    SaleConfig sale,
    ReconcileConfig reconcile,
    WebhooksConfig webhooks,
    TracingConfig tracing,
    LogConfig log) {

  /**
   * The public port.
   *
   * @param port 0 takes any free one
   * @param instances the number of event loops that serve; 0 = one per core
   * @param queueMax the maximum number of requests in flight on one event loop; over it: 503 busy
   * @param connectionsMax the maximum number of open connections
   * @param connectionsPerAddress of one address, except trusted proxies; 0 = any number
   * @param bodyTimeoutS within which a request must arrive completely, else 408; and a TLS
   *     handshake end
   * @param pollsMax the maximum number of long polls at a time; over it: 503 busy
   * @param headerBytesMax of all headers of a request; over it: 431
   * @param tls the certificate of the port, if it speaks TLS
   */
  public record HttpConfig(
      @Key(value = "0.0.0.0", form = Patterns.HOST, expected = Patterns.HOST_EXPECTED) String host,
      @Key(value = "8080", max = 65_535) int port,
      @Key(value = "0", max = 256) int instances,
      @Key(value = "10000", min = 1, max = 1_000_000) int queueMax,
      @Key(value = "20000", min = 1, max = 1_000_000) int connectionsMax,
      @Key(value = "256", max = 1_000_000) int connectionsPerAddress,
      @Key(value = "10", min = 1, max = 60) int bodyTimeoutS,
      @Key(value = "5000", max = 1_000_000) int pollsMax,
      @Key(value = "16384", min = 8_192, max = 65_536) int headerBytesMax,
      TlsFiles tls) {
    public HttpConfig {
      tls.check("http");
    }
  }

  /**
   * How much one caller, and all of them together, may ask of one instance; 0 turns a limit off.
   *
   * @param instancePerS calls per second
   * @param skuPerS orders per second of one SKU
   * @param buyerPerMinute orders of one buyer in any minute
   * @param addressPerMinute calls from one address in any minute
   * @param strikes after how many overruns within a minute a buyer is banned
   * @param banS for how many seconds
   * @param secondLookS for how many seconds after a ban one overrun is enough for the next
   * @param lastFactor orders per unit left that one event loop asks for at the same time, from LAST
   *     on
   */
  public record AdmissionConfig(
      @Key(value = "0", max = 10_000_000) int instancePerS,
      @Key(value = "0", max = 10_000_000) int skuPerS,
      @Key(value = "10", max = 1_000) int buyerPerMinute,
      @Key(value = "0", max = 10_000_000) int addressPerMinute,
      @Key(value = "3", max = 100) int strikes,
      @Key(value = "600", min = 1, max = 2_592_000) int banS,
      @Key(value = "1800", max = 2_592_000) int secondLookS,
      @Key(value = "20", max = 1_000_000) int lastFactor) {}

  /**
   * The demands of the start on stores that are not on this machine, see {@link
   * UnsafeDefaults#refuse}.
   *
   * @param accept what they may lack all the same: words of it, separated by commas
   */
  public record StoresConfig(
      @Key(
              form = "(?:" + WORD + "(?:\\s*,\\s*" + WORD + ")*)?",
              expected =
                  "any of mysql-unverified, redis-without-login and kafka-without-login, or empty")
          String accept) {
    static final String WORD = "(?:mysql-unverified|redis-without-login|kafka-without-login)";
  }

  /**
   * The times in an order's life; milliseconds unless the name says seconds.
   *
   * @param directPerS orders per second that one instance may book past the order log; 0 = none
   */
  public record ReservationConfig(
      @Key(value = "300", max = (int) Limits.PAYMENT_WINDOW_S_MAX) int paymentWindowS,
      @Key(value = "2000", min = 1, max = 120_000) int grantDeadlineMs,
      @Key(value = "4000", min = 1, max = 600_000) int sweepAfterMs,
      @Key(value = "500", min = 10, max = 3_600_000) int timeoutScanMs,
      @Key(value = "2000", max = 30_000) int commandWaitMs,
      @Key(value = "200", max = 1_000_000) int directPerS) {
    private static final String GRANT_DEADLINE_MS = "reservation.grant_deadline_ms";

    public ReservationConfig {
      // The sweep must not book a grant that may still be acknowledged through the log.
      requireMore("reservation.sweep_after_ms", sweepAfterMs, GRANT_DEADLINE_MS, grantDeadlineMs);
    }
  }

  /** When sales end by themselves; seconds. */
  public record SaleConfig(@Key(value = "86400", max = 31_536_000) int endAfterS) {}

  /** How often buckets are compared with the ledger; milliseconds. */
  public record ReconcileConfig(@Key(value = "5000", min = 100, max = 86_400_000) int intervalMs) {}

  /**
   * Events sent to targets.
   *
   * @param allowPrivate whether to loopback and private addresses too: yes, no, or auto
   * @param caFile PEM file of the authorities that may have signed the certificate of a target;
   *     empty: those that the JVM trusts
   */
  public record WebhooksConfig(
      @Key(value = "auto", form = "auto|yes|no", expected = "auto, yes or no") String allowPrivate,
      @Key(expected = "a file", certificates = true) String caFile) {}

  /**
   * Traces of single orders and requests, sent by OTLP over HTTP.
   *
   * @param endpoint of the collector; empty records nothing
   * @param authorization the header of this name that the collector expects; empty: none
   * @param sampleOneIn how many orders there are for each one that is recorded; 0 records none
   * @param failuresPerS how many failures that are not sampled are recorded, per second
   * @param askedPerS how many requests are recorded because a trusted proxy asks for it, per second
   * @param queueMax how many spans wait for the collector; over it they are dropped
   * @param link where people look at a trace, with {trace_id} in its place; empty: nowhere
   */
  public record TracingConfig(
      @Key(
              form = "|https?://[^\\s/@?#]+(?:/[^\\s@?#]*)?",
              expected = "empty or a URL like http://collector:4318, without user and query")
          String endpoint,
      @Key(
              form = "[\\x20-\\x7e]{0,4096}",
              expected = "visible ASCII characters and spaces",
              shown = Key.Shown.SECRET)
          String authorization,
      @Key(value = "1000", max = 1_000_000_000) int sampleOneIn,
      @Key(value = "10", max = 1_000) int failuresPerS,
      @Key(value = "10", max = 1_000) int askedPerS,
      @Key(value = "4096", min = 512, max = 1_000_000) int queueMax,
      @Key(
              form = "|https?://[^\\s]*\\{trace_id}[^\\s]*",
              expected = "empty or a URL with {trace_id}, like https://jaeger/trace/{trace_id}")
          String link) {

    /** Whether anything is recorded. */
    public boolean isOn() {
      return !endpoint.isEmpty();
    }

    /** Where traces are sent. */
    public String tracesUri() {
      return (endpoint.endsWith("/") ? endpoint : endpoint + "/") + "v1/traces";
    }

    /** Where people look at this trace; empty if that is not known. */
    public String linkOf(String traceId) {
      return link.replace("{trace_id}", traceId);
    }
  }

  /** How log lines are written. */
  public record LogConfig(
      @Key(value = "text", form = "text|json", expected = "text or json") String format) {
    public boolean isJson() {
      return format.equals("json");
    }
  }

  /** Checks conditions across sections. */
  public Config {
    // The append must have failed before the buyer gets 503 for an unknown outcome.
    requireMore(
        ReservationConfig.GRANT_DEADLINE_MS,
        reservation.grantDeadlineMs(),
        KafkaConfig.DELIVERY_TIMEOUT_MS,
        kafka.deliveryTimeoutMs());
    if (redis.isNone() != kafka.isNone()) {
      throw new InvalidConfigException(
          kafka.isNone() ? "redis.uri" : "kafka.bootstrap_servers",
          "redis.uri and kafka.bootstrap_servers must both be set, or both be empty");
    }
    require(
        kafka.isNone() || mysql.writers() == 1 || mysql.writers() < mysql.forOwners().poolSize(),
        "mysql.writers",
        "must be less than the connections of owners (%d), was %d"
            .formatted(mysql.forOwners().poolSize(), mysql.writers()));
    require(
        admin.port() == 0 || admin.port() != http.port() || !admin.host().equals(http.host()),
        "admin.port",
        "must differ from http.port, was " + admin.port() + " too");
  }

  /** Whether there is neither Redis nor Kafka, so that all SKUs sell in the ledger alone. */
  public boolean isLedgerAlone() {
    return kafka.isNone();
  }

  /** The defaults of all keys. */
  public static Config defaults() {
    return read(new Settings(Map.of(), Map.of()));
  }

  static Config read(Settings settings) {
    settings.refuse("redis.cluster", "redis.mode");
    return settings.section("", Config.class);
  }

  /** One line {@code key = value} per key for the log, with secrets and passwords hidden. */
  public List<String> lines() {
    return Settings.lines("", this);
  }
}
