package io.sluice.chaos.check;

import io.sluice.chaos.buyer.OrderStory;
import io.sluice.chaos.buyer.OrderStory.Ask;
import io.sluice.chaos.buyer.OrderStory.BookedMark;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds buyers who heard that a SKU is sold out although a unit was free in some bucket (P9). Only
 * of SKUs whose units never come back can this be told from outside: units are free that nobody
 * could have got by then.
 */
public final class HonestNo {
  /** How long an answered restock may need until all buckets show it, whatever is down. */
  static final long SHOWN_AFTER_MS = 60_000;

  /**
   * A change of the total.
   *
   * @param qty negative where units are taken back
   * @param beganMs before its first request
   * @param endMs after its answer
   * @param done false where it was refused
   */
  public record Restock(long skuId, int qty, long beganMs, long endMs, boolean done) {
    /** What is surely there, of what it has added, in a time that lasts until then. */
    private long surely(long fromMs, long toMs) {
      if (qty > 0) {
        return done && endMs + SHOWN_AFTER_MS <= fromMs ? qty : 0;
      }
      return beganMs <= toMs && (done || endMs >= fromMs) ? qty : 0;
    }
  }

  /** Units that a buyer may have got in this time. */
  private record Claim(OrderStory story, int qty, long fromMs, long toMs) {}

  private final long firstStock;
  private final List<Restock> restocks;
  private final List<Claim> claims = new ArrayList<>();

  private HonestNo(long skuId, long firstStock, List<Restock> restocks) {
    this.firstStock = firstStock;
    this.restocks = restocks.stream().filter(restock -> restock.skuId() == skuId).toList();
  }

  /**
   * One line per breach.
   *
   * @param stories of all buyers
   * @param restocks that were decided, of all SKUs
   */
  public static List<String> breaches(
      long skuId, long firstStock, List<OrderStory> stories, List<Restock> restocks) {
    var check = new HonestNo(skuId, firstStock, restocks);
    List<OrderStory> own =
        stories.stream().filter(story -> story.wanted().skuId() == skuId).toList();
    own.forEach(check::claim);
    return own.stream().flatMap(story -> check.soldOuts(story).stream()).toList();
  }

  /** A refusal leaves no trace, so who was refused from the first request on got nothing. */
  private void claim(OrderStory story) {
    List<BookedMark> tolds = story.tolds();
    BookedMark last = tolds.isEmpty() ? null : tolds.get(tolds.size() - 1);
    boolean refused = last != null && last.ask() == Ask.PLACE && last.answer().startsWith("409");
    if (refused && tolds.stream().allMatch(told -> told.answer().startsWith("409"))) {
      return;
    }
    int qty = story.wanted().units().get(0).qty();
    claims.add(new Claim(story, qty, story.beganMs(), refused ? last.endMs() : Long.MAX_VALUE));
  }

  private List<String> soldOuts(OrderStory story) {
    return story.tolds().stream()
        .filter(told -> told.ask() == Ask.PLACE && told.answer().equals("409 sold-out"))
        .filter(told -> free(story, told) >= story.wanted().units().get(0).qty())
        .map(told -> "%d units were free: %s of %s".formatted(free(story, told), told, story))
        .toList();
  }

  private long free(OrderStory asking, BookedMark told) {
    long total =
        firstStock
            + restocks.stream().mapToLong(each -> each.surely(told.atMs(), told.endMs())).sum();
    long claimed =
        claims.stream()
            .filter(claim -> claim.story() != asking)
            .filter(claim -> claim.fromMs() <= told.endMs() && claim.toMs() >= told.atMs())
            .mapToLong(Claim::qty)
            .sum();
    return total - claimed;
  }
}
