package io.sluice.chaos.buyer;

import io.sluice.chaos.buyer.Goods.Item;
import io.sluice.chaos.buyer.OrderStory.Ask;
import io.sluice.chaos.buyer.OrderStory.BookedMark;
import io.sluice.model.BucketId;
import io.sluice.testkit.mysql.LedgerReader;
import io.sluice.testkit.mysql.LedgerReader.Stock;
import java.util.List;

/**
 * Finds the buyers who cannot get a final answer: their bucket is empty while another one is not,
 * so they are told {@code busy} until units return (docs/design.md section 9), which without other
 * buyers may never happen.
 */
public final class EmptyBuckets {
  private final LedgerReader ledger;
  private final List<Item> items;

  public EmptyBuckets(LedgerReader ledger, List<Item> items) {
    this.ledger = ledger;
    this.items = items;
  }

  /** Whether each of these buyers waits for such a bucket. */
  public boolean explainAll(List<OrderStory> open) {
    return open.isEmpty() || explain(ledger.counters(), open);
  }

  /** Restocks so much that each of these buyers gets enough, whatever bucket the units go to. */
  public void fill(Restocker restocker, List<OrderStory> open) {
    for (Item item : items) {
      int wanted =
          open.stream()
              .map(OrderStory::wanted)
              .filter(request -> request.skuId() == item.skuId())
              .mapToInt(OrderStory.OrderRequest::qty)
              .sum();
      if (wanted > 0) {
        restocker.restock(item, wanted * item.buckets());
      }
    }
  }

  private boolean explain(List<Stock> stocks, List<OrderStory> open) {
    return open.stream().allMatch(story -> isTold(story) && isLeftOut(stocks, story.wanted()));
  }

  private static boolean isTold(OrderStory story) {
    List<BookedMark> tolds = story.tolds();
    BookedMark last = tolds.isEmpty() ? null : tolds.get(tolds.size() - 1);
    return last != null && last.ask() == Ask.PLACE && last.answer().equals("503 busy");
  }

  private boolean isLeftOut(List<Stock> stocks, OrderStory.OrderRequest request) {
    int buckets =
        items.stream()
            .filter(item -> item.skuId() == request.skuId())
            .mapToInt(Item::buckets)
            .findFirst()
            .orElseThrow();
    int own = BucketId.of(request.skuId(), request.userId(), buckets).bucket();
    List<Stock> ofSku = stocks.stream().filter(stock -> stock.skuId() == request.skuId()).toList();
    return ofSku.stream().anyMatch(s -> s.bucket() == own && s.available() < request.qty())
        && ofSku.stream().anyMatch(s -> s.bucket() != own && s.available() > 0);
  }
}
