package io.sluice.explore;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What happened in a run, line by line; kept only where it is wanted, since it costs time. */
final class Trace {
  private static final Pattern TOKEN =
      Pattern.compile("OrderToken\\[[^\\]]*value=([^\\]]*)\\]|\\b\\d+\\.\\d+\\.[A-Za-z0-9_-]{22}");
  private static final Pattern BUCKET =
      Pattern.compile("BucketId\\[skuId=(\\d+), bucket=(\\d+)\\]");

  private final boolean kept;
  private final List<String> lines = new ArrayList<>();
  private final Map<String, String> shortNames = new LinkedHashMap<>();

  Trace(boolean kept) {
    this.kept = kept;
  }

  void add(long nowUs, Supplier<String> text) {
    if (kept) {
      lines.add(String.format("%10.3f  %s", nowUs / 1_000.0, shortened(text.get())));
    }
  }

  /** The lines that are about this token (as written in the trace), or about all. */
  List<String> about(String shortName) {
    Predicate<String> quiet = line -> line.contains(" => ") && !line.contains(shortName);
    return lines.stream().filter(line -> !quiet.test(line) || isAboutAll(line)).toList();
  }

  List<String> lines() {
    return List.copyOf(lines);
  }

  private static boolean isAboutAll(String line) {
    return line.contains("stock.freeze")
        || line.contains("stock.load")
        || line.contains("stock.open")
        || line.contains("raiseEpoch")
        || line.contains("takeOver");
  }

  /** Tokens become #1, #2 ... in the order of their appearance. */
  String shortened(String text) {
    Matcher tokens = TOKEN.matcher(text);
    StringBuilder cut = new StringBuilder();
    while (tokens.find()) {
      String value = tokens.group(1) == null ? tokens.group() : tokens.group(1);
      String name = shortNames.computeIfAbsent(value, any -> "#" + (shortNames.size() + 1) + "#");
      tokens.appendReplacement(cut, name);
    }
    tokens.appendTail(cut);
    return BUCKET.matcher(cut).replaceAll("$1:$2");
  }
}
