package io.sluice.openapi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.testkit.process.ChildMaven;
import io.sluice.testkit.process.ChildProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * The contracts keep what those of the release before have (kept.commit in pom.xml): no call,
 * answer, field or word of it is gone. A source archive without history cannot tell.
 */
class ContractBeforeTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final Path HERE = Path.of("").toAbsolutePath();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "src/main/resources/openapi/public.yaml",
        "src/main/resources/openapi/management.yaml",
        "docs/asyncapi.yaml"
      })
  void shouldHaveAllThatTheReleaseBeforeHas(String file) throws IOException {
    // given
    Map<String, Object> before = shown(ChildMaven.keptCommit(), file);

    // when
    List<String> losses = ContractLosses.between(before, read(Files.readString(Path.of(file))));

    // then
    assertThat(losses).isEmpty();
  }

  @Test
  void shouldFindACallAnAnswerAFieldAndAWordThatAreGone() {
    // given
    String older =
        """
        paths:
          /a:
            get: {responses: {200: {content: {json: {schema: {enum: [X, Y]}}}}, '409': {}}}
            post: {}
        components:
          schemas:
            Order: {properties: {enum: {type: string}, qty: {type: integer, description: old}}}
            Event: {properties: {type: {const: BOOKED}}}
        """;
    String newer =
        """
        paths:
          /a:
            get: {responses: {'200': {content: {json: {schema: {enum: [Y, Z]}}}}}}
        components:
          schemas:
            Order: {properties: {qty: {type: integer, description: new}}, description: more}
            Event: {properties: {type: {const: PAID}}}
        """;

    // when
    List<String> losses = ContractLosses.between(read(older), read(newer));

    // then
    assertThat(losses)
        .containsExactlyInAnyOrder(
            "/paths//a/post",
            "/paths//a/get/responses/409",
            "/paths//a/get/responses/200/content/json/schema/enum/X",
            "/components/schemas/Order/properties/enum",
            "/components/schemas/Event/properties/type/const/BOOKED");
    assertThat(ContractLosses.between(read(newer), read(newer))).isEmpty();
  }

  /** Nothing for a file that the commit does not have; aborts the test where it is unknown. */
  private static Map<String, Object> shown(String commit, String file) throws IOException {
    assumeTrue(
        asked("kept-known", "cat-file", "-e", commit + "^{commit}").code() == 0,
        "Expected the commit of the release before, " + commit + ", in the history of this clone");
    Asked text = asked("kept-contract", "show", commit + ":" + file);
    return text.code() == 0 ? read(Files.readString(text.log())) : Map.of();
  }

  private record Asked(int code, Path log) {}

  private static Asked asked(String name, String... arguments) {
    ChildProgram git = ChildProgram.in(HERE, name, LIMIT);
    List<String> command = new ArrayList<>(List.of("git"));
    command.addAll(List.of(arguments));
    return new Asked(git.exitCode("git cannot be asked", command), git.log());
  }

  private static Map<String, Object> read(String text) {
    return new Yaml(new SafeConstructor(new LoaderOptions())).load(text);
  }
}
