package io.sluice.web;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonStreamContext;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import io.sluice.model.Limits;
import io.sluice.web.Problem.BadInputException;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads one JSON object from a body, field by field, without building a tree; a field may be a list
 * of flat objects. Anything that is not exactly what the caller asks for is a {@link
 * BadInputException} that names the field.
 */
public final class JsonFields implements AutoCloseable {
  private static final int QUOTED_MAX = 40;
  private static final String WHOLE = JsonText.WHOLE;

  private final JsonParser parser;

  /** Of an object in a list: the list, and the place in it, unless it is read as if alone. */
  private final String prefix;

  private final boolean isItem;

  private final List<String> accepted;
  private final List<String> seen = new ArrayList<>(4);
  private boolean begun;
  private boolean malformed;

  private JsonFields(JsonParser parser, List<String> accepted, String prefix, boolean isItem) {
    this.parser = parser;
    this.accepted = accepted;
    this.prefix = prefix;
    this.isItem = isItem;
    this.begun = isItem;
  }

  /**
   * Reads text in UTF-8; no other encoding is guessed.
   *
   * @param accepted the names of all fields that there may be
   */
  public static JsonFields of(Buffer body, List<String> accepted) {
    return new JsonFields(JsonText.parser(body), accepted, "", false);
  }

  /** The name of the next field, or null after the last one, if nothing follows the object. */
  public @Nullable String next() {
    if (!begun) {
      begin();
    }
    JsonToken token = token();
    if (token == JsonToken.END_OBJECT) {
      if (!isItem) {
        end();
      }
      return null;
    }
    String name = read(JsonParser::currentName);
    if (seen.contains(name)) {
      throw at(name, "Expected each field once, but \"" + quoted(name) + "\" comes twice");
    }
    seen.add(name);
    if (!accepted.contains(name)) {
      throw unknown();
    }
    return name;
  }

  private void begin() {
    begun = true;
    JsonToken token = token();
    if (token != JsonToken.START_OBJECT) {
      throw new BadInputException(WHOLE, "Expected a JSON object, but got " + word(token));
    }
  }

  private void end() {
    JsonToken token = token();
    if (token != null) {
      throw new BadInputException(
          WHOLE, "Expected nothing after the JSON object, but there is " + word(token));
    }
  }

  /** The current field's value as an integer within these limits. */
  public long wholeNumber(long min, long max) {
    JsonToken token = token();
    if (token == JsonToken.VALUE_NUMBER_INT) {
      OptionalLong value = longValue();
      if (value.isPresent() && value.getAsLong() >= min && value.getAsLong() <= max) {
        return value.getAsLong();
      }
    }
    throw unexpected("a whole number in " + min + ".." + max, token);
  }

  /** The current field's value as text. */
  public String text() {
    JsonToken token = token();
    if (token == JsonToken.VALUE_STRING) {
      return read(JsonParser::getText);
    }
    throw unexpected("text", token);
  }

  /** The current field's value as text, or null. */
  public @Nullable String textOrNull() {
    JsonToken token = token();
    if (token == JsonToken.VALUE_NULL) {
      return null;
    }
    if (token == JsonToken.VALUE_STRING) {
      return read(JsonParser::getText);
    }
    throw unexpected("null or text", token);
  }

  /** The current field's value as text of 1 to this many visible ASCII characters. */
  public String visible(int charsMax) {
    JsonToken token = token();
    if (token == JsonToken.VALUE_STRING) {
      String text = read(JsonParser::getText);
      if (Limits.isVisible(text, charsMax)) {
        return text;
      }
      throw at(
          current(),
          "Expected 1 to " + charsMax + " visible ASCII characters, but got another text");
    }
    throw unexpected("1 to " + charsMax + " visible ASCII characters", token);
  }

  /** The current field's value as true or false. */
  public boolean flag() {
    JsonToken token = token();
    if (token == JsonToken.VALUE_TRUE || token == JsonToken.VALUE_FALSE) {
      return token == JsonToken.VALUE_TRUE;
    }
    throw unexpected("true or false", token);
  }

