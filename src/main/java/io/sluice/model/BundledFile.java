package io.sluice.model;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** Reads files that are part of the program; fails if one is missing. */
public final class BundledFile {
  private BundledFile() {}

  /**
   * The content.
   *
   * @param path on the class path, from its root on
   */
  public static byte[] bytes(String path) {
    try (InputStream file = BundledFile.class.getResourceAsStream(path)) {
      if (file == null) {
        throw new IllegalStateException(
            "Expected the file " + path + " on the class path, but it is missing");
      }
      return file.readAllBytes();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /** The content as text, in UTF-8. */
  public static String text(String path) {
    return new String(bytes(path), UTF_8);
  }
}
