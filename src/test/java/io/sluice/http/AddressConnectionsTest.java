package io.sluice.http;

import static io.sluice.web.HttpProbe.eventually;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.config.Cidr;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One address must not take all connections of the port. */
class AddressConnectionsTest {
  private static final String GET = "GET /v1/skus/1001 HTTP/1.1\r\nHost: x\r\n\r\n";
  private static final int PATIENCE_MS = 10_000;
  private static final int MAX = 3;

  private final List<Socket> opened = new ArrayList<>();

  @AfterEach
  void close() throws IOException {
    for (Socket one : opened) {
      one.close();
    }
  }

  @Test
  void shouldRefuseMoreConnectionsOfOneAddressThanItMayHave() throws IOException {
    // given
    try (PublicPortFixture fixture =
        PublicPortFixture.ofAddresses(List.of(Cidr.parse("10.0.0.1/32")), MAX)) {
      for (int i = 0; i < MAX; i++) {
        assertThat(ask(fixture, "127.0.0.1")).startsWith("HTTP/1.1 404 ");
      }

      // when
      String over = ask(fixture, "127.0.0.1");
      String other = ask(fixture, "127.0.0.2");
      opened.get(0).close();

      // then
      assertThat(over).startsWith("HTTP/1.1 503 ");
      assertThat(other).startsWith("HTTP/1.1 404 ");
      assertThat(fixture.dropped("address")).isEqualTo(1);
      eventually(() -> fixture.gauge("sluice_http_connections") == MAX);
      assertThat(ask(fixture, "127.0.0.1")).startsWith("HTTP/1.1 404 ");
    }
  }

  @Test
  void shouldLetATrustedProxyHaveAsManyAsItLikes() throws IOException {
    // given
    try (PublicPortFixture fixture =
        PublicPortFixture.ofAddresses(List.of(Cidr.parse("127.0.0.1/32")), MAX)) {

      // when
      for (int i = 0; i < 2 * MAX; i++) {
        assertThat(ask(fixture, "127.0.0.1")).startsWith("HTTP/1.1 404 ");
      }

      // then
      assertThat(fixture.dropped("address")).isZero();
    }
  }

  private String ask(PublicPortFixture fixture, String from) throws IOException {
    Socket socket =
        new Socket(
            InetAddress.getByName("127.0.0.1"),
            fixture.port.port(),
            InetAddress.getByName(from),
            0);
    opened.add(socket);
    socket.setSoTimeout(PATIENCE_MS);
    socket.getOutputStream().write(GET.getBytes(ISO_8859_1));
    byte[] answer = new byte[64];
    int length = socket.getInputStream().read(answer);
    return new String(answer, 0, Math.max(0, length), ISO_8859_1);
  }
}
