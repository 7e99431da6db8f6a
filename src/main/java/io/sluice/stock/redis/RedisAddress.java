package io.sluice.stock.redis;

/** Where a Redis listens. */
record RedisAddress(String host, int port) {

  /** The host as it stands in a URI. */
  String hostInUri() {
    return host.indexOf(':') < 0 ? host : "[" + host + "]";
  }

  @Override
  public String toString() {
    return hostInUri() + ":" + port;
  }
}
