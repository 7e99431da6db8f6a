package io.sluice.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.openapi.ContractFile.Operation;
import io.sluice.web.HttpProbe;
import io.sluice.web.HttpProbe.Answer;
import io.vertx.core.json.JsonObject;
import java.net.URLEncoder;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/** Every call refuses what its contract does not describe, by name, before it does anything. */
public final class UndescribedInput {
  private static final String NAME = "undescribed";

  private final ContractFile file;
  private final HttpProbe probe;
  private final String[] headers;

  /**
   * @param headers of a caller who may make every call
   */
  public UndescribedInput(ContractFile file, HttpProbe probe, String... headers) {
    this.file = file;
    this.probe = probe;
    this.headers = headers;
  }

  public Stream<DynamicTest> tests() {
    return file.operations().stream()
        .flatMap(
            operation ->
                Stream.of(
                    DynamicTest.dynamicTest(
                        operation.call() + " with a parameter", () -> parameter(operation)),
                    DynamicTest.dynamicTest(
                        operation.call() + " with a parameter twice", () -> twice(operation)),
                    DynamicTest.dynamicTest(
                        operation.call() + " with a field", () -> field(operation)),
                    DynamicTest.dynamicTest(
                        operation.call() + " with a condition", () -> condition(operation))));
  }

  /** A change was made although its caller had said that it must not be. */
  private void condition(Operation operation) {
    if (operation.method().equals("GET")) {
      return;
    }
    boolean isDescribed =
        operation.parameters().stream()
            .anyMatch(parameter -> parameter.getString("name").equals("If-Match"));
    String target = target(operation);
    assertRefused(send(operation, target, "", "If-None-Match", "*"), "If-None-Match");
    assertRefused(send(operation, target, "", "If-Match", isDescribed ? "a" : "\"a\""), "If-Match");
  }

  private void parameter(Operation operation) {
    Answer answer = send(operation, target(operation) + "?" + NAME + "=1", "");
    assertRefused(answer, NAME);
    for (String described : ContractRoutes.query(operation)) {
      assertThat(answer.json().getString("detail")).contains(described);
    }
  }

  private void twice(Operation operation) {
    for (String described : ContractRoutes.query(operation)) {
      assertRefused(
          send(operation, target(operation) + "?" + described + "=1&" + described + "=1", ""),
          described);
    }
  }

  private void field(Operation operation) {
    Answer answer = send(operation, target(operation), new JsonObject().put(NAME, 1).encode());
    assertRefused(answer, NAME);
    for (String described : ContractRoutes.fields(file, operation)) {
      assertThat(answer.json().getString("detail")).contains(described);
    }
  }

  private static void assertRefused(Answer answer, String name) {
    assertThat(answer.status()).as(answer.text()).isEqualTo(400);
    assertThat(answer.problem()).isEqualTo("bad-request");
    assertThat(answer.field()).isEqualTo(name);
  }

  /** The body is for calls that have one, or it is what they must refuse. */
  private Answer send(Operation operation, String target, String body, String... more) {
    String[] all = Arrays.copyOf(headers, headers.length + more.length);
    System.arraycopy(more, 0, all, headers.length, more.length);
    if (!body.isEmpty()) {
      return probe.json(operation.method(), target, body, all);
    }
    return operation.json().getJsonObject("requestBody") == null
        ? probe.send(operation.method(), target, BodyPublishers.noBody(), all)
        : probe.json(operation.method(), target, "{}", all);
  }

  private static String target(Operation operation) {
    String path = operation.path();
    for (JsonObject parameter : operation.parameters()) {
      if (parameter.getString("in").equals("path")) {
        String value = String.valueOf(parameter.getValue("example"));
        path =
            path.replace(
                "{" + parameter.getString("name") + "}",
                URLEncoder.encode(value, StandardCharsets.UTF_8));
      }
    }
    assertThat(List.of(path.split(""))).as("each parameter has an example").doesNotContain("{");
    return path;
  }
}
