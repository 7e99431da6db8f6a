package io.sluice.bench.site;

import io.sluice.testkit.mysql.LedgerReader.Stock;
import io.sluice.testkit.site.Call;
import io.vertx.core.json.JsonObject;
import java.util.concurrent.locks.LockSupport;

/** Sluice itself, in the comparison. */
public final class SluiceContender implements Contender {
  private final Site site;
  private int restocks;

  public SluiceContender(Site site) {
    this.site = site;
  }

  @Override
  public String name() {
    return "Sluice";
  }

  @Override
  public String url() {
    return site.service().url();
  }

  @Override
  public long newSku(long units) {
    return site.newSkus(1, units);
  }

  @Override
  public void restock(long skuId, long units) {
    restocks++;
    JsonObject body = new JsonObject().put("restock_id", "bench-" + restocks).put("qty", units);
    site.caller()
        .ask(Call.post(site.service().adminUrl() + "/admin/skus/" + skuId + "/restock").json(body));
  }

  @Override
  public void settle() {
    site.drain();
  }

  @Override
  public void kill() {
    site.service().kill();
  }

  @Override
  public void restart() {
    site.service().start().awaitReady();
  }

  /** Read once the log is booked; grants that only Redis has are swept within seconds. */
  @Override
  public Books books(long skuId) {
    awaitUnbookedSwept(skuId);
    Stock view = site.ledger().view(skuId).orElseThrow();
    return new Books(view.total() - site.stock().available(skuId, 0), view.held() + view.sold());
  }

  /** Returns once every grant of this SKU in Redis is known to be booked. */
  private void awaitUnbookedSwept(long skuId) {
    long endNs = System.nanoTime() + Site.DRAIN_LIMIT.toNanos();
    while (site.stock().unbooked(skuId, 0) > 0 && System.nanoTime() < endNs) {
      LockSupport.parkNanos(Site.POLL.toNanos());
    }
  }

  @Override
  public void close() {}
}
