package io.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.ScriptedPort.Ran;
import io.sluice.openapi.ContractFile;
import io.sluice.openapi.ContractFile.Operation;
import io.sluice.web.Contract;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each call of operators has a command, and all that it takes can be given. */
class CommandsTest {
  private static final ContractFile FILE = ContractFile.of(Contract.MANAGEMENT);
  private static final Set<String> NOT_OF_OPERATORS =
      Set.of("getContract", "getDocs", "getProblem", "getPage", "getPageFile", "watchLive");

  private static Ran run(String... words) {
    return ScriptedPort.runAlone("", Map.of(), List.of(words));
  }

  static Stream<Operation> calls() {
    return FILE.operations().stream().filter(call -> !NOT_OF_OPERATORS.contains(call.id()));
  }

  private static String kebab(String name) {
    return name.replaceAll("(?<=[a-z])(?=[A-Z])", "-").replace('_', '-').toLowerCase(Locale.ROOT);
  }

  @Test
  void shouldListACommandForEachCallOfOperators() {
    // given
    Set<String> expected =
        calls().map(call -> kebab(call.id())).collect(Collectors.toCollection(TreeSet::new));
    expected.addAll(List.of("completion", "size"));

    // when
    String help = run("--help").out();

    // then
    String list = help.substring(help.indexOf("Commands:"), help.indexOf("Exit codes:"));
    assertThat(
            list.lines()
                .filter(line -> line.matches("  [a-z].*"))
                .map(line -> line.strip().split(" ")[0]))
        .containsExactlyInAnyOrderElementsOf(expected);
  }

  @ParameterizedTest
  @MethodSource("calls")
  void shouldTakeAndExplainAllThatTheCallTakes(Operation call) {
    // when
    Ran help = run(kebab(call.id()), "--help");

    // then
    assertThat(help.code()).isZero();
    for (JsonObject parameter : call.parameters()) {
      String name = parameter.getString("name");
      assertThat(help.out())
          .contains(
              parameter.getString("in").equals("path") ? "<" + name + ">" : "--" + kebab(name));
    }
    JsonObject body = call.json().getJsonObject("requestBody");
    if (body != null) {
      JsonObject schema =
          FILE.followed(
              body.getJsonObject("content")
                  .getJsonObject("application/json")
                  .getJsonObject("schema"));
      for (String field : schema.getJsonObject("properties").fieldNames()) {
        assertThat(help.out()).containsAnyOf("--" + kebab(field), "--body=FILE");
      }
    }
  }

  @Test
  void shouldCompleteCommandsAndOptions() {
    // when
    Ran ran = run("completion", "sluice");

    // then
    assertThat(ran.code()).isZero();
    assertThat(ran.out())
        .contains("complete -F _complete_sluice ", "restock-sku", "'--restock-id'", "CONFIRMED");
  }

  /** The last example of the page on sizing. */
  @Test
  void shouldTellWhatASaleNeeds() {
    // when
    Ran ran =
        run(
            ("size --granted-per-s 20000 --refused-per-s 200000 --orders 10000000 -o json")
                .split(" "));

    // then
    assertThat(ran.err()).isEmpty();
    assertThat(new JsonObject(ran.out()))
        .isEqualTo(
            new JsonObject()
                .put("service_cores", 11.5)
                .put("redis_cores", 2.4)
                .put("redis_memory_mb", 1_614)
                .put("kafka_cores_of_each_replica", 1.6)
                .put("kafka_disk_mb_of_each_replica", 12_350)
                .put("database_cores", 4.2)
                .put("database_buffer_pool_mb", 1_700)
                .put("database_disk_mb", 5_000));
  }
}
