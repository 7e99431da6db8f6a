package io.sluice.config;

import io.sluice.config.value.IntKey;
import io.sluice.config.value.Patterns;
import io.sluice.config.value.Settings;
import io.sluice.config.value.StringKey;

/**
 * The public port.
 *
 * @param port 0 takes any free one
 * @param instances the number of event loops that serve; 0 = one per core
 * @param queueMax the maximum number of requests in flight on one event loop; over it: 503 busy
 * @param connectionsMax the maximum number of open connections
 * @param connectionsPerAddress of one address, except trusted proxies; 0 = any number
 * @param bodyTimeoutS within which a request must arrive completely, else 408; and a TLS handshake
 *     end
 * @param pollsMax the maximum number of long polls at a time; over it: 503 busy
 * @param headerBytesMax of all headers of a request; over it: 431
 * @param tls the certificate of the port, if it speaks TLS
 */
public record HttpConfig(
    String host,
    int port,
    int instances,
    int queueMax,
    int connectionsMax,
    int connectionsPerAddress,
    int bodyTimeoutS,
    int pollsMax,
    int headerBytesMax,
    TlsFiles tls) {
  /** The keys of {@code tls}. */
  public static final TlsFiles.Keys TLS = TlsFiles.keys("http");

  static final StringKey HOST =
      StringKey.of("http.host", "0.0.0.0", "an address or a host name", Patterns.HOST);
  static final IntKey PORT = new IntKey("http.port", 8080, 0, 65_535);
  static final IntKey INSTANCES = new IntKey("http.instances", 0, 0, 256);
  static final IntKey QUEUE_MAX = new IntKey("http.queue_max", 10_000, 1, 1_000_000);
  static final IntKey CONNECTIONS_MAX = new IntKey("http.connections_max", 20_000, 1, 1_000_000);
  static final IntKey CONNECTIONS_PER_ADDRESS =
      new IntKey("http.connections_per_address", 256, 0, 1_000_000);
  static final IntKey BODY_TIMEOUT_S = new IntKey("http.body_timeout_s", 10, 1, 60);
  static final IntKey POLLS_MAX = new IntKey("http.polls_max", 5_000, 0, 1_000_000);

  static final IntKey HEADER_BYTES_MAX = new IntKey("http.header_bytes_max", 16_384, 8_192, 65_536);

  public HttpConfig {
    HOST.check(host);
    PORT.check(port);
    INSTANCES.check(instances);
    QUEUE_MAX.check(queueMax);
    CONNECTIONS_MAX.check(connectionsMax);
    CONNECTIONS_PER_ADDRESS.check(connectionsPerAddress);
    BODY_TIMEOUT_S.check(bodyTimeoutS);
    POLLS_MAX.check(pollsMax);
    HEADER_BYTES_MAX.check(headerBytesMax);
  }

  static HttpConfig read(Settings settings) {
    return new HttpConfig(
        settings.text(HOST),
        settings.number(PORT),
        settings.number(INSTANCES),
        settings.number(QUEUE_MAX),
        settings.number(CONNECTIONS_MAX),
        settings.number(CONNECTIONS_PER_ADDRESS),
        settings.number(BODY_TIMEOUT_S),
        settings.number(POLLS_MAX),
        settings.number(HEADER_BYTES_MAX),
        TlsFiles.read(settings, TLS));
  }
}
