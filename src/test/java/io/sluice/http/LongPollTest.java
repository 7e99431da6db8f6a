package io.sluice.http;

import static io.sluice.web.HttpProbe.await;
import static io.sluice.web.HttpProbe.eventually;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.config.TlsFiles;
import io.sluice.order.OrderAnswer;
import io.sluice.web.HttpProbe.Answer;
import io.vertx.core.Promise;
import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class LongPollTest {
  private static final String POLL = "/v1/orders/" + FakeOrders.TOKEN + "?wait=30";

  @RegisterExtension
  static final PublicPortFixture fixture = PublicPortFixture.limited(1_000, 10, 6, TlsFiles.NONE);

  private final Promise<OrderAnswer> news = Promise.promise();

  @BeforeEach
  void holdTheNewsBack() {
    fixture.orders.found = news.future();
  }

  @Test
  void shouldTakeNoPlaceOfOthersWhileItWaits() {
    // given
    CompletableFuture<Answer> waiting = poll("alice");

    // when
    eventually(() -> polls() == 1 && fixture.inFlight() == 0);
    news.complete(new OrderAnswer.Known(FakeOrders.PENDING));

    // then
    assertThat(await(waiting).status()).isEqualTo(200);
    eventually(() -> polls() == 0);
  }

  @Test
  void shouldAnswer429WhenABuyerWaitsMoreThanFourTimes() {
    // given
    List<CompletableFuture<Answer>> waiting = polls("alice", 4);

    // when
    Answer fifth = await(poll("alice"));
    CompletableFuture<Answer> others = poll("bob");
    eventually(() -> polls() == 5);
    news.complete(new OrderAnswer.Known(FakeOrders.PENDING));

    // then
    assertThat(fifth.problem()).isEqualTo("too-many-requests");
    assertThat(fifth.header("retry-after")).isEqualTo("1");
    assertThat(await(others).status()).isEqualTo(200);
    assertThat(waiting).allMatch(one -> await(one).status() == 200);
    eventually(() -> polls() == 0);
  }

  @Test
  void shouldAnswer503WhenAllPlacesAreTaken() {
    // given
    polls("alice", 3);
    polls("bob", 3);

    // when
    Answer seventh = await(poll("carol"));
    Answer order = fixture.place();
    news.complete(new OrderAnswer.Known(FakeOrders.PENDING));

    // then
    assertThat(seventh.status()).isEqualTo(503);
    assertThat(seventh.header("retry-after")).isEqualTo("1");
    assertThat(order.status()).isEqualTo(201);
    eventually(() -> polls() == 0);
  }

  @Test
  void shouldEndTheWaitWhenTheCallerDisconnects() throws IOException {
    // given
    try (Socket caller = new Socket("127.0.0.1", fixture.port.port())) {
      caller
          .getOutputStream()
          .write(
              ("GET " + POLL + " HTTP/1.1\r\nHost: x\r\nX-User-Id: alice\r\n\r\n")
                  .getBytes(ISO_8859_1));
      eventually(() -> polls() == 1);
    }

    // when
    eventually(() -> polls() == 0);

    // then
    assertThat(fixture.orders.waitLeft.isComplete()).isTrue();
  }

  private static int polls() {
    return fixture.gauge("sluice_http_long_polls");
  }

  private static List<CompletableFuture<Answer>> polls(String buyer, int number) {
    int before = polls();
    List<CompletableFuture<Answer>> waiting = new ArrayList<>();
    for (int i = 0; i < number; i++) {
      waiting.add(poll(buyer));
    }
    eventually(() -> polls() == before + number);
    return waiting;
  }

  private static CompletableFuture<Answer> poll(String buyer) {
    return fixture.probe.sendLater("GET", POLL, BodyPublishers.noBody(), "X-User-Id", buyer);
  }
}
