package io.sluice.config.value;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** A file whose whole content is the value of one key, as orchestrators mount secrets. */
final class ValueFile {
  private static final int BYTES_MAX = 64 * 1024;

  private ValueFile() {}

  /** Reads the text without a newline at its end. */
  static String read(String key, String path) {
    String text = decoded(key, bytes(key, path));
    if (text.endsWith("\r\n")) {
      return text.substring(0, text.length() - 2);
    }
    return text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
  }

  private static byte[] bytes(String key, String path) {
    byte[] bytes;
    try (InputStream in = Files.newInputStream(Path.of(path))) {
      bytes = in.readNBytes(BYTES_MAX + 1);
    } catch (IOException | InvalidPathException unreadable) {
      throw new InvalidConfigException(key, key + " must be in a file that can be read");
    }
    if (bytes.length > BYTES_MAX) {
      throw new InvalidConfigException(
          key, key + " must be in a file of at most " + BYTES_MAX + " bytes");
    }
    return bytes;
  }

  private static String decoded(String key, byte[] bytes) {
    try {
      return UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException notUtf8) {
      throw new InvalidConfigException(key, key + " must be in a file of UTF-8 text");
    }
  }
}
