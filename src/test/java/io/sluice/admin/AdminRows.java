package io.sluice.admin;

import io.sluice.admin.AdminCalls.Call;
import io.sluice.openapi.ExampleRows;
import io.sluice.web.HttpProbe.Answer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** How examples of the management port's contract are brought about, each on a port of its own. */
record AdminRows(ExampleRows rows) {
  /**
   * @param key the operation and the example
   * @param given what the port has
   * @param changed how the call differs from the valid one of its operation
   */
  void row(String key, Consumer<AdminPortFixture> given, UnaryOperator<Call> changed) {
    ask(
        key,
        port -> {
          given.accept(port);
          return changed.apply(callOf(key)).send(port, AdminCalls.OLGA);
        });
  }

  void row(String key, Consumer<AdminPortFixture> given) {
    row(key, given, call -> call);
  }

  /** Of a port that has nothing. */
  void changed(String key, UnaryOperator<Call> changed) {
    row(key, port -> {}, changed);
  }

  void row(String key) {
    row(key, port -> {}, call -> call);
  }

  void ask(String key, Function<AdminPortFixture, Answer> answer) {
    rows.row(
        key,
        () -> {
          try (AdminPortFixture port = new AdminPortFixture(AdminCalls.CONFIG).serving()) {
            return answer.apply(port);
          }
        });
  }

  static Call callOf(String key) {
    return AdminCalls.of(key.substring(0, key.indexOf(' ')));
  }

  static UnaryOperator<Call> at(String path) {
    return call -> call.at(path);
  }
}
