package io.sluice.jwt;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The parts of a token's header that choose its key. */
record JoseHeader(String algorithm, @Nullable String keyId) {
  /**
   * Parameters that would change how the token is read, or bring a key along: none of them is
   * obeyed.
   */
  private static final Set<String> REFUSED =
      Set.of("crit", "b64", "jwk", "jku", "x5u", "x5c", "zip", "enc");

  private static final String NESTED = "JWT";

  static JoseHeader read(byte[] json) throws InvalidJwtException {
    Reader reader = new Reader();
    StrictJson.read(json, reader);
    if (reader.algorithm == null) {
      throw new InvalidJwtException(JwtFault.ALGORITHM);
    }
    return new JoseHeader(reader.algorithm, reader.keyId);
  }

  private static final class Reader implements StrictJson.Member {
    private @Nullable String algorithm;
    private @Nullable String keyId;

    @Override
    public void read(String name, JsonParser value) throws IOException, InvalidJwtException {
      if (REFUSED.contains(name)) {
        throw new InvalidJwtException(JwtFault.HEADER);
      }
      switch (name) {
        case "alg" -> algorithm = text(value);
        case "kid" -> keyId = text(value);
        case "cty" -> refuseNested(text(value));
        default -> {
          // RFC 7515, section 4: parameters that are not understood are ignored.
        }
      }
    }

    private static String text(JsonParser value) throws IOException, InvalidJwtException {
      if (value.currentToken() != JsonToken.VALUE_STRING) {
        throw new InvalidJwtException(JwtFault.MALFORMED);
      }
      return value.getText();
    }

    private static void refuseNested(String contentType) throws InvalidJwtException {
      if (contentType.toUpperCase(Locale.ROOT).endsWith(NESTED)) {
        throw new InvalidJwtException(JwtFault.HEADER);
      }
    }
  }
}
