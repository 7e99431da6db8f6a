package io.sluice.config;

/**
 * MySQL 8.0.16+ or MariaDB 10.6+.
 *
 * @param poolSize connections of one instance
 * @param timeoutMs milliseconds a statement may take
 */
public record MysqlConfig(String uri, int poolSize, int timeoutMs) {}
