package io.sluice.explore.mutant;

import io.sluice.explore.store.Intercept;
import io.sluice.stock.ReserveReply;
import io.sluice.stock.ReserveReply.Contents;
import io.sluice.stock.StockStore;
import io.sluice.stock.StockStore.TokenPage;

/** A copy of a bucket's tokens is trusted although grants were made since it was read. */
final class OldCopy implements Defect {
  private static final Contents ALWAYS = new Contents(1, 1, 0);

  @Override
  public StockStore stockAbove(StockStore wired) {
    StockStore same =
        Intercept.of(StockStore.class, wired, "reserve", call -> call.go(OldCopy::unchanged));
    return Intercept.of(StockStore.class, same, "tokens", call -> call.go(OldCopy::same));
  }

  private static ReserveReply unchanged(ReserveReply reply) {
    return new ReserveReply(
        reply.code(), reply.available(), reply.outcomes(), ALWAYS, reply.soldOutMs(), reply.run());
  }

  private static TokenPage same(TokenPage page) {
    return new TokenPage(page.code(), ALWAYS, page.recorded(), page.next(), page.tokens());
  }
}
