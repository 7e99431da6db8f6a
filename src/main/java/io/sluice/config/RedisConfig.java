package io.sluice.config;

/**
 * Redis.
 *
 * @param timeoutMs milliseconds a call may take
 */
public record RedisConfig(String uri, boolean cluster, int timeoutMs) {}
