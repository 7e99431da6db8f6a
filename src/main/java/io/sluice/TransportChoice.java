package io.sluice;

import io.vertx.core.transport.Transport;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Chooses the native transport if available; otherwise the JDK's, with a warning on Linux. */
final class TransportChoice {
  private static final Logger log = LoggerFactory.getLogger(TransportChoice.class);

  private TransportChoice() {}

  static ListeningTransport ofThisMachine() {
    boolean linux = System.getProperty("os.name", "").toLowerCase(Locale.ROOT).startsWith("linux");
    return of(Transport.nativeTransport(), linux);
  }

  /**
   * @param offered the native transport here, or null
   * @param expected whether there should be one
   */
  static ListeningTransport of(@Nullable Transport offered, boolean expected) {
    if (offered != null && offered.available()) {
      return new ListeningTransport(offered);
    }
    if (expected) {
      log.atWarn()
          .addKeyValue("cause", offered == null ? "its classes are missing" : why(offered))
          .log(
              "epoll cannot be used, sockets go through the JDK instead, which costs throughput;"
                  + " its library needs a java.io.tmpdir that is writable and not mounted noexec");
    }
    return new ListeningTransport(Transport.NIO);
  }

  /** The innermost cause; the outer ones only say that a library was not loaded. */
  private static String why(Transport offered) {
    Throwable cause = offered.unavailabilityCause();
    while (cause != null && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return String.valueOf(cause);
  }
}
