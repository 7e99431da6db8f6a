package io.sluice.config;

/**
 * The whole configuration of an instance; {@code conf/sluice.yaml} shows every key with default and
 * unit.
 */
public record Config(
    HttpConfig http,
    AdminConfig admin,
    AuthConfig auth,
    RedisConfig redis,
    KafkaConfig kafka,
    MysqlConfig mysql,
    ReservationConfig reservation,
    ReconcileConfig reconcile) {}
