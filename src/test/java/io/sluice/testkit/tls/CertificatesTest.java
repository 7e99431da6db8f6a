package io.sluice.testkit.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CertificatesTest {
  private static final int TIMEOUT_MS = 5_000;

  @TempDir static Path folder;
  private static Certificates ours;
  private static Certificates foreign;

  @BeforeAll
  static void found() {
    ours = Certificates.foundedIn(folder.resolve("ours"), "ours");
    foreign = Certificates.foundedIn(folder.resolve("foreign"), "foreign");
  }

  @Test
  void shouldBeTrustedWhenNameAndAuthorityFit() throws Exception {
    // given
    Certificates.Issued server = ours.issue("server", "localhost", "127.0.0.1");

    // when
    String shown = handshake(server, ours, "localhost");

    // then
    assertThat(shown).isEqualTo("CN=localhost");
    assertThat(server.certificate()).content().startsWith("-----BEGIN CERTIFICATE-----");
    assertThat(server.key()).content().startsWith("-----BEGIN PRIVATE KEY-----");
    assertThat(ours.ca()).content().startsWith("-----BEGIN CERTIFICATE-----");
  }

  @Test
  void shouldBeRefusedWhenNameAuthorityOrTimeDoNotFit() {
    // given
    Certificates.Issued other = ours.issue("other", "elsewhere.test");
    Certificates.Issued unknown = foreign.issue("unknown", "localhost");
    Certificates.Issued expired = ours.issueExpired("expired", "localhost");

    // then
    assertThatThrownBy(() -> handshake(other, ours, "localhost"))
        .isInstanceOf(SSLException.class)
        .hasMessageContaining("No subject alternative DNS name matching localhost");
    assertThatThrownBy(() -> handshake(unknown, ours, "localhost"))
        .isInstanceOf(SSLException.class)
        .hasMessageContaining("PKIX path");
    assertThatThrownBy(() -> handshake(expired, ours, "localhost"))
        .isInstanceOf(SSLException.class)
        .hasMessageContaining("validity check failed");
  }

  /** Returns the subject that the server showed to a client that trusts this authority. */
  private static String handshake(Certificates.Issued server, Certificates trusted, String host)
      throws Exception {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    try (SSLServerSocket listener =
            (SSLServerSocket)
                server.server().getServerSocketFactory().createServerSocket(0, 1, loopback);
        SSLSocket client =
            (SSLSocket)
                trusted.client().getSocketFactory().createSocket(host, listener.getLocalPort())) {
      CompletableFuture.runAsync(() -> answer(listener));
      client.setSoTimeout(TIMEOUT_MS);
      SSLParameters checks = client.getSSLParameters();
      checks.setEndpointIdentificationAlgorithm("HTTPS");
      client.setSSLParameters(checks);
      client.startHandshake();
      return client.getSession().getPeerPrincipal().getName();
    }
  }

  /** Ends with the client, whether it came to trust or not. */
  private static int answer(SSLServerSocket listener) {
    try (SSLSocket accepted = (SSLSocket) listener.accept()) {
      accepted.setSoTimeout(TIMEOUT_MS);
      return accepted.getInputStream().read();
    } catch (IOException refused) {
      return -1;
    }
  }
}
