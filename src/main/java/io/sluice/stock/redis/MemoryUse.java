package io.sluice.stock.redis;

import io.sluice.stock.StockConnection.Memory;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the memory of a Redis from the whole of INFO. A server that shows none has 0. */
final class MemoryUse {
  private static final Pattern USED = Pattern.compile("(?m)^used_memory:(\\d{1,18})\\r?$");
  private static final Pattern MAX = Pattern.compile("(?m)^maxmemory:(\\d{1,18})\\r?$");

  private MemoryUse() {}

  static Memory in(String info) {
    return new Memory(number(USED, info), number(MAX, info));
  }

  private static long number(Pattern line, String info) {
    Matcher found = line.matcher(info);
    return found.find() ? Long.parseLong(found.group(1)) : 0;
  }
}
