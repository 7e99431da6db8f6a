package io.sluice;

import io.vertx.core.transport.Transport;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The native transport where there is one; else that of the JDK, and on Linux a warning says why.
 */
final class TransportChoice {
  private static final Logger log = LoggerFactory.getLogger(TransportChoice.class);

  private TransportChoice() {}

  static ListeningTransport ofThisMachine() {
    boolean linux = System.getProperty("os.name", "").toLowerCase(Locale.ROOT).startsWith("linux");
    return of(Transport.nativeTransport(), linux);
  }

  /** Expects what is native here, or null, and whether there should be something. */
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

  /** The innermost reason: what it is wrapped in says only that a library was not loaded. */
  private static String why(Transport offered) {
    Throwable cause = offered.unavailabilityCause();
    while (cause != null && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return String.valueOf(cause);
  }
}
