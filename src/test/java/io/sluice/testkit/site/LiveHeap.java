package io.sluice.testkit.site;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What an instance keeps in its heap. */
public final class LiveHeap {
  private static final Pattern TOTAL = Pattern.compile("Total\\s+\\d+\\s+(\\d+)");

  private LiveHeap() {}

  /** The bytes of live objects; counting them collects the others. */
  public static long bytesOf(SluiceProcess instance) throws IOException {
    Process histogram =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                String.valueOf(instance.pid()),
                "GC.class_histogram")
            .start();
    String text = new String(histogram.getInputStream().readAllBytes(), UTF_8);
    Matcher total = TOTAL.matcher(text);
    if (!total.find()) {
      throw new IOException("the heap cannot be counted: " + text);
    }
    return Long.parseLong(total.group(1));
  }
}
