package io.sluice.orderlog;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.sluice.model.Command;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads one record of the order log. An invalid command is malformed alone; a record that cannot be
 * parsed is one malformed command.
 */
final class RecordReader {
  /** The number of characters of a malformed command that are kept. */
  static final int RAW_MAX = 4_096;

  private static final int UTF8_BYTES_MAX = 4;

  private final byte[] record;
  private final List<Command> commands = new ArrayList<>();
  private int version;
  private boolean hasCommands;
  private @Nullable String problem;

  RecordReader(byte[] record) {
    this.record = record;
  }

  Decoded read() {
    try (JsonParser json = RecordFormat.JSON.createParser(record)) {
      readRecord(json);
    } catch (IOException | RuntimeException notJson) {
      // A RuntimeException is a bug of the parser; it must not block the partition either.
      return new Decoded(true, malformed("Expected JSON, but " + firstLine(notJson)));
    }
    if (version > RecordFormat.VERSION) {
      return new Decoded(
          false,
          malformed("Expected v to be at most " + RecordFormat.VERSION + ", but it is " + version));
    }
    if (problem == null && version == 0) {
      problem = "Expected v to be the record's version, but there is none";
    }
    if (problem == null && !hasCommands) {
      problem = "Expected commands to be an array, but there is none";
    }
    return new Decoded(true, problem == null ? List.copyOf(commands) : malformed(problem));
  }

  private void readRecord(JsonParser json) throws IOException {
    if (json.nextToken() != JsonToken.START_OBJECT) {
      problem = "Expected the record to be a JSON object, but it is not";
      skipAll(json);
      return;
    }
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String name = json.currentName();
      JsonToken value = json.nextToken();
      if (name.equals("v")) {
        readVersion(json, value);
      } else if (name.equals("commands") && version <= RecordFormat.VERSION) {
        readCommands(json, value);
      } else {
        json.skipChildren();
      }
    }
    if (json.nextToken() != null) {
      problem = "Expected one JSON object, but more follows";
      skipAll(json);
    }
  }

  private void readVersion(JsonParser json, JsonToken value) throws IOException {
    boolean isInt =
        value == JsonToken.VALUE_NUMBER_INT && json.getNumberType() == JsonParser.NumberType.INT;
    if (version != 0 || !isInt || json.getIntValue() < 1) {
      problem = "Expected v to be one positive integer, but it is not";
      json.skipChildren();
    } else {
      version = json.getIntValue();
    }
  }

  private void readCommands(JsonParser json, JsonToken value) throws IOException {
    if (value != JsonToken.START_ARRAY || hasCommands) {
      problem = "Expected commands to be one array, but it is not";
      json.skipChildren();
      return;
    }
    hasCommands = true;
    CommandReader reader = new CommandReader(json);
    for (JsonToken item = json.nextToken(); item != JsonToken.END_ARRAY; item = json.nextToken()) {
      long begin = json.currentTokenLocation().getByteOffset();
      Command command = reader.read(item);
      commands.add(
          command != null
              ? command
              : new Command.Malformed(rawFrom(begin, json), reader.problem()));
    }
  }

  /** The text from this byte to the end of the current token. */
  private String rawFrom(long begin, JsonParser json) {
    long end = json.currentLocation().getByteOffset();
    // The parser has no byte offsets for a record that it takes for UTF-16 or UTF-32.
    return begin < 0 || end < begin ? raw(0, record.length) : raw((int) begin, (int) end);
  }

  private String raw(int begin, int end) {
    int length = Math.min(end - begin, RAW_MAX * UTF8_BYTES_MAX);
    String text = new String(record, begin, length, UTF_8);
    if (text.length() <= RAW_MAX) {
      return text;
    }
    int cut = Character.isHighSurrogate(text.charAt(RAW_MAX - 1)) ? RAW_MAX - 1 : RAW_MAX;
    return text.substring(0, cut);
  }

  private List<Command> malformed(String why) {
    return List.of(new Command.Malformed(raw(0, record.length), why));
  }

  private static void skipAll(JsonParser json) throws IOException {
    while (json.nextToken() != null) {
      json.skipChildren();
    }
  }

  private static String firstLine(Exception failure) {
    return String.valueOf(failure.getMessage()).lines().findFirst().orElse("it is not");
  }
}
