package io.sluice.config;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/**
 * A file that the configuration names. Reading it blocks, and fails with {@link
 * InvalidConfigException} if it cannot be read, or is larger than expected.
 *
 * @param key of the configuration, whose value is the path, or in the file
 * @param shown in place of the path, which may be a secret that was set by mistake
 */
public record NamedFile(String key, String path, String shown) {

  /** The content. */
  public byte[] bytes(int bytesMax) {
    try (InputStream in = Files.newInputStream(Path.of(path))) {
      byte[] bytes = in.readNBytes(bytesMax + 1);
      if (bytes.length <= bytesMax) {
        return bytes;
      }
    } catch (IOException | InvalidPathException unreadable) {
      throw fault("that can be read");
    }
    throw fault("of at most " + bytesMax + " bytes");
  }

  /** The content as text, in UTF-8. */
  public String text(int bytesMax) {
    try {
      return UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes(bytesMax))).toString();
    } catch (CharacterCodingException notUtf8) {
      throw fault("of UTF-8 text");
    }
  }

  private InvalidConfigException fault(String expected) {
    return new InvalidConfigException(
        key, "%s must be in a file %s (%s)".formatted(key, expected, shown));
  }
}
