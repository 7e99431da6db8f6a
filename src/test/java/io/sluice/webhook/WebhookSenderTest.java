package io.sluice.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.Webhooks.Form;
import io.sluice.ledger.Webhooks.Webhook;
import io.sluice.testkit.process.LogWatch;
import io.sluice.testkit.tls.Certificates;
import io.sluice.testkit.webhook.WebhookReceiver;
import io.sluice.web.HttpProbe;
import io.sluice.webhook.WebhookSender.Outcome;
import io.vertx.core.Vertx;
import io.vertx.core.http.impl.HttpClientRequestImpl;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One request to a real socket. */
class WebhookSenderTest {
  private static final Message PAID =
      Message.of("{\"type\":\"ORDER_CONFIRMED\",\"order_token\":\"7.0.x\",\"version\":2,\"at\":1}");

  private static final Duration LIMIT = Duration.ofSeconds(10);

  @TempDir static Path folder;
  private static Certificates ours;
  private static Certificates foreign;

  private final Vertx vertx = Vertx.vertx();
  @AutoClose private final WebhookReceiver receiver = WebhookReceiver.start();
  @AutoClose private final ServerSocket raw = socket();
  @AutoClose private final LogWatch log = LogWatch.of(HttpClientRequestImpl.class);
  private final List<String> seen = new CopyOnWriteArrayList<>();

  @BeforeAll
  static void found() {
    ours = Certificates.foundedIn(folder.resolve("ours"), "ours");
    foreign = Certificates.foundedIn(folder.resolve("foreign"), "foreign");
  }

  private static ServerSocket socket() {
    try {
      return new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @AfterEach
  void close() {
    HttpProbe.await(vertx.close());
  }

  private Outcome send(String url, boolean allowsPrivate, String caFile, Duration limit) {
    Webhook target =
        new Webhook("shop", url, WebhookReceiver.SECRET, "", 0, "*", Form.FULL, "", "", "", 0, 0);
    return HttpProbe.await(
        new WebhookSender(
                vertx, new AddressGuard(allowsPrivate), caFile, limit, InstantSource.system())
            .send(target, PAID));
  }

  private Outcome send(String url) {
    return send(url, true, "", LIMIT);
  }

  /** Answers one connection with this text. */
  private String answering(String text) {
    Thread thread =
        new Thread(
            () -> {
              try (Socket connection = raw.accept()) {
                byte[] bytes = new byte[4_096];
                int length = connection.getInputStream().read(bytes);
                seen.add(new String(bytes, 0, Math.max(0, length), UTF_8));
                connection.getOutputStream().write(text.getBytes(UTF_8));
                connection.getOutputStream().flush();
                connection.getInputStream().readAllBytes();
              } catch (IOException ended) {
                seen.add("ended");
              }
            });
    thread.setDaemon(true);
    thread.start();
    return "localhost:" + raw.getLocalPort();
  }

  @Test
  void shouldBeVerifiedByTheTarget() {
    // when
    Outcome outcome = send(receiver.url());

    // then
    assertThat(outcome.isAccepted()).isTrue();
    assertThat(receiver.faults()).isEmpty();
    assertThat(receiver.typesOf("7.0.x")).containsExactly("ORDER_CONFIRMED");
  }

  @Test
  void shouldConnectToNoAddressThatANameLeadsToWhenItIsPrivate() {
    // when
    Outcome outcome = send(receiver.url().replace("127.0.0.1", "localhost"), false, "", LIMIT);

    // then
    assertThat(outcome.isAccepted()).isFalse();
    assertThat(outcome.why()).contains("webhooks.allow_private");
    assertThat(receiver.requests()).isZero();
  }

  @Test
  void shouldNameTheHostAndFollowNoRedirect() {
    // given
    String at =
        answering(
            "HTTP/1.1 303 See Other\r\nLocation: "
                + receiver.url()
                + "\r\nContent-Length: 0\r\n\r\n");

    // when
    Outcome outcome = send("http://" + at + "/hook?x=1");

    // then
    assertThat(outcome).isEqualTo(Outcome.of(303));
    assertThat(seen.get(0))
        .startsWith("POST /hook?x=1 HTTP/1.1\r\n")
        .containsIgnoringCase("host: " + at);
    assertThat(receiver.requests()).isZero();
  }

  @Test
  void shouldCountTheStatusOfAnAnswerThatHasNoEnd() {
    // given
    String at =
        answering("HTTP/1.1 200 OK\r\nContent-Length: 9999999\r\n\r\n" + "x".repeat(100_000));

    // when
    Outcome outcome = send("http://" + at + "/");

    // then
    assertThat(outcome).isEqualTo(Outcome.of(200));
  }

  @Test
  void shouldWaitNoLongerThanItMay() {
    // given
    receiver.hanging();

    // when
    Outcome outcome = send(receiver.url(), true, "", Duration.ofSeconds(1));

    // then
    assertThat(outcome).isEqualTo(Outcome.none("no answer within 1 s"));
  }

  /**
   * The client logs each failure of a request that nobody handles, also of one that is given up
   * unsent.
   */
  @Test
  void shouldLogNoErrorWhenTheConnectionComesTooLate() throws IOException {
    // when
    Outcome outcome =
        send("http://127.0.0.1:" + raw.getLocalPort(), true, "", Duration.ofMillis(1));
    raw.setSoTimeout((int) LIMIT.toMillis());
    raw.accept().close();
    HttpProbe.await(vertx.timer(300, TimeUnit.MILLISECONDS));

    // then
    assertThat(outcome.why()).startsWith("no answer within");
    assertThat(log.lines()).isEmpty();
  }

  @Test
  void shouldSayWhyThereIsNoAnswer() throws IOException {
    // given
    String plain = answering("HTTP/1.1 400 Bad Request\r\n\r\n");

    // when
    Outcome noTls = send("https://" + plain + "/");
    raw.close();
    Outcome away = send("http://" + plain + "/");

    // then
    assertThat(List.of(noTls, away)).allMatch(each -> each.status() == 0);
    assertThat(noTls.why()).startsWith("tls: server does not speak it: ");
    assertThat(away.why()).startsWith("unreachable: ");
  }

  @ParameterizedTest
  @CsvSource({
    "localhost, ours, answered 200",
    "127.0.0.1, ours, tls: certificate is for another host name: ",
    "localhost, foreign, tls: certificate not trusted: ",
    "localhost, of the JVM, tls: certificate not trusted: "
  })
  void shouldTrustTheAuthoritiesOfItsFileForTheNameInTheUrl(
      String host, String authority, String why) {
    // given
    String caFile =
        switch (authority) {
          case "ours" -> ours.ca().toString();
          case "foreign" -> foreign.ca().toString();
          default -> "";
        };
    try (WebhookReceiver secure = WebhookReceiver.start(ours.issue("shop", "localhost"))) {
      // when
      Outcome outcome = send(secure.url().replace("127.0.0.1", host), true, caFile, LIMIT);

      // then
      assertThat(outcome.why()).startsWith(why);
      assertThat(secure.taken()).hasSize(outcome.isAccepted() ? 1 : 0);
      assertThat(secure.requests()).isEqualTo(secure.taken().size());
    }
  }
}
