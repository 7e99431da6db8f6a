package io.sluice.config;

/**
 * The public port.
 *
 * @param port 0 takes any free one
 * @param instances the number of event loops that serve; 0 = one per core
 * @param queueMax the maximum number of requests in flight on one event loop; over it: 503 busy
 */
public record HttpConfig(String host, int port, int instances, int queueMax) {
  static final StringKey HOST =
      StringKey.of("http.host", "0.0.0.0", "an address or a host name", Patterns.HOST);
  static final IntKey PORT = new IntKey("http.port", 8080, 0, 65_535);
  static final IntKey INSTANCES = new IntKey("http.instances", 0, 0, 256);
  static final IntKey QUEUE_MAX = new IntKey("http.queue_max", 10_000, 1, 1_000_000);

  public HttpConfig {
    HOST.check(host);
    PORT.check(port);
    INSTANCES.check(instances);
    QUEUE_MAX.check(queueMax);
  }

  static HttpConfig read(Settings settings) {
    return new HttpConfig(
        settings.text(HOST),
        settings.number(PORT),
        settings.number(INSTANCES),
        settings.number(QUEUE_MAX));
  }
}
