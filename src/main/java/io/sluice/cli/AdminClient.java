package io.sluice.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** Sends a request once, and reads its answer. */
final class AdminClient {
  private static final Duration CONNECT_MAX = Duration.ofSeconds(10);
  private static final int CHUNK = 16 * 1024;

  private final HttpClient http;
  private final String url;
  private final @Nullable String token;
  private final Duration limit;

  /**
   * Connects to nothing yet. Throws IllegalArgumentException if the URL is none.
   *
   * @param url of the management port
   * @param token of an operator; null sends none
   * @param caFile PEM, authorities to trust instead of those of the JVM, or null
   * @param limit of the time until an answer begins, and between two parts of it
   */
  AdminClient(String url, @Nullable String token, @Nullable Path caFile, Duration limit)
      throws IOException {
    if (!url.matches("https?://[^/?#]+(/[^?#]*)?")) {
      throw new IllegalArgumentException("Expected --url like https://host:8081, but got " + url);
    }
    this.url = url.replaceAll("/+$", "");
    this.token = token;
    this.limit = limit;
    // Version 2 would ask for an upgrade, which the port takes for a proxy's header.
    HttpClient.Builder builder =
        HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(CONNECT_MAX);
    this.http = (caFile == null ? builder : builder.sslContext(trusting(caFile))).build();
  }

  private static SSLContext trusting(Path caFile) throws IOException {
    try (InputStream file = Files.newInputStream(caFile)) {
      KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      for (Certificate each : CertificateFactory.getInstance("X.509").generateCertificates(file)) {
        store.setCertificateEntry("ca-" + store.size(), each);
      }
      TrustManagerFactory trusted =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trusted.init(store);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, trusted.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException unusable) {
      throw new IOException(
          "%s has no certificates: %s".formatted(caFile, unusable.getMessage()), unusable);
    }
  }

  /** Nothing of the request has arrived. */
  static final class NotReachedException extends IOException {
    private static final long serialVersionUID = 1L;

    NotReachedException(IOException cause) {
      super(cause);
    }
  }

  /**
   * Sends it, and waits for the head of its answer. Throws {@link NotReachedException}, or another
   * IOException if its outcome is not known, or IllegalArgumentException if it cannot be sent.
   */
  HttpResponse<InputStream> send(ContractCall.Request request) throws IOException {
    byte[] body = request.body();
    HttpRequest.Builder builder =
        HttpRequest.newBuilder(URI.create(url + request.target()))
            .timeout(limit)
            .method(
                request.method(),
                body == null ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body));
    request.headers().forEach(builder::header);
    if (token != null) {
      builder.header("Authorization", "Bearer " + token);
    }
    try {
      return http.send(builder.build(), BodyHandlers.ofInputStream());
    } catch (ConnectException | HttpConnectTimeoutException | SSLHandshakeException notReached) {
      throw new NotReachedException(notReached);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException();
    }
  }

  /** Throws if the answer stops before its end, for which a read itself would wait for ever. */
  void copy(InputStream answer, OutputStream to) throws IOException {
    AtomicLong reads = new AtomicLong();
    Timer timer = new Timer("silence", true);
    TimerTask end =
        new TimerTask() {
          private long before = -1;

          @Override
          public void run() {
            long now = reads.get();
            if (now == before) {
              close(answer);
            }
            before = now;
          }
        };
    timer.schedule(end, 0, limit.toMillis());
    try (answer) {
      byte[] chunk = new byte[CHUNK];
      for (int count = answer.read(chunk); count >= 0; count = answer.read(chunk)) {
        to.write(chunk, 0, count);
        reads.incrementAndGet();
      }
    } finally {
      timer.cancel();
    }
  }

  private static void close(InputStream stream) {
    try {
      stream.close();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
