package io.sluice.web.format;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadConstraints;
import io.sluice.web.problem.BadInputException;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;

/** How the JSON of callers is parsed, and its limits. */
final class JsonText {
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
