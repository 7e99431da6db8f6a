package io.sluice.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.Webhooks.Form;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What is sent of an event, under which id, and when again. */
class MessageTest {
  private static final String PAID =
      "{\"type\":\"ORDER_CONFIRMED\",\"order_token\":\"7.0.x\",\"sku_id\":7,\"user_id\":\"alice\",\"version\":2,\"at\":1795348560000}";

  private static Message of(String from, String to) {
    return Message.of(PAID.replace(from, to));
  }

  @Test
  void shouldHaveTheSameIdWhenTheSameEventIsReadAgain() {
    // when
    Set<String> ids =
        Stream.of(PAID, PAID, PAID.replace("{", "{\"event_no\":5,"), PAID.replace("1795", "1796"))
            .map(text -> Message.of(text).id())
            .collect(Collectors.toSet());

    // then
    assertThat(ids).singleElement().asString().matches("msg_[A-Za-z0-9_-]{22}");
  }

  @Test
  void shouldHaveAnotherIdWhenItIsAnotherEvent() {
    // when
    List<String> ids =
        Stream.of(
                Message.of(PAID),
                of("CONFIRMED", "CANCELED"),
                of("7.0.x", "7.0.y"),
                of("\"version\":2", "\"version\":3"),
                of("\"version\":2", "\"version\":2,\"line_sku_id\":8"),
                Message.of("{\"type\":\"SKU_FROZEN\",\"sku_id\":7,\"why\":\"a\",\"at\":1}"),
                Message.of("{\"type\":\"SKU_FROZEN\",\"sku_id\":7,\"why\":\"a\",\"at\":2}"))
            .map(Message::id)
            .toList();

    // then
    assertThat(ids).doesNotHaveDuplicates();
  }

  @Test
  void shouldTellNoBuyerOfAnOrderWhenItIsThin() {
    // when
    JsonObject thin = new JsonObject(Message.of(PAID).body(Form.THIN));
    JsonObject full = new JsonObject(Message.of(PAID).body(Form.FULL));

    // then
    assertThat(thin)
        .isEqualTo(
            new JsonObject(
                "{\"type\":\"ORDER_CONFIRMED\",\"timestamp\":\"2026-11-22T11:56:00Z\",\"data\":{\"order_token\":\"7.0.x\",\"sku_id\":7,\"version\":2}}"));
    assertThat(full.getJsonObject("data")).isEqualTo(new JsonObject(PAID));
  }

  @Test
  void shouldNameTheBuyerWhenTheEventIsAboutHim() {
    // given
    String banned =
        "{\"type\":\"BLACKLIST_CHANGED\",\"user_id\":\"alice\",\"reason\":\"fraud\",\"version\":9,\"at\":1}";

    // when
    Message message = Message.of(banned);

    // then
    assertThat(message.orderKey()).isEqualTo("alice");
    assertThat(new JsonObject(message.body(Form.THIN)).getJsonObject("data"))
        .isEqualTo(new JsonObject().put("version", 9).put("user_id", "alice"));
  }

  @Test
  void shouldBeSentAgainForThreeDaysEverMoreSeldom() {
    // given
    RetrySchedule unit = new RetrySchedule(() -> 0);
    List<Duration> waits = new ArrayList<>();
    Duration since = Duration.ZERO;

    // when
    Optional<Duration> wait = unit.next(1, since);
    while (wait.isPresent()) {
      waits.add(wait.get());
      since = since.plus(wait.get());
      wait = unit.next(waits.size() + 1, since);
    }

    // then
    assertThat(waits).isSorted().startsWith(Duration.ofSeconds(5)).hasSizeBetween(20, 30);
    assertThat(since).isBetween(Duration.ofHours(67), Duration.ofDays(3));
  }
}
