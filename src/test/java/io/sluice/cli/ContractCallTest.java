package io.sluice.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.web.OpenApi;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** What the present contract has no call for. */
class ContractCallTest {
  private static final OpenApi CONTRACT =
      OpenApi.of(
          """
          paths:
            /targets/{target_id}:
              put:
                operationId: putTarget
                tags: [targets]
                summary: Puts 100% of a target
                parameters:
                  - {name: target_id, in: path, required: true, schema: {type: string}}
                requestBody:
                  required: true
                  content:
                    application/json:
                      schema:
                        type: object
                        properties:
                          url: {type: string}
                          types: {type: array, items: {type: string}}
                          secret: {type: string, writeOnly: true}
          """);

  @TempDir Path folder;

  private final CommandSpec spec = CommandSpec.create();
  private final ContractCall unit =
      new ContractCall(CONTRACT, CONTRACT.calls().get(0), Set.of("--url"));

  @BeforeEach
  void setUp() {
    unit.describe(spec);
  }

  private String body(String... words) throws IOException {
    return new String(unit.request(new CommandLine(spec).parseArgs(words)).body(), UTF_8);
  }

  @Test
  void shouldNameAFieldByItsPlaceWhenItsNameMeansSomethingElse() throws IOException {
    assertThat(body("shop", "--body-url", "https://shop/"))
        .isEqualTo("{\"url\":\"https://shop/\"}");
  }

  @Test
  void shouldTakeAListWithCommas() throws IOException {
    assertThat(body("shop", "--types", "PAID,ENDED")).isEqualTo("{\"types\":[\"PAID\",\"ENDED\"]}");
  }

  /** The list of processes shows arguments to everybody on the machine. */
  @Test
  void shouldTakeASecretFromAFileOnly() throws IOException {
    // given
    Path file = Files.writeString(folder.resolve("secret"), "whsec_1\n");

    // when
    String body = body("shop", "--secret-file", file.toString());

    // then
    assertThat(body).isEqualTo("{\"secret\":\"whsec_1\"}");
    assertThat(spec.optionsMap()).doesNotContainKey("--secret");
  }

  @Test
  void shouldShowAPercentSign() {
    assertThat(new CommandLine(spec).getUsageMessage()).contains("Puts 100% of a target");
  }
}
