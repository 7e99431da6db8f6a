package io.sluice.testkit.process;

import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Finds texts, one after the other, in a stream of chunks of any size. */
public final class CueReader {
  private static final int KEPT = 256;

  private final List<String> texts;
  private final StringBuilder window = new StringBuilder();
  private int seen;

  public CueReader(List<String> texts) {
    this.texts = texts;
  }

  /** Whether the last of the texts was found, this chunk included. */
  public boolean hasAllWith(Buffer chunk) {
    window.append(chunk.toString(StandardCharsets.ISO_8859_1));
    while (seen < texts.size()) {
      int at = window.indexOf(texts.get(seen));
      if (at < 0) {
        window.delete(0, Math.max(0, window.length() - KEPT));
        return false;
      }
      window.delete(0, at + texts.get(seen).length());
      seen++;
    }
    return true;
  }
}
