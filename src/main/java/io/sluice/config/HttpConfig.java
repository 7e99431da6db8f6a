package io.sluice.config;

/**
 * The public port.
 *
 * @param instances event loops that serve; 0 = one per core
 * @param queueMax requests that one event loop may have under way; over it: 503 busy
 */
public record HttpConfig(String host, int port, int instances, int queueMax) {}
