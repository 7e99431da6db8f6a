package io.sluice.ledger.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.openapi.SchemaCheck;
import io.sluice.testkit.EventsPage;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * docs/asyncapi.yaml describes the events that are sent: those of docs/events.md, which {@link
 * EventsPageTest} compares with the code, and orders' events with every field that one may have.
 */
class AsyncApiTest {
  private static final String DEAD = OutboxPayload.DEAD;
  private static final String HEARTBEAT = "HEARTBEAT";
  private static final String REF = "#/components/schemas/";

  private final JsonObject file = read();
  private final JsonObject schemas = file.getJsonObject("components").getJsonObject("schemas");
  private final SchemaCheck check = new SchemaCheck(schemas);

  @Test
  void shouldDescribeEveryTypeOfEvent() {
    // given
    List<String> types =
        Stream.concat(Stream.of(EventType.values()).map(EventType::name), Stream.of(HEARTBEAT))
            .toList();

    // when
    Set<String> sent = messages("events");
    Set<String> described = file.getJsonObject("components").getJsonObject("messages").fieldNames();

    // then
    assertThat(sent).containsExactlyInAnyOrderElementsOf(types);
    assertThat(messages("deadLetters")).containsExactly(DEAD);
    assertThat(described).hasSize(types.size() + 1).containsAll(types).contains(DEAD);
    assertThat(schemas.fieldNames()).containsAll(described);
  }

  @Test
  void shouldDescribeEveryEventOfThePage() throws IOException {
    // given
    List<JsonObject> examples = new ArrayList<>(EventsPage.orderEvents());
    for (String line : Files.readAllLines(EventsPage.PATH)) {
      if (line.startsWith("{\"raw\":")
          || (line.startsWith("{\"type\":") && !isOfAnOrder(new JsonObject(line)))) {
        examples.add(new JsonObject(line));
      }
    }

    // when
    Set<String> shown = new TreeSet<>();
    examples.forEach(example -> shown.add(typeOf(example)));

    // then
    assertThat(shown).hasSize(EventType.values().length + 2);
    assertThat(examples).flatMap(this::faults).isEmpty();
  }

  @Test
  void shouldNameEveryFieldThatAnOrdersEventMayHave() throws IOException {
    // given
    JsonObject all =
        new JsonObject()
            .put("reference", "cart-7")
            .put("payment_ref", "pay-81")
            .put("refunded_qty", 1);

    // when
    List<JsonObject> sent =
        EventsPage.orderEvents().stream()
            .map(example -> new JsonObject(EventsPageTest.sent(example.copy().mergeIn(all))))
            .toList();
    Set<String> fields = new TreeSet<>();
    sent.forEach(event -> fields.addAll(event.fieldNames()));

    // then
    assertThat(sent).flatMap(this::faults).isEmpty();
    assertThat(fields).containsAll(namesOf("OrderEvent"));
  }

  /** What its schema says against an event, and the fields that it does not name. */
  private List<String> faults(JsonObject event) {
    String type = typeOf(event);
    List<String> faults = new ArrayList<>(check.faults(type, event));
    Set<String> unnamed = new TreeSet<>(event.fieldNames());
    unnamed.removeAll(namesOf(type));
    unnamed.forEach(name -> faults.add(type + " does not name " + name));
    return faults;
  }

  private Set<String> namesOf(String schema) {
    JsonObject described = schemas.getJsonObject(schema);
    Set<String> names = new TreeSet<>(properties(described));
    for (Object part : described.getJsonArray("allOf", new JsonArray())) {
      JsonObject each = (JsonObject) part;
      names.addAll(
          each.containsKey("$ref")
              ? namesOf(each.getString("$ref").substring(REF.length()))
              : properties(each));
    }
    return names;
  }

  private static Set<String> properties(JsonObject schema) {
    return schema.getJsonObject("properties", new JsonObject()).fieldNames();
  }

  private Set<String> messages(String channel) {
    return file.getJsonObject("channels")
        .getJsonObject(channel)
        .getJsonObject("messages")
        .fieldNames();
  }

  private static boolean isOfAnOrder(JsonObject event) {
    return Stream.of("SKU_FROZEN", "WATERMARK_CROSSED", "BLACKLIST_CHANGED", HEARTBEAT)
        .noneMatch(event.getString("type")::equals);
  }

  private static String typeOf(JsonObject event) {
    return event.getString("type", DEAD);
  }

  private static JsonObject read() {
    LoaderOptions strict = new LoaderOptions();
    strict.setAllowDuplicateKeys(false);
    try {
      Map<String, Object> loaded =
          new Yaml(new SafeConstructor(strict))
              .load(Files.readString(Path.of("docs", "asyncapi.yaml")));
      return new JsonObject(new JsonObject(loaded).encode());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
