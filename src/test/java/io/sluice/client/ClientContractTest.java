package io.sluice.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The client reads each example of the contracts, and its values are those of the contract. */
class ClientContractTest {
  private static final String OPENAPI = "src/main/resources/openapi/";

  /** How the client reads a schema. */
  private static final Map<String, Function<io.sluice.client.JsonObject, Object>> READERS =
      Map.of(
          "Order", Order::of,
          "OwnOrders", OrderPage::of,
          "SkuLevel", SkuLevel::of,
          "SaleLevel", SaleLevel::of,
          "NumberedEvents", EventPage::of,
          "Problem", Problem::of,
          "Results",
              json ->
                  json.objects("results").stream()
                      .map(result -> CommandResult.of(Command.cancel("t"), result))
                      .toList());

  private static JsonObject contract(String name) throws IOException {
    String yaml = Files.readString(Path.of(OPENAPI + name));
    Map<String, Object> read = new Yaml(new SafeConstructor(new LoaderOptions())).load(yaml);
    return new JsonObject(read);
  }

  /** Each media type with examples, whose schema the client reads. */
  private static void collect(JsonObject at, JsonObject contract, Map<String, List<String>> found) {
    String name =
        at.getValue("schema") instanceof JsonObject schema
            ? String.valueOf(schema.getValue("$ref")).replaceFirst(".*/", "")
            : "";
    if (READERS.containsKey(name) && at.containsKey("examples")) {
      JsonObject examples = at.getJsonObject("examples");
      for (String example : examples.fieldNames()) {
        JsonObject value = examples.getJsonObject(example);
        if (value.containsKey("$ref")) {
          String ref = value.getString("$ref").replaceFirst(".*/", "");
          value = contract.getJsonObject("components").getJsonObject("examples").getJsonObject(ref);
        }
        found
            .computeIfAbsent(name, any -> new ArrayList<>())
            .add(value.getJsonObject("value").encode());
      }
    }
    for (String member : at.fieldNames()) {
      if (at.getValue(member) instanceof JsonObject inner) {
        collect(inner, contract, found);
      }
    }
  }

  @Test
  void shouldReadEachExampleOfTheContract() throws IOException {
    // given
    Map<String, List<String>> examples = new HashMap<>();
    for (String name : List.of("public.yaml", "management.yaml")) {
      JsonObject contract = contract(name);
      collect(contract, contract, examples);
    }

    // when
    Map<String, List<Object>> read = new HashMap<>();
    examples.forEach(
        (name, bodies) ->
            read.put(
                name,
                bodies.stream()
                    .map(
                        body ->
                            io.sluice.client.JsonObject.parse(
                                body.getBytes(StandardCharsets.UTF_8)))
                    .map(READERS.get(name))
                    .toList()));

    // then
    assertThat(read.keySet()).isEqualTo(READERS.keySet());
    assertThat(read.get("Problem")).hasSizeGreaterThan(50);
    assertThat(read.get("Order"))
        .extracting(order -> ((Order) order).lines().size())
        .contains(1, 2)
        .doesNotContain(0);
    assertThat(read.get("Problem"))
        .anyMatch(problem -> ((Problem) problem).paymentToReturn().isPresent())
        .anyMatch(problem -> ((Problem) problem).order().isPresent())
        .anyMatch(problem -> ((Problem) problem).opensAt().isPresent())
        .anyMatch(problem -> !((Problem) problem).openOrders().isEmpty());
  }

  @Test
  void shouldKnowEachStatusOfTheContract() throws IOException {
    // given
    List<?> statuses =
        contract("public.yaml")
            .getJsonObject("components")
            .getJsonObject("schemas")
            .getJsonObject("OrderStatus")
            .getJsonArray("enum")
            .getList();

    // when
    Stream<String> known =
        Stream.of(Order.Status.values())
            .filter(status -> status != Order.Status.OTHER)
            .map(Enum::name);

    // then
    assertThat(new TreeSet<>(known.toList())).isEqualTo(new TreeSet<>(statuses));
  }
}