  /**
   * The current field's value as a list of at most this many objects.
   *
   * @param accepted the names of all fields that an object may have
   * @param read reads one object up to its end
   */
  public <T> List<T> objects(int max, List<String> accepted, Function<JsonFields, T> read) {
    return items(max, place -> read.apply(new JsonFields(parser, accepted, place + ".", true)));
  }

  /**
   * The same, of objects that stand for themselves: a field is named as if its object were the
   * body, and one with a fault spoils no other.
   *
   * @param wrong what takes the place of an object with this fault
   */
  public <T> List<T> objects(
      int max,
      List<String> accepted,
      Function<JsonFields, T> read,
      Function<BadInputException, T> wrong) {
    return items(
        max,
        place -> {
          JsonStreamContext list = parser.getParsingContext().getParent();
          JsonFields item = new JsonFields(parser, accepted, "", true);
          try {
            return read.apply(item);
          } catch (BadInputException fault) {
            if (item.malformed) {
              throw fault;
            }
            skipTo(list);
            return wrong.apply(fault);
          }
        });
  }

  /** To the end of the current object of this list. */
  private void skipTo(JsonStreamContext list) {
    while (parser.currentToken() != JsonToken.END_OBJECT || parser.getParsingContext() != list) {
      token();
    }
  }

  private <T> List<T> items(int max, Function<String, T> read) {
    JsonToken token = token();
    if (token != JsonToken.START_ARRAY) {
      throw unexpected("a list of objects", token);
    }
    List<T> items = new ArrayList<>();
    for (token = token(); token != JsonToken.END_ARRAY; token = token()) {
      if (items.size() == max) {
        throw at(current(), "Expected at most " + max + " objects, but got more");
      }
      String place = current() + "[" + items.size() + "]";
      if (token != JsonToken.START_OBJECT) {
        throw at(place, "Expected a JSON object, but got " + word(token));
      }
      items.add(read.apply(place));
    }
    return items;
  }

  /** The current field's value as a list of 1 to this many texts. */
  public List<String> texts(int max) {
    JsonToken token = token();
    if (token != JsonToken.START_ARRAY) {
      throw unexpected("a list of texts", token);
    }
    List<String> texts = new ArrayList<>();
    for (token = token(); token != JsonToken.END_ARRAY; token = token()) {
      if (token != JsonToken.VALUE_STRING) {
        throw unexpected("a list of texts", token);
      }
      texts.add(read(JsonParser::getText));
    }
    if (texts.isEmpty() || texts.size() > max) {
      throw at(current(), "Expected 1 to " + max + " texts, but got " + texts.size());
    }
    return texts;
  }

  /** The exception for a current field with this fault. */
  public BadInputException wrong(String detail) {
    return at(current(), detail);
  }

  /** The current field's value as a time, epoch milliseconds; 0 for null. */
  public long momentOrNull() {
    JsonToken token = token();
    if (token == JsonToken.VALUE_NULL) {
      return 0;
    }
    if (token == JsonToken.VALUE_STRING) {
      OptionalLong moment = Rfc3339.parse(read(JsonParser::getText));
      if (moment.isPresent()) {
        return moment.getAsLong();
      }
    }
    throw unexpected(
        "null or a time like 2030-01-31T08:00:00Z or 2030-01-31T09:00:00+01:00", token);
  }

  /** The exception for a current field that is not accepted. */
  public BadInputException unknown() {
    String name = current();
    String expected =
        accepted.isEmpty()
            ? "Expected no field"
            : "Expected only the fields " + String.join(", ", accepted);
    return at(name, expected + ", but got \"" + quoted(name) + "\"");
  }

  /** Those of the fields that there may be, and that are missing so far. */
  public Set<String> missing() {
    Set<String> all = new HashSet<>(accepted);
    seen.forEach(all::remove);
    return all;
  }

  /** Fails if one of these fields is missing. */
  public void require(String... names) {
    for (String name : names) {
      if (!seen.contains(name)) {
        throw at(name, "Expected the field " + name + ", but it is missing");
      }
    }
  }

