package io.sluice.sale;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Call;
import io.sluice.testkit.site.HttpCaller;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/** A table of calls and expected answers; every row becomes a test. */
final class ApiRows {
  private final List<Row> rows = new ArrayList<>();

  /**
   * One row.
   *
   * @param expected as {@link Answer#brief()} gives it, or the status alone
   */
  private record Row(String name, Call call, String expected) {}

  ApiRows row(String name, String expected, Call call) {
    rows.add(new Row(name, call, expected));
    return this;
  }

  Stream<DynamicTest> tests(HttpCaller caller) {
    return rows.stream()
        .map(
            row ->
                DynamicTest.dynamicTest(
                    row.name() + ": " + row.expected(), () -> check(caller, row)));
  }

  private static void check(HttpCaller caller, Row row) {
    // when
    Answer answer = caller.ask(row.call());

    // then
    assertThat(shortened(answer, row.expected())).as("%s", answer).isEqualTo(row.expected());
    assertThat(answer.body())
        .doesNotContain("Exception")
        .doesNotContain("io.sluice")
        .doesNotContain("\tat ");
    if (answer.status() >= 400) {
      assertIsProblem(answer);
    }
  }

  /** Checks for a problem document of RFC 9457. */
  static void assertIsProblem(Answer answer) {
    assertThat(answer.contentType()).isEqualTo("application/problem+json");
    assertThat(answer.json().getInteger("status")).isEqualTo(answer.status());
    assertThat(answer.json().getString("type")).matches("/problems/[a-z-]+");
    assertThat(answer.json().getString("title")).isNotBlank();
    if (answer.status() == 503) {
      assertThat(Integer.parseInt(answer.header("retry-after"))).isPositive();
    }
  }

  /** Shortens a text for the name of a row. */
  static String cut(String text) {
    return text.length() <= 30 ? text : text.substring(0, 30) + "... (" + text.length() + ")";
  }

  private static String shortened(Answer answer, String expected) {
    return expected.contains(" ") ? answer.brief() : String.valueOf(answer.status());
  }
}
