package io.sluice.config;

/**
 * The management port.
 *
 * @param token bearer token; empty: loopback only
 */
public record AdminConfig(String host, int port, String token) {}
