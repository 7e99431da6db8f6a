package io.sluice.ledger.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.Ledger.MarkedStock;
import io.sluice.ledger.rules.OrderEvent.OrderNotice;
import io.sluice.ledger.rules.OutboxPayload.OutboxDraft;
import io.sluice.model.SkuSettings.Watermarks;
import io.sluice.testkit.EventsPage;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** The events in docs/events.md are those that are sent. */
class EventsPageTest {
  private static final Path PAGE = EventsPage.PATH;
  private static final Pattern TYPE = Pattern.compile("(?m)^\\| `([A-Z_]+)` \\|");
  private static final String HEARTBEAT = "HEARTBEAT";

  @Test
  void shouldNameEveryTypeOfEvent() throws IOException {
    // when
    List<String> named = TYPE.matcher(page()).results().map(found -> found.group(1)).toList();

    // then
    assertThat(named)
        .containsExactlyElementsOf(
            Stream.concat(
                    Arrays.stream(EventType.values()).map(EventType::name), Stream.of(HEARTBEAT))
                .toList());
  }

  @ParameterizedTest
  @EnumSource(
      mode = Mode.EXCLUDE,
      names = {"SKU_FROZEN", "WATERMARK_CROSSED", "BLACKLIST_CHANGED"})
  void shouldShowAnOrdersEventAsItIsSent(EventType type) throws IOException {
    // given
    JsonObject example =
        EventsPage.orderEvents().stream()
            .filter(event -> event.getString("type").equals(type.name()))
            .findFirst()
            .orElseThrow(() -> new AssertionError(PAGE + " has no example of " + type));

    // when
    String sent = sent(example);

    // then
    assertThat(example.encode()).isEqualTo(sent);
  }

  @Test
  void shouldShowTheEventsOfAnOrderOfSeveralSkusAsTheyAreSent() throws IOException {
    // given
    List<JsonObject> examples =
        EventsPage.orderEvents().stream().filter(event -> event.containsKey("lines")).toList();

    // when
    List<String> sent = examples.stream().map(EventsPageTest::sent).toList();

    // then
    assertThat(examples).hasSize(2).extracting(JsonObject::encode).isEqualTo(sent);
  }

  static String sent(JsonObject example) {
    OrderNotice notice =
        new OrderNotice(
            EventType.valueOf(example.getString("type")),
            OutboxPayload.order(example.encode()).orElseThrow(),
            subjectOf(example),
            example.getLong("line_sku_id", 0L),
            example.getString("sale_id"),
            example.getBoolean("restock", true));
    return OutboxPayload.event(0, notice, example.getLong("at")).payload();
  }

  /** The payment, the refund or the units that the event is about. */
  private static @Nullable String subjectOf(JsonObject example) {
    return example.containsKey("returned_qty")
        ? example.getLong("returned_qty").toString()
        : example.getString("double_ref", example.getString("refund_id"));
  }

  @Test
  void shouldShowTheEventOfAFrozenSkuAsItIsSent() throws IOException {
    // given
    String example = exampleOf("SKU_FROZEN");
    JsonObject shown = new JsonObject(example);

    // when
    String sent =
        OutboxPayload.frozen(
                0,
                shown.getLong("sku_id"),
                shown.getString("sale_id"),
                shown.getString("why"),
                shown.getLong("at"))
            .payload();

    // then
    assertThat(example).isEqualTo(sent);
  }

  @Test
  void shouldShowTheEventOfAWatermarkAsItIsSent() throws IOException {
    // given
    String example = exampleOf("WATERMARK_CROSSED");
    JsonObject shown = new JsonObject(example);

    // when
    MarkedStock stock =
        new MarkedStock(
            shown.getLong("sku_id"),
            shown.getLong("total"),
            shown.getLong("available"),
            Watermarks.DEFAULT,
            0,
            shown.getLong("version") - 1,
            shown.getString("sale_id"));
    List<OutboxDraft> sent = MarkCrossings.of(stock).events(0, shown.getLong("at"));

    // then
    assertThat(sent).extracting(OutboxDraft::payload).containsExactly(example);
  }

  @Test
  void shouldShowADeadLetterAsItIsSent() throws IOException {
    // given
    String example = exampleOf(OutboxPayload.DEAD);
    JsonObject shown = new JsonObject(example);

    // when
    String sent =
        OutboxPayload.dead(0, shown.getString("raw"), shown.getString("why"), shown.getLong("at"))
            .payload();

    // then
    assertThat(example).isEqualTo(sent);
  }

  private static String exampleOf(String type) throws IOException {
    return Pattern.compile("(?ms)^### `" + type + "`$.*?^```json\n(.*?)\n```$")
        .matcher(page())
        .results()
        .map((MatchResult found) -> found.group(1))
        .findFirst()
        .orElseThrow(() -> new AssertionError(PAGE + " has no example of " + type));
  }

  private static String page() throws IOException {
    return Files.readString(PAGE);
  }
}
