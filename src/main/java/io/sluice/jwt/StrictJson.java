package io.sluice.jwt;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Reads one JSON object, member by member. A name that comes twice is refused at any depth: two
 * readers could take two values. Names are not kept by the parser, since callers choose them.
 */
final class StrictJson {
  private static final int DEPTH_MAX = 16;
  private static final int NUMBER_LENGTH_MAX = 32;
  private static final JsonFactory JSON =
      JsonFactory.builder()
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(DEPTH_MAX)
                  .maxNumberLength(NUMBER_LENGTH_MAX)
                  .build())
          .build();

  private StrictJson() {}

  /** Takes a member whose value is at the parser's position; need not read all of it. */
  @FunctionalInterface
  interface Member {
    void read(String name, JsonParser value) throws IOException, InvalidJwtException;
  }

  static void read(byte[] utf8, Member member) throws InvalidJwtException {
    try (JsonParser parser = JSON.createParser(decoded(utf8))) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new InvalidJwtException(JwtFault.MALFORMED);
      }
      while (parser.nextToken() != JsonToken.END_OBJECT) {
        String name = parser.currentName();
        parser.nextToken();
        member.read(name, parser);
        parser.skipChildren();
      }
      if (parser.nextToken() != null) {
        throw new InvalidJwtException(JwtFault.MALFORMED);
      }
    } catch (IOException notJson) {
      throw new InvalidJwtException(JwtFault.MALFORMED);
    }
  }

  private static String decoded(byte[] utf8) throws IOException {
    return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8)).toString();
  }
}
