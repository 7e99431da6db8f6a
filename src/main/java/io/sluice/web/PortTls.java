package io.sluice.web;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.sluice.async.Reloaded;
import io.sluice.config.InvalidConfigException;
import io.sluice.config.NamedFile;
import io.sluice.config.TlsFiles;
import io.sluice.metrics.Meters.ConnectionMeters;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509KeyManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * TLS of one port. The files are read periodically on a worker thread. A changed pair that can be
 * served replaces the previous one as a whole, for connections that are opened from then on.
 * Anything else is logged once, and the previous pair stays: during a rotation the two files do not
 * change at the same instant.
 *
 * <p>Not that of Vert.x, whose server tells of a connection only after its handshake: a client that
 * sends nothing would count for no limit.
 */
public final class PortTls {
  static final Duration LOOK_EVERY = Duration.ofSeconds(3);

  private static final List<String> VERSIONS = List.of("TLSv1.3", "TLSv1.2");

  /** All of TLS 1.3; of 1.2 those with ephemeral keys and AEAD. */
  private static final Pattern SUITES =
      Pattern.compile("TLS_(?:AES|CHACHA20)_.*|TLS_ECDHE_.*_(?:GCM|CHACHA20_POLY1305)_.*");

  private static final String RENEGOTIABLE = "TLSv1.2";
  private static final Logger log = LoggerFactory.getLogger(PortTls.class);

  private final Vertx vertx;
  private final @Nullable Reloaded<CertificateFiles.Pem, Served> served;
  private long timer = -1;

  /** The part of a pair that new connections get. */
  private record Served(SslContext context, Instant expires) {}

  private PortTls(Vertx vertx, @Nullable Reloaded<CertificateFiles.Pem, Served> served) {
    this.vertx = vertx;
    this.served = served;
  }

  /**
   * Reads the files, if there are any. Fails with {@link InvalidConfigException} if they cannot be
   * served.
   */
  public static Future<PortTls> open(Vertx vertx, TlsFiles files, TlsFiles.Keys keys) {
    if (!files.isOn()) {
      return Future.succeededFuture(new PortTls(vertx, null));
    }
    CertificateFiles read = new CertificateFiles(vertx, files, keys, InstantSource.system());
    return vertx.executeBlocking(
        () ->
            new PortTls(
                vertx,
                new Reloaded<>(
                    read::read,
                    pem -> {
                      Instant expires = read.check(pem);
                      return new Served(context(vertx, pem), expires);
                    },
                    fresh ->
                        log.atInfo()
                            .addKeyValue("key", keys.certFile())
                            .log("certificate replaced"),
                    why ->
                        log.atWarn()
                            .addKeyValue("cause", why)
                            .log(
                                "changed certificate is not used; the previous one is served"
                                    + " on"))));
  }

  /** Of the cipher suites that the JVM enables those with forward secrecy and authentication. */
  private static SslContext context(Vertx vertx, CertificateFiles.Pem pem) {
    try {
      return SslContextBuilder.forServer(pem.options().getKeyManagerFactory(vertx))
          .sslProvider(SslProvider.JDK)
          .protocols(VERSIONS)
          .ciphers(
              Stream.of(SSLContext.getDefault().getDefaultSSLParameters().getCipherSuites())
                  .filter(SUITES.asMatchPredicate())
                  .toList())
          .build();
    } catch (Exception unusable) {
      throw new IllegalArgumentException(unusable.getMessage(), unusable);
    }
  }

  /**
   * The TLS of a new connection; null if the port speaks none.
   *
   * @param handshakeTime within which the handshake must end, else the connection is closed
   */
  @Nullable SslHandler handler(ByteBufAllocator allocator, Duration handshakeTime) {
    if (served == null) {
      return null;
    }
    SslHandler handler = served.now().context().newHandler(allocator);
    handler.setHandshakeTimeout(handshakeTime.toMillis(), TimeUnit.MILLISECONDS);
    handler.handshakeFuture().addListener(ended -> endNegotiation(handler.engine()));
    return handler;
  }

  /**
   * A client of TLS 1.2 may begin the handshake anew, as often as it likes, and each costs a
   * signature. Without a cipher suite the second one fails.
   */
  private static void endNegotiation(SSLEngine engine) {
    if (engine.getSession().getProtocol().equals(RENEGOTIABLE)) {
      engine.setEnabledCipherSuites(new String[0]);
    }
  }

