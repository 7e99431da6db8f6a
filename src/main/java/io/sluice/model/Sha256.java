package io.sluice.model;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** The hash that every JDK has. */
public final class Sha256 {
  private Sha256() {}

  /** Of the text in UTF-8; 32 bytes. */
  public static byte[] of(String text) {
    return of(text.getBytes(UTF_8));
  }

  /** 32 bytes. */
  public static byte[] of(byte[] content) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(content);
    } catch (NoSuchAlgorithmException missing) {
      throw new LinkageError("Expected SHA-256, which every JDK has", missing);
    }
  }
}
