package io.sluice.explore.run;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The events of a run, as lines; recorded only on request, since it takes time. */
public final class Trace {
  private static final Pattern TOKEN =
      Pattern.compile("OrderToken\\[[^\\]]*value=([^\\]]*)\\]|\\b\\d+\\.\\d+\\.[A-Za-z0-9_-]{22}");
  private static final Pattern SHORT_NAME = Pattern.compile("#\\d+#");
  private static final Pattern BUCKET =
      Pattern.compile("BucketId\\[skuId=(\\d+), bucket=(\\d+)\\]");
  private static final Pattern SETTINGS = Pattern.compile(", settings=SkuSettings\\[[^\\]]*\\]");

  private record Line(boolean essential, String text) {}

  private final boolean kept;
  private final List<Line> lines = new ArrayList<>();
  private final Map<String, String> shortNames = new LinkedHashMap<>();

  Trace(boolean kept) {
    this.kept = kept;
  }

  /** Records a line; essential lines are changes and failures. */
  public void add(long nowUs, boolean essential, Supplier<String> text) {
    if (kept) {
      String at = String.format(Locale.ROOT, "%10.3f  ", nowUs / 1_000.0);
      lines.add(new Line(essential, at + shortened(text.get())));
    }
  }

  public List<String> lines() {
    return lines.stream().map(Line::text).toList();
  }

  /** The essential lines about the orders named in this text, and those that name no order. */
  public List<String> historyOf(String text) {
    List<String> named =
        SHORT_NAME.matcher(shortened(text)).results().map(name -> name.group()).toList();
    return lines.stream()
        .filter(Line::essential)
        .map(Line::text)
        .filter(
            line ->
                named.isEmpty()
                    || !SHORT_NAME.matcher(line).find()
                    || named.stream().anyMatch(line::contains))
        .toList();
  }

  /** Replaces tokens by #1#, #2# ... in the order of their appearance. */
  public String shortened(String text) {
    Matcher tokens = TOKEN.matcher(text);
    StringBuilder cut = new StringBuilder();
    while (tokens.find()) {
      String value = tokens.group(1) == null ? tokens.group() : tokens.group(1);
      String name = shortNames.computeIfAbsent(value, any -> "#" + (shortNames.size() + 1) + "#");
      tokens.appendReplacement(cut, name);
    }
    tokens.appendTail(cut);
    return SETTINGS.matcher(BUCKET.matcher(cut).replaceAll("$1:$2")).replaceAll("");
  }
}
