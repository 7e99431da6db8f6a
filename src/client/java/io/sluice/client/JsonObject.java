package io.sluice.client;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An object whose members are read by name and type; those that nobody asks for are ignored.
 *
 * @param members without those that are null
 */
record JsonObject(Map<String, Object> members) {

  static JsonObject parse(byte[] utf8) {
    return of(new JsonReader(utf8).read());
  }

  /** The same with other values of these members. */
  JsonObject with(Map<String, Object> others) {
    Map<String, Object> all = new HashMap<>(members);
    all.putAll(others);
    return new JsonObject(Map.copyOf(all));
  }

  boolean has(String name) {
    return members.containsKey(name);
  }

  String text(String name) {
    return there(name, textIfThere(name));
  }

  Optional<String> textIfThere(String name) {
    return member(name, String.class);
  }

  long number(String name) {
    return there(name, numberIfThere(name));
  }

  Optional<Long> numberIfThere(String name) {
    return member(name, Long.class);
  }

  int integer(String name) {
    long number = number(name);
    if (number != (int) number) {
      throw new JsonException("Expected " + name + " as an int, but got " + number);
    }
    return (int) number;
  }

  int integer(String name, int otherwise) {
    return has(name) ? integer(name) : otherwise;
  }

  boolean flag(String name) {
    return there(name, member(name, Boolean.class));
  }

  Instant time(String name) {
    return there(name, timeIfThere(name));
  }

  Optional<Instant> timeIfThere(String name) {
    try {
      return textIfThere(name).map(Instant::parse);
    } catch (DateTimeException e) {
      throw new JsonException("Expected " + name + " as a time, but got another text");
    }
  }

  Optional<JsonObject> objectIfThere(String name) {
    return Optional.ofNullable(members.get(name)).map(JsonObject::of);
  }

  List<JsonObject> objects(String name) {
    List<?> list = there(name, member(name, List.class));
    return list.stream().map(JsonObject::of).toList();
  }

  /** Empty if there is no such member. */
  List<String> textsIfThere(String name) {
    List<?> list = has(name) ? there(name, member(name, List.class)) : List.of();
    return list.stream().map(each -> cast(name, each, String.class)).toList();
  }

  private <T> Optional<T> member(String name, Class<T> type) {
    return Optional.ofNullable(members.get(name)).map(value -> cast(name, value, type));
  }

  private static <T> T there(String name, Optional<T> value) {
    return value.orElseThrow(() -> new JsonException("Expected " + name + ", but it is missing"));
  }

  private static <T> T cast(String name, Object value, Class<T> type) {
    if (!type.isInstance(value)) {
      throw new JsonException(
          "Expected " + name + " as a " + type.getSimpleName() + ", but got another type");
    }
    return type.cast(value);
  }

  private static JsonObject of(Object value) {
    Map<String, Object> members = new HashMap<>();
    Map<?, ?> object = cast("the value", value, Map.class);
    object.forEach((name, member) -> members.put((String) name, member));
    return new JsonObject(Map.copyOf(members));
  }
}