  @Override
  public void close() {
    try {
      parser.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private BadInputException unexpected(String what, @Nullable JsonToken token) {
    return at(current(), "Expected " + what + ", but got " + word(token));
  }

  private String current() {
    return seen.isEmpty() ? WHOLE : seen.get(seen.size() - 1);
  }

  private @Nullable JsonToken token() {
    return read(JsonParser::nextToken);
  }

  /** A step of the parser. */
  private interface Step<T> {
    T of(JsonParser parser) throws IOException;
  }

  private <T> T read(Step<T> step) {
    try {
      return step.of(parser);
    } catch (IOException e) {
      throw malformed(e);
    }
  }

  /** Empty if the value exceeds a long. */
  private OptionalLong longValue() {
    try {
      return OptionalLong.of(parser.getLongValue());
    } catch (IOException beyondLong) {
      return OptionalLong.empty();
    }
  }

  private BadInputException malformed(IOException e) {
    malformed = true;
    if (e instanceof StreamConstraintsException) {
      return at(underRead(), JsonText.BEYOND_LIMITS);
    }
    long at =
        e instanceof JsonProcessingException json && json.getLocation() != null
            ? json.getLocation().getCharOffset()
            : -1;
    return at(
        underRead(),
        "Expected JSON in UTF-8, but it is malformed" + (at < 0 ? "" : " at character " + at));
  }

  /**
   * The field at the parser's position; the parser is one value ahead when the field's name is
   * read.
   */
  private String underRead() {
    try {
      String name = parser.currentName();
      return name == null ? WHOLE : name;
    } catch (IOException e) {
      return WHOLE;
    }
  }

  private String word(@Nullable JsonToken token) {
    if (token == null) {
      return "nothing";
    }
    return switch (token) {
      case START_OBJECT, END_OBJECT -> "an object";
      case START_ARRAY, END_ARRAY -> "an array";
      case VALUE_STRING -> "text";
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> quoted(read(JsonParser::getText));
      default -> token.asString();
    };
  }

  /** A caller's own name may be empty; the whole body is named then. */
  private BadInputException at(String name, String detail) {
    return new BadInputException(name.isBlank() ? WHOLE : prefix + quoted(name), detail);
  }

  private static String quoted(String text) {
    return text.length() <= QUOTED_MAX ? text : text.substring(0, QUOTED_MAX) + "...";
  }

  /** How the JSON of callers is parsed, and its limits. */
  static final class JsonText {
    /** Stands for the name of a field if the body as a whole is invalid. */
    static final String WHOLE = "body";

    private static final int NAME_MAX = 64;
    private static final int TEXT_MAX = 1_024;
    private static final int DIGITS_MAX = 40;
    private static final int DEPTH_MAX = 4;

    static final String BEYOND_LIMITS =
        "Expected names of at most %d characters, text of %d, numbers of %d and %d levels, but got more"
            .formatted(NAME_MAX, TEXT_MAX, DIGITS_MAX, DEPTH_MAX);

    /** Nothing of a caller's names is kept: a table of names would grow with each unknown one. */
    private static final JsonFactory JSON =
        JsonFactory.builder()
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .streamReadConstraints(
                StreamReadConstraints.builder()
                    .maxNameLength(NAME_MAX)
                    .maxStringLength(TEXT_MAX)
                    .maxNumberLength(DIGITS_MAX)
                    .maxNestingDepth(DEPTH_MAX)
                    .build())
            .build();

    private JsonText() {}

    /** A parser of text in UTF-8; no other encoding is guessed. */
    static JsonParser parser(Buffer body) {
      try {
        CharBuffer text = UTF_8.newDecoder().decode(ByteBuffer.wrap(body.getBytes()));
        return JSON.createParser(text.array(), 0, text.length());
      } catch (CharacterCodingException notUtf8) {
        throw new BadInputException(WHOLE, "Expected JSON in UTF-8, but it is malformed");
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
