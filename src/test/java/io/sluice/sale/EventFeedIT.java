package io.sluice.sale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Call;
import io.sluice.testkit.site.Crowd;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.sluice.testkit.site.SluiceProcess;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A listener that has only HTTP, of a service with Kafka. */
class EventFeedIT {
  @RegisterExtension static final SaleSite site = SaleSite.withInstances(2);

  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final Buyer ALICE = Buyer.named("alice");

  private static Answer ask(SluiceProcess instance, String query) {
    return site.http().ask(Call.get(instance.adminUrl() + "/admin/events" + query).within(LIMIT));
  }

  private static String newest() {
    return ask(site.instance(0), "?after=newest").json().getString("next");
  }

  /** Reads until all of these were told, of any instance in turn. */
  private static final class Listener {
    private final List<JsonObject> heard = new ArrayList<>();
    private String cursor;

    Listener(String cursor) {
      this.cursor = cursor;
    }

    void readOn(SluiceProcess instance, int limit) {
      JsonObject page = ask(instance, "?wait=1&limit=%d&after=%s".formatted(limit, cursor)).json();
      JsonArray events = Objects.requireNonNull(page.getJsonArray("events"));
      events.forEach(event -> heard.add((JsonObject) event));
      cursor = page.getString("next");
    }

    List<String> typesOf(String token) {
      return heard.stream()
          .filter(event -> token.equals(event.getString("order_token")))
          .map(event -> event.getString("type"))
          .toList();
    }
  }

  @Test
  void shouldTellEachOrderInOrderWhenPagesAreReadOfInstancesInTurn() {
    // given
    Listener listener = new Listener(newest());
    Sale sale = site.sale().withStock(200).withBuckets(4).open();
    List<Supplier<Future<Answer>>> orders =
        IntStream.range(0, 60)
            .<Supplier<Future<Answer>>>mapToObj(
                i -> () -> sale.ordering(Buyer.named("buyer-" + i), "", 1))
            .toList();
    List<String> tokens =
        site.crowd(16).send(orders).stream().filter(Answer::isYes).map(Answer::token).toList();
    tokens.forEach(sale::pay);

    // when
    await()
        .atMost(LIMIT)
        .until(
            () -> {
              listener.readOn(site.instance(listener.heard.size() % 2), 7);
              return tokens.stream().allMatch(token -> listener.typesOf(token).size() >= 2);
            });

    // then
    assertThat(tokens)
        .isNotEmpty()
        .allSatisfy(
            token ->
                assertThat(listener.typesOf(token).stream().distinct())
                    .containsExactly("ORDER_BOOKED", "ORDER_CONFIRMED"));
  }

  @Test
  void shouldAnswerAWaitAsSoonAsThereIsAnEvent() {
    // given
    Sale sale = site.sale().withStock(1).open();
    String token = sale.order(ALICE).token();
    Listener listener = new Listener(newest());
    await()
        .atMost(LIMIT)
        .until(
            () -> {
              listener.readOn(site.instance(1), 500);
              return listener.typesOf(token).contains("ORDER_BOOKED")
                  || sale.status(token).brief().equals("200 PENDING");
            });
    String cursor = settled(listener.cursor);
    Future<Answer> waiting =
        site.http()
            .send(
                Call.get(site.instance(1).adminUrl() + "/admin/events?wait=25&after=" + cursor)
                    .within(LIMIT));

    // when
    sale.pay(token);
    Answer answer = Crowd.await(waiting.map(List::of)).get(0);

    // then
    assertThat(answer.took()).isLessThan(Duration.ofSeconds(10));
    assertThat(answer.json().getJsonArray("events"))
        .extracting(event -> ((JsonObject) event).getString("type"))
        .containsExactly("ORDER_CONFIRMED");
  }

  /** The cursor behind all events, once none comes for a while. */
  private static String settled(String from) {
    String cursor = from;
    JsonObject page;
    do {
      page = ask(site.instance(1), "?wait=2&after=" + cursor).json();
      cursor = page.getString("next");
    } while (!page.getJsonArray("events").isEmpty());
    return cursor;
  }

  @Test
  void shouldGoOnBehindTheCursorWhenTheInstancesWereStartedAgain() {
    // given
    Sale sale = site.sale().withStock(2).open();
    String before = sale.order(ALICE).token();
    Listener listener = new Listener("0");
    await()
        .atMost(LIMIT)
        .until(
            () -> {
              listener.readOn(site.instance(0), 500);
              return listener.typesOf(before).contains("ORDER_BOOKED");
            });
    String cursor = listener.cursor;
    sale.pay(before);
    String after = sale.order(Buyer.named("bob")).token();

    // when
    site.instances().forEach(SluiceProcess::restart);
    site.awaitReady();
    Listener again = new Listener(cursor);
    await()
        .atMost(LIMIT)
        .until(
            () -> {
              again.readOn(site.instance(1), 500);
              return again.typesOf(after).contains("ORDER_BOOKED")
                  && again.typesOf(before).contains("ORDER_CONFIRMED");
            });

    // then
    assertThat(again.typesOf(before)).doesNotContain("ORDER_BOOKED");
  }

  @Test
  void shouldNotShowWhatAnotherProgramHasWritten() {
    // given
    String cursor = newest();
    site.topics()
        .write(
            site.eventsTopic(),
            0,
            "{\"type\":\"ORDER_CONFIRMED\",\"order_token\":\"forged\"}",
            "instance-1");
    Sale sale = site.sale().withStock(1).open();
    String token = sale.order(ALICE).token();
    Listener listener = new Listener(cursor);

    // when
    await()
        .atMost(LIMIT)
        .until(
            () -> {
              listener.readOn(site.instance(0), 500);
              return listener.typesOf(token).contains("ORDER_BOOKED");
            });

    // then
    assertThat(listener.typesOf("forged")).isEmpty();
  }

  @Test
  void shouldShowHeartbeatsWhenAsked() {
    // given
    String cursor = newest();

    // when
    List<Answer> asked = new ArrayList<>();
    await()
        .atMost(LIMIT)
        .until(
            () -> {
              asked.add(ask(site.instance(0), "?heartbeats=true&after=" + cursor));
              return !asked.get(asked.size() - 1).json().getJsonArray("events").isEmpty();
            });

    // then
    assertThat(asked.get(asked.size() - 1).json().getJsonArray("events"))
        .extracting(event -> ((JsonObject) event).getString("type"))
        .contains("HEARTBEAT");
  }

  @Test
  void shouldSayThatEventsAreGoneWhenTheCursorIsOfTheLedger() {
    // when
    Map<String, String> answers =
        Map.of(
            "17", ask(site.instance(0), "?after=17").brief(),
            "x", ask(site.instance(0), "?after=x").brief());

    // then
    assertThat(answers)
        .containsEntry("17", "410 events-gone")
        .containsEntry("x", "400 bad-request");
  }
}
