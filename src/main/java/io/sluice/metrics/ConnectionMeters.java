package io.sluice.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/** The meters of connections, and of TLS on them. */
public final class ConnectionMeters {
  private final MeterRegistry registry;
  private final Counter done;
  private final Counter late;
  private final Counter failed;

  ConnectionMeters(MeterRegistry registry) {
    this.registry = registry;
    this.done = handshakes("ok");
    this.late = handshakes("late");
    this.failed = handshakes("failed");
  }

  private Counter handshakes(String outcome) {
    return Counter.builder("sluice_tls_handshakes").tag("outcome", outcome).register(registry);
  }

  /** The open connections and long polls of the public port. */
  public void open(IntSupplier open, IntSupplier longPolls) {
    gauge("sluice_http_connections", open);
    gauge("sluice_http_long_polls", longPolls);
  }

  private void gauge(String name, IntSupplier value) {
    Gauge.builder(name, value::getAsInt).strongReference(true).register(registry);
  }

  /** Counts a connection that was closed because of its caller or of the limit. */
  public void dropped(String reason) {
    registry.counter("sluice_http_connections_dropped", "reason", reason).increment();
  }

  /** A handshake ended as it should. */
  public void shookHands() {
    done.increment();
  }

  /** A handshake did not end in time. */
  public void handshakeLate() {
    late.increment();
  }

  /** A handshake failed, or its caller went away. */
  public void handshakeFailed() {
    failed.increment();
  }

  /**
   * When the certificate of a port expires: {@code
   * sluice_tls_certificate_expires_timestamp_seconds}.
   *
   * @param epochS seconds since 1970
   */
  public void certificateExpires(String port, LongSupplier epochS) {
    Gauge.builder("sluice_tls_certificate_expires_timestamp_seconds", epochS::getAsLong)
        .tag("port", port)
        .strongReference(true)
        .register(registry);
  }
}
