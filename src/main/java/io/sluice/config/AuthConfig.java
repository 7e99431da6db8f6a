package io.sluice.config;

/**
 * Who a caller is.
 *
 * @param mode header: a gateway in front sets {@code userHeader}
 * @param serviceToken bearer token of the back office; empty: loopback only
 * @param tokenSecret from which order tokens are made; empty: drawn once and kept in the ledger
 */
public record AuthConfig(String mode, String userHeader, String serviceToken, String tokenSecret) {}
