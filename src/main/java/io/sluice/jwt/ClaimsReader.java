package io.sluice.jwt;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the claims of one token. */
final class ClaimsReader implements StrictJson.Member {
  /** The end of the year 9999; a later time was rather given in milliseconds. */
  private static final double SECONDS_MAX = 253_402_300_799.0;

  private static final long NONE = -1;

  private final String userClaim;
  private long notBeforeMs;
  private long expiresMs = NONE;
  private @Nullable String issuer;
  private @Nullable String subject;
  private @Nullable String user;
  private final List<String> audience = new ArrayList<>(1);

  private ClaimsReader(String userClaim) {
    this.userClaim = userClaim;
  }

  static Claims read(byte[] json, String userClaim) throws InvalidJwtException {
    ClaimsReader reader = new ClaimsReader(userClaim);
    StrictJson.read(json, reader);
    if (reader.expiresMs == NONE) {
      throw new InvalidJwtException(JwtFault.NO_EXPIRY);
    }
    return new Claims(
        reader.notBeforeMs,
        reader.expiresMs,
        reader.issuer,
        List.copyOf(reader.audience),
        reader.subject,
        reader.user);
  }

  @Override
  public void read(String name, JsonParser value) throws IOException, InvalidJwtException {
    if (name.equals(userClaim)) {
      user = textOrNull(value);
    }
    switch (name) {
      case "exp" -> expiresMs = moment(value);
      case "nbf" -> notBeforeMs = moment(value);
      case "iss" -> issuer = text(value);
      case "sub" -> subject = textOrNull(value);
      case "aud" -> readAudience(value);
      default -> {
        // Other claims are the issuer's business.
      }
    }
  }

  private static long moment(JsonParser value) throws IOException, InvalidJwtException {
    if (value.currentToken().isNumeric()) {
      double seconds = value.getDoubleValue();
      if (seconds >= 0 && seconds <= SECONDS_MAX) {
        return Math.round(seconds * 1000);
      }
    }
    throw new InvalidJwtException(JwtFault.CLAIMS);
  }

  private void readAudience(JsonParser value) throws IOException, InvalidJwtException {
    if (value.currentToken() != JsonToken.START_ARRAY) {
      audience.add(text(value));
      return;
    }
    while (value.nextToken() != JsonToken.END_ARRAY) {
      audience.add(text(value));
    }
  }

  private static @Nullable String textOrNull(JsonParser value) throws IOException {
    return value.currentToken() == JsonToken.VALUE_STRING ? value.getText() : null;
  }

  private static String text(JsonParser value) throws IOException, InvalidJwtException {
    String text = textOrNull(value);
    if (text == null) {
      throw new InvalidJwtException(JwtFault.CLAIMS);
    }
    return text;
  }
}
