package io.sluice.http;

import static io.sluice.web.HttpProbe.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.config.Cidr;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** One address must not take all connections of the port. */
class AddressConnectionsTest {
  private static final String GET = "GET /v1/skus/1001 HTTP/1.1\r\nHost: x\r\n\r\n";
  private static final int MAX = 3;

  @RegisterExtension final Connections connections = new Connections();

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
      connections.opened.get(0).close();

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
    InetAddress local = InetAddress.getByName("127.0.0.1");
    Socket socket = new Socket(local, fixture.port.port(), InetAddress.getByName(from), 0);
    return Connections.ask(connections.keep(socket), GET);
  }
}
