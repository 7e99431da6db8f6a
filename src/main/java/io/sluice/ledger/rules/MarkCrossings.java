package io.sluice.ledger.rules;

import io.sluice.ledger.Ledger.MarkedStock;
import io.sluice.ledger.rules.MarkCrossings.MarkCrossing.Mark;
import io.sluice.ledger.rules.MarkCrossings.MarkCrossing.Way;
import io.sluice.ledger.rules.OutboxPayload.OutboxDraft;
import io.sluice.model.SkuSettings.Watermarks;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;

/**
 * The watermarks that a stock has crossed since they were last written down: down at its percentage
 * or less, up again from one percent more on. So a stock about a mark does not raise an event with
 * each order. A stock that fell through both has crossed both.
 *
 * @param after the stock with the marks that it has passed now
 */
public record MarkCrossings(MarkedStock after, List<MarkCrossing> crossed) {
  private static final int PERCENT = 100;
  private static final int HYSTERESIS = 1;

  /** The crossings of a stock. One that was never stocked crosses none. */
  public static MarkCrossings of(MarkedStock stock) {
    List<MarkCrossing> crossed = new ArrayList<>();
    int below = stock.below();
    Mark[] marks = Mark.values();
    if (stock.total() > 0) {
      while (below < marks.length && isDown(stock, percent(stock, marks[below]))) {
        crossed.add(crossing(stock, marks[below], Way.DOWN, crossed.size()));
        below++;
      }
      while (below > 0 && isUp(stock, percent(stock, marks[below - 1]))) {
        below--;
        crossed.add(crossing(stock, marks[below], Way.UP, crossed.size()));
      }
    }
    return new MarkCrossings(
        new MarkedStock(
            stock.skuId(),
            stock.total(),
            stock.available(),
            stock.marks(),
            below,
            stock.crossings() + crossed.size(),
            stock.saleId()),
        crossed);
  }

  /** The crossings of all stocks that have any. */
  public static List<MarkCrossings> ofAll(List<MarkedStock> stocks) {
    return stocks.stream().map(MarkCrossings::of).filter(one -> !one.crossed.isEmpty()).toList();
  }

  private static boolean isDown(MarkedStock stock, int percent) {
    return stock.available() * PERCENT <= stock.total() * percent;
  }

  private static boolean isUp(MarkedStock stock, int percent) {
    return stock.available() * PERCENT >= stock.total() * (percent + HYSTERESIS);
  }

  private static int percent(MarkedStock stock, Mark mark) {
    return mark.percent(stock.marks());
  }

  private static MarkCrossing crossing(MarkedStock stock, Mark mark, Way way, int before) {
    return new MarkCrossing(mark, way, percent(stock, mark), stock.crossings() + before + 1);
  }

  /** The events of these crossings, in order. */
  public List<OutboxDraft> events(int partition, long atMs) {
    return crossed.stream().map(crossing -> event(partition, crossing, atMs)).toList();
  }

  private OutboxDraft event(int partition, MarkCrossing crossing, long atMs) {
    JsonObject json =
        new JsonObject()
            .put("type", EventType.WATERMARK_CROSSED.name())
            .put("sku_id", after.skuId())
            .put("mark", crossing.mark().name())
            .put("way", crossing.way().name())
            .put("percent", crossing.percent())
            .put("available", after.available())
            .put("total", after.total())
            .put("version", crossing.version())
            .put("at", atMs);
    return OutboxPayload.ofSku(partition, EventType.WATERMARK_CROSSED, json, after.saleId());
  }

  /**
   * A watermark that was crossed.
   *
   * @param percent the mark as it was set
   * @param version the number of this crossing among those of its SKU, from 1 on
   */
  record MarkCrossing(Mark mark, Way way, int percent, long version) {

    /** The marks, in the order in which a falling stock passes them. */
    enum Mark {
      LOW,
      LAST;

      int percent(Watermarks marks) {
        return this == LOW ? marks.lowPercent() : marks.lastPercent();
      }
    }

    /** DOWN to the mark or below it, or UP again. */
    enum Way {
      DOWN,
      UP
    }
  }
}
