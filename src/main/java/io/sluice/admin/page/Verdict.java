package io.sluice.admin.page;

import io.sluice.admin.page.StockWatch.SkuNow;
import io.sluice.model.SkuState;
import io.sluice.monitor.Alarm;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One word for how the sale goes, and why. In this order: it cannot grant (STOPPED); it grants, and
 * somebody should look (DEGRADED); units are on sale (SELLING); nothing is (WAITING).
 */
record Verdict(Word word, List<Reason> reasons) {
  /** The number that a page has room for. */
  static final int REASONS_MAX = 5;

  /**
   * A reason for the word.
   *
   * @param alarm whose chapter of the runbook tells what to do; null if there is none
   * @param works what still works; empty if that is not told
   */
  record Reason(String text, @Nullable Alarm alarm, String works) {
    static Reason of(String text) {
      return new Reason(text, null, "");
    }

    JsonObject json() {
      JsonObject json = new JsonObject().put("text", text).put("works", works);
      return alarm == null ? json : json.put("alarm", alarm.word()).put("title", alarm.text());
    }
  }

  enum Word {
    SELLING,
    WAITING,
    DEGRADED,
    STOPPED
  }

  /**
   * What it follows from.
   *
   * @param down the parts that cannot be reached
   * @param worries what somebody should look at
   * @param skus those that are followed
   * @param skusKnown whether they were read
   */
  record Facts(
      boolean ready,
      List<Reason> down,
      List<Reason> worries,
      List<SkuNow> skus,
      boolean skusKnown,
      long nowMs) {}

  static Verdict of(Facts facts) {
    if (!facts.ready()) {
      return verdict(Word.STOPPED, facts.down());
    }
    List<SkuNow> frozen = in(SkuState.FROZEN, facts);
    if (!frozen.isEmpty() && frozen.size() == facts.skus().size()) {
      return verdict(Word.STOPPED, List.of(Reason.of("Every SKU is frozen")));
    }
    List<Reason> worries = new ArrayList<>(facts.down());
    frozen.forEach(seen -> worries.add(Reason.of("SKU " + seen.sku().skuId() + " is frozen")));
    worries.addAll(facts.worries());
    return worries.isEmpty() ? sale(facts) : verdict(Word.DEGRADED, worries);
  }

  private static Verdict sale(Facts facts) {
    List<SkuNow> open = in(SkuState.OPEN, facts);
    long left = open.stream().mapToLong(SkuNow::available).sum();
    if (left > 0) {
      return verdict(
          Word.SELLING,
          "%s open, %,d %s left".formatted(count(open.size()), left, left == 1 ? "unit" : "units"));
    }
    if (!open.isEmpty()) {
      return verdict(Word.WAITING, "Sold out: %s open, no unit left".formatted(count(open.size())));
    }
    long opensAtMs =
        in(SkuState.SCHEDULED, facts).stream()
            .mapToLong(seen -> seen.sku().settings().opensAtMs())
            .min()
            .orElse(0);
    if (opensAtMs > 0) {
      long inS = Math.max(0, (opensAtMs - facts.nowMs()) / 1_000);
      return verdict(Word.WAITING, "The next SKU opens in " + span(inS));
    }
    return verdict(Word.WAITING, nothing(facts));
  }

  private static String nothing(Facts facts) {
    if (!facts.skusKnown()) {
      return "Looking for SKUs";
    }
    return facts.skus().isEmpty() ? "There is no SKU yet" : "No SKU is open";
  }

  private static List<SkuNow> in(SkuState state, Facts facts) {
    return facts.skus().stream().filter(seen -> seen.state(facts.nowMs()) == state).toList();
  }

  private static String count(int skus) {
    return skus == 1 ? "1 SKU" : skus + " SKUs";
  }

  private static String span(long seconds) {
    if (seconds >= 3_600) {
      return "%d h %d min".formatted(seconds / 3_600, seconds / 60 % 60);
    }
    return seconds >= 60 ? "%d min %d s".formatted(seconds / 60, seconds % 60) : seconds + " s";
  }

  private static Verdict verdict(Word word, String reason) {
    return new Verdict(word, List.of(Reason.of(reason)));
  }

  private static Verdict verdict(Word word, List<Reason> reasons) {
    if (reasons.size() <= REASONS_MAX) {
      return new Verdict(word, List.copyOf(reasons));
    }
    List<Reason> first = new ArrayList<>(reasons.subList(0, REASONS_MAX - 1));
    first.add(Reason.of("and %d more".formatted(reasons.size() - first.size())));
    return new Verdict(word, first);
  }

  JsonObject json() {
    return new JsonObject()
        .put("word", word.name())
        .put("reasons", new JsonArray(reasons.stream().map(Reason::json).toList()));
  }
}
