package io.sluice.config;

import io.sluice.config.value.InvalidConfigException;
import io.sluice.config.value.Settings;

/**
 * The whole configuration of an instance; {@code conf/sluice.yaml} shows every key with default and
 * unit.
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
    TracingConfig tracing,
    LogConfig log) {

  /** Checks conditions across sections. */
  public Config {
    // The append must have failed before the buyer gets 503 for an unknown outcome.
    ReservationConfig.GRANT_DEADLINE_MS.checkMore(
        reservation.grantDeadlineMs(), KafkaConfig.DELIVERY_TIMEOUT_MS, kafka.deliveryTimeoutMs());
    if (redis.isNone() != kafka.isNone()) {
      throw new InvalidConfigException(
          kafka.isNone() ? RedisConfig.URI.key() : KafkaConfig.BOOTSTRAP_SERVERS.key(),
          "%s and %s must both be set, or both be empty"
              .formatted(RedisConfig.URI.key(), KafkaConfig.BOOTSTRAP_SERVERS.key()));
    }
    if (admin.port() != 0 && admin.port() == http.port() && admin.host().equals(http.host())) {
      throw new InvalidConfigException(
          AdminConfig.PORT.key(),
          AdminConfig.PORT.key() + " must differ from http.port, was " + admin.port() + " too");
    }
  }

  /** Whether there is neither Redis nor Kafka, so that all SKUs sell in the ledger alone. */
  public boolean isLedgerAlone() {
    return kafka.isNone();
  }

  /** The defaults of all keys. */
  public static Config defaults() {
    return read(Settings.none());
  }

  static Config read(Settings settings) {
    return new Config(
        HttpConfig.read(settings),
        AdminConfig.read(settings),
        AuthConfig.read(settings),
        AdmissionConfig.read(settings),
        RedisConfig.read(settings),
        KafkaConfig.read(settings),
        MysqlConfig.read(settings),
        StoresConfig.read(settings),
        ReservationConfig.read(settings),
        SaleConfig.read(settings),
        ReconcileConfig.read(settings),
        TracingConfig.read(settings),
        LogConfig.read(settings));
  }
}
