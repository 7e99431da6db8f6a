package io.sluice.web;

import io.sluice.config.InvalidConfigException;
import io.sluice.config.TlsFiles;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.ServerSSLOptions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * TLS of one port. The files are read periodically on a worker thread; a changed pair that can be
 * served replaces the previous one as a whole, for connections that are opened from then on.
 * Anything else is logged once, and the previous pair stays: during a rotation the two files do not
 * change at the same instant.
 */
public final class PortTls {
  static final Duration LOOK_EVERY = Duration.ofSeconds(3);

  private static final Set<String> VERSIONS = Set.of("TLSv1.2", "TLSv1.3");
  private static final Logger log = LoggerFactory.getLogger(PortTls.class);

  private final Vertx vertx;
  private final Optional<CertificateFiles> files;
  private final String key;
  private final AtomicBoolean looking = new AtomicBoolean();
  private volatile CertificateFiles.@Nullable Pem served;
  private volatile String lastFault = "";
  private long timer = -1;

  private PortTls(
      Vertx vertx,
      Optional<CertificateFiles> files,
      String key,
      CertificateFiles.@Nullable Pem served) {
    this.vertx = vertx;
    this.files = files;
    this.key = key;
    this.served = served;
  }

  /**
   * Reads the files, where there are any. Fails with {@link InvalidConfigException} where they
   * cannot be served.
   */
  public static Future<PortTls> open(Vertx vertx, TlsFiles files, TlsFiles.Keys keys) {
    if (!files.isOn()) {
      return Future.succeededFuture(new PortTls(vertx, Optional.empty(), "", null));
    }
    CertificateFiles read = new CertificateFiles(vertx, files, keys, InstantSource.system());
    return vertx.executeBlocking(
        () -> {
          CertificateFiles.Pem pem = read.read();
          read.check(pem);
          return new PortTls(vertx, Optional.of(read), keys.certFile(), pem);
        });
  }

  /** Makes a server with these options use TLS, if the port does. */
  public HttpServerOptions applyTo(HttpServerOptions options) {
    CertificateFiles.Pem pem = served;
    if (pem == null) {
      return options;
    }
    return options
        .setSsl(true)
        .setUseAlpn(false)
        .setEnabledSecureTransportProtocols(VERSIONS)
        .setKeyCertOptions(pem.options());
  }

  /** Looks for a changed pair from now on, on the calling context. */
  public void watch(HttpServer server) {
    if (files.isPresent()) {
      timer = vertx.setPeriodic(LOOK_EVERY.toMillis(), id -> look(files.get(), server));
    }
  }

  /** Ends the watch. */
  public void close() {
    vertx.cancelTimer(timer);
  }

  /** A look that takes longer than the period must not pile up. */
  private void look(CertificateFiles read, HttpServer server) {
    if (looking.compareAndSet(false, true)) {
      vertx
          .executeBlocking(() -> changed(read))
          .compose(pem -> pem.isEmpty() ? Future.succeededFuture() : replace(pem.get(), server))
          .onFailure(this::refused)
          .onComplete(done -> looking.set(false));
    }
  }

  /** The new pair, if it differs and can be served. */
  private Optional<CertificateFiles.Pem> changed(CertificateFiles read) {
    CertificateFiles.Pem found = read.read();
    if (found.equals(served)) {
      lastFault = "";
      return Optional.empty();
    }
    read.check(found);
    return Optional.of(found);
  }

  private Future<Void> replace(CertificateFiles.Pem pem, HttpServer server) {
    ServerSSLOptions options =
        new ServerSSLOptions()
            .setKeyCertOptions(pem.options())
            .setEnabledSecureTransportProtocols(VERSIONS);
    return server
        .updateSSLOptions(options, true)
        .onSuccess(
            updated -> {
              served = pem;
              lastFault = "";
              log.atInfo().addKeyValue("key", key).log("certificate replaced");
            })
        .mapEmpty();
  }

  private void refused(Throwable cause) {
    String why = String.valueOf(cause.getMessage());
    if (!why.equals(lastFault)) {
      lastFault = why;
      log.atWarn()
          .addKeyValue("cause", why)
          .log("changed certificate is not used; the previous one is served on");
    }
  }
}
