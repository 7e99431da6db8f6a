package io.sluice.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.openapi.ContractFile.Example;
import io.sluice.web.HttpProbe.Answer;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/** How a test brings about each example of a contract; every example becomes a test. */
public final class ExampleRows {
  private final ContractFile file;
  private final Map<String, Supplier<Answer>> rows = new TreeMap<>();

  public ExampleRows(ContractFile file) {
    this.file = file;
  }

  /**
   * One row.
   *
   * @param key {@link Example#key}
   * @param call brings the example about, and returns the answer
   */
  public void row(String key, Supplier<Answer> call) {
    if (rows.put(key, call) != null) {
      throw new AssertionError("Expected one row for " + key + ", but there are two");
    }
  }

  /** A row for each of these calls. */
  public void rows(String statusAndName, Map<String, Supplier<Answer>> byOperation) {
    byOperation.forEach((operation, call) -> row(operation + " " + statusAndName, call));
  }

  /** The keys of all examples, for comparison with {@link #keys}. */
  public Stream<String> examples() {
    return file.examples().stream().map(Example::key);
  }

  public Stream<String> keys() {
    return rows.keySet().stream();
  }

  /**
   * @param before each row
   */
  public Stream<DynamicTest> tests(Runnable before) {
    return rows.entrySet().stream()
        .map(
            row ->
                DynamicTest.dynamicTest(
                    row.getKey(),
                    () -> {
                      before.run();
                      check(file.example(row.getKey()), row.getValue().get());
                    }));
  }

  private void check(Example example, Answer answer) {
    assertThat(answer.status()).as(answer.text()).isEqualTo(example.status());
    assertThat(answer.json()).isEqualTo(example.value());
    assertThat(answer.header("content-type")).isEqualTo(example.mediaType());
    assertThat(file.schemas().faults(example.schema(), answer.json())).isEmpty();
    file.checkHeaders(example.headers(), answer);
    if (answer.header("retry-after") != null) {
      assertThat(example.headers().containsKey("Retry-After")).as("Retry-After").isTrue();
    }
  }
}
