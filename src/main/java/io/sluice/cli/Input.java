package io.sluice.cli;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a call takes: a parameter, or a field of the body.
 *
 * @param in path, query, header or body
 * @param name in the request
 * @param option its name as an option
 * @param isRequestId whether a repeated call is the same one by it, so that a new one can be made
 * @param isSecret whether its option names a file with it, since {@code ps} shows arguments
 * @param text what the contract says of it
 */
record Input(
    String in,
    String name,
    String option,
    JsonObject schema,
    boolean required,
    boolean isRequestId,
    boolean isSecret,
    String text) {
  static final String PATH = "path";
  static final String QUERY = "query";
  static final String HEADER = "header";
  static final String BODY = "body";

  private static final String NULL = "null";

  /** The words that it may be; empty if others are taken, too. */
  List<String> words() {
    return schema.getJsonArray("enum", new JsonArray()).stream().map(String::valueOf).toList();
  }

  /** What stands for its value in a usage. */
  String label() {
    if (in.equals(PATH)) {
      return "<" + name + ">";
    }
    if (isSecret) {
      return "FILE";
    }
    if (!words().isEmpty()) {
      return String.join("|", words());
    }
    if (hasType("boolean")) {
      return "true|false";
    }
    return hasType("integer") ? "NUMBER" : hasType("array") ? "TEXT,TEXT" : "TEXT";
  }

  /** As a value of a JSON body. Throws IllegalArgumentException if it cannot be one. */
  @Nullable Object inJson(String given) {
    if (given.equals(NULL) && hasType(NULL)) {
      return null;
    }
    if (hasType("boolean")) {
      if (!List.of("true", "false").contains(given)) {
        throw new IllegalArgumentException(
            "Expected true or false as " + option + ", but got " + given);
      }
      return Boolean.valueOf(given);
    }
    if (hasType("integer")) {
      try {
        return Long.valueOf(given);
      } catch (NumberFormatException other) {
        throw new IllegalArgumentException(
            "Expected a whole number as " + option + ", but got " + given, other);
      }
    }
    return hasType("array") ? new JsonArray(List.of(given.split(","))) : given;
  }

  private boolean hasType(String type) {
    Object types = schema.getValue("type");
    return types instanceof JsonArray several ? several.contains(type) : type.equals(types);
  }
}