  /** Whether the port speaks TLS. */
  boolean isOn() {
    return served != null;
  }

  /**
   * Shows when the certificate that is served expires.
   *
   * @param port its name in the metrics
   */
  public void measure(ConnectionMeters meters, String port) {
    Reloaded<CertificateFiles.Pem, Served> pair = served;
    if (pair != null) {
      meters.certificateExpires(port, () -> pair.now().expires().getEpochSecond());
    }
  }

  /** Looks for a changed pair from now on, on the calling context. */
  public void watch() {
    if (isOn()) {
      timer = vertx.setPeriodic(LOOK_EVERY.toMillis(), id -> look());
    }
  }

  /** Ends the watch. */
  public void close() {
    vertx.cancelTimer(timer);
  }

  /** Looks once; completes when a changed pair is served, or refused. */
  Future<Void> look() {
    return served == null ? Future.succeededFuture() : served.readAgain(vertx);
  }

  /**
   * Reads the certificate and the key of a port, and checks that they can be served: both can be
   * read, belong together, and the certificate is valid now. All calls block.
   */
  record CertificateFiles(Vertx vertx, TlsFiles files, TlsFiles.Keys keys, InstantSource clock) {
    private static final int BYTES_MAX = 256 * 1024;

    /** The content of both files. */
    record Pem(Buffer certificate, Buffer key) {
      PemKeyCertOptions options() {
        return new PemKeyCertOptions().addCertValue(certificate).addKeyValue(key);
      }
    }

    /** The content now; fails with {@link InvalidConfigException} if a file cannot be read. */
    Pem read() {
      return new Pem(
          content(keys.certFile(), files.certFile()), content(keys.keyFile(), files.keyFile()));
    }

    private static Buffer content(String key, String path) {
      return Buffer.buffer(new NamedFile(key, path, path).bytes(BYTES_MAX));
    }

    /**
     * Fails with {@link InvalidConfigException} if they cannot be served.
     *
     * @return when the certificate expires
     */
    Instant check(Pem pem) {
      X509KeyManager manager = manager(pem);
      String alias =
          TlsFiles.TYPES.stream()
              .flatMap(type -> aliases(manager, type))
              .findFirst()
              .orElseThrow(
                  () -> certificateFault("must hold an RSA, EC or EdDSA certificate, %s does not"));
      X509Certificate certificate = manager.getCertificateChain(alias)[0];
      Instant now = clock.instant();
      if (now.isAfter(certificate.getNotAfter().toInstant())) {
        throw certificateFault(
            "must be a certificate that is valid now, %s expired at "
                + at(certificate.getNotAfter()));
      }
      if (now.isBefore(certificate.getNotBefore().toInstant())) {
        throw certificateFault(
            "must be a certificate that is valid now, %s begins at "
                + at(certificate.getNotBefore()));
      }
      if (!TlsFiles.isPair(manager.getPrivateKey(alias), certificate)) {
        throw keyFault("must be the key of the certificate in " + files.certFile() + ", %s is not");
      }
      return certificate.getNotAfter().toInstant();
    }

    /** Parses both with the server's own parser, one after the other to tell which is wrong. */
    private X509KeyManager manager(Pem pem) {
      try {
        new PemTrustOptions().addCertValue(pem.certificate()).getTrustManagerFactory(vertx);
      } catch (Exception notPem) {
        throw certificateFault("must be certificates in PEM form, %s is not");
      }
      try {
        for (KeyManager manager : pem.options().getKeyManagerFactory(vertx).getKeyManagers()) {
          if (manager instanceof X509KeyManager found) {
            return found;
          }
        }
      } catch (Exception notPem) {
        throw keyFault("must be a private key in PEM form without a password, %s is not");
      }
      throw keyFault("must be a private key, %s is not");
    }

    private static Stream<String> aliases(X509KeyManager manager, String type) {
      return Optional.ofNullable(manager.getServerAliases(type, null)).stream().flatMap(Stream::of);
    }

    private static Instant at(Date date) {
      return date.toInstant();
    }

    private InvalidConfigException certificateFault(String sentence) {
      return fault(keys.certFile(), files.certFile(), sentence);
    }

    private InvalidConfigException keyFault(String sentence) {
      return fault(keys.keyFile(), files.keyFile(), sentence);
    }

    private static InvalidConfigException fault(String key, String path, String sentence) {
      return new InvalidConfigException(key, key + " " + sentence.formatted(path));
    }
  }
}
