package io.sluice.auth;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import io.sluice.auth.JwtFault.InvalidJwtException;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import io.vertx.core.json.jackson.JacksonCodec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.Collections;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A token in the compact form of RFC 7515, taken apart; its signature is not verified.
 *
 * @param algorithm of its header
 * @param keyId of its header, or null
 * @param payload JSON that is not read yet
 * @param signed the bytes that the signature is of
 */
record CompactJwt(
    String algorithm, @Nullable String keyId, byte[] payload, byte[] signed, byte[] signature) {
  private static final char PADDING = '=';

  /**
   * Parameters that would change how the token is read, or bring a key along: none of them is
   * obeyed. Others that are not understood are ignored (RFC 7515, section 4).
   */
  private static final Set<String> REFUSED =
      Set.of("crit", "b64", "jwk", "jku", "x5u", "x5c", "zip", "enc");

  private static final String NESTED = "JWT";
  private static final int DEPTH_MAX = 16;
  private static final int NUMBER_LENGTH_MAX = 32;

  /**
   * A name that comes twice is refused at any depth: two readers could take two values. Names are
   * not kept by the parser, since callers choose them.
   */
  private static final JsonFactory STRICT =
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

  static CompactJwt parse(String token) throws InvalidJwtException {
    int first = token.indexOf('.');
    int second = token.indexOf('.', first + 1);
    // Four dots are an encrypted token.
    if (first < 0 || second < 0 || token.indexOf('.', second + 1) >= 0) {
      throw new InvalidJwtException(JwtFault.MALFORMED);
    }
    JsonObject header = json(decoded(token.substring(0, first)));
    String contentType = text(header, "cty");
    if (!Collections.disjoint(header.fieldNames(), REFUSED)
        || (contentType != null && contentType.toUpperCase(Locale.ROOT).endsWith(NESTED))) {
      throw new InvalidJwtException(JwtFault.HEADER);
    }
    String algorithm = text(header, "alg");
    if (algorithm == null) {
      throw new InvalidJwtException(JwtFault.ALGORITHM);
    }
    return new CompactJwt(
        algorithm,
        text(header, "kid"),
        decoded(token.substring(first + 1, second)),
        token.substring(0, second).getBytes(US_ASCII),
        decoded(token.substring(second + 1)));
  }

  /** Its claims. */
  JsonObject claims() throws InvalidJwtException {
    return json(payload);
  }

  private static byte[] decoded(String base64url) throws InvalidJwtException {
    if (base64url.indexOf(PADDING) >= 0) {
      throw new InvalidJwtException(JwtFault.MALFORMED);
    }
    try {
      return Base64.getUrlDecoder().decode(base64url);
    } catch (IllegalArgumentException none) {
      throw new InvalidJwtException(JwtFault.MALFORMED);
    }
  }

  private static JsonObject json(byte[] utf8) throws InvalidJwtException {
    try {
      String text = UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8)).toString();
      if (JacksonCodec.fromParser(STRICT.createParser(text), Object.class)
          instanceof JsonObject object) {
        return object;
      }
    } catch (IOException | DecodeException notJson) {
      throw new InvalidJwtException(JwtFault.MALFORMED);
    }
    throw new InvalidJwtException(JwtFault.MALFORMED);
  }

  /** A parameter of the header; null if it is missing. */
  private static @Nullable String text(JsonObject header, String name) throws InvalidJwtException {
    Object value = header.getValue(name);
    if (value != null ? !(value instanceof String) : header.containsKey(name)) {
      throw new InvalidJwtException(JwtFault.MALFORMED);
    }
    return (String) value;
  }
}
