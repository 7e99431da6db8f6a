package io.sluice.client;

import java.util.List;
import java.util.Map;

/** Writes the JSON of a request: objects, lists, texts and whole numbers. */
final class JsonWriter {
  private final StringBuilder json = new StringBuilder();

  private JsonWriter() {}

  static String write(Map<String, ?> object) {
    JsonWriter writer = new JsonWriter();
    writer.value(object);
    return writer.json.toString();
  }

  private void value(Object value) {
    if (value instanceof Map<?, ?> object) {
      json.append('{');
      String between = "";
      for (Map.Entry<?, ?> member : object.entrySet()) {
        json.append(between);
        string((String) member.getKey());
        json.append(':');
        value(member.getValue());
        between = ",";
      }
      json.append('}');
    } else if (value instanceof List<?> list) {
      json.append('[');
      String between = "";
      for (Object each : list) {
        json.append(between);
        value(each);
        between = ",";
      }
      json.append(']');
    } else if (value instanceof String text) {
      string(text);
    } else if (value instanceof Boolean flag) {
      json.append(flag.booleanValue());
    } else {
      json.append(((Number) value).longValue());
    }
  }

  private void string(String text) {
    json.append('"');
    for (int i = 0; i < text.length(); i++) {
      char each = text.charAt(i);
      if (each == '"' || each == '\\') {
        json.append('\\').append(each);
      } else if (each < ' ' || Character.isSurrogate(each)) {
        json.append(String.format("\\u%04x", (int) each));
      } else {
        json.append(each);
      }
    }
    json.append('"');
  }
}
