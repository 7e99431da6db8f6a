package io.sluice.jwt;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Base64;

/**
 * A token in the compact form of RFC 7515, taken apart; its signature is not verified.
 *
 * @param payload JSON that is not read yet
 * @param signed the bytes that the signature is of
 */
record CompactJwt(JoseHeader header, byte[] payload, byte[] signed, byte[] signature) {
  private static final char PADDING = '=';

  static CompactJwt parse(String token) throws InvalidJwtException {
    int first = token.indexOf('.');
    int second = token.indexOf('.', first + 1);
    // Four dots are an encrypted token.
    if (first < 0 || second < 0 || token.indexOf('.', second + 1) >= 0) {
      throw new InvalidJwtException(JwtFault.MALFORMED);
    }
    JoseHeader header = JoseHeader.read(decoded(token.substring(0, first)));
    return new CompactJwt(
        header,
        decoded(token.substring(first + 1, second)),
        token.substring(0, second).getBytes(US_ASCII),
        decoded(token.substring(second + 1)));
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
}
