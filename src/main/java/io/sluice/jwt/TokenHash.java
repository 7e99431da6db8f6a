package io.sluice.jwt;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** The SHA-256 of a token: a reader of the memory learns nothing from it. */
record TokenHash(long a, long b, long c, long d) {
  static TokenHash of(String token) {
    try {
      MessageDigest sha = MessageDigest.getInstance("SHA-256");
      ByteBuffer hash = ByteBuffer.wrap(sha.digest(token.getBytes(UTF_8)));
      return new TokenHash(hash.getLong(), hash.getLong(), hash.getLong(), hash.getLong());
    } catch (NoSuchAlgorithmException missing) {
      throw new LinkageError("Expected SHA-256, which every JDK has", missing);
    }
  }
}
