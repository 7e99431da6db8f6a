package io.sluice.stock.redis;

import io.sluice.config.ServerUri;

/** Where a Redis listens. */
record RedisAddress(String host, int port) {
  private static final int DEFAULT_PORT = 6_379;

  /** The address of a URI. */
  static RedisAddress of(ServerUri server) {
    return new RedisAddress(server.host(), server.portOr(DEFAULT_PORT));
  }

  /** As it stands in a URI. */
  @Override
  public String toString() {
    return ServerUri.inUri(host) + ":" + port;
  }
}
