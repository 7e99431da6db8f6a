package io.sluice.bench.site;

import io.sluice.bench.BenchException;
import io.sluice.testkit.site.Call;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.LockSupport;

/** All SKUs of a site, in Redis. */
public record LoadedSkus(Site site) {
  private static final String OPEN = "OK";

  /** Returns once Redis can sell each of them; asked one after the other, each until it can. */
  public void await(Duration limit) {
    long endNs = System.nanoTime() + limit.toNanos();
    Deque<Long> left = new ArrayDeque<>(site.ledger().totals().keySet());
    while (!left.isEmpty()) {
      if (isLoaded(left.peek())) {
        left.poll();
      } else if (System.nanoTime() > endNs) {
        throw new BenchException("Expected SKU %d to be loaded in time".formatted(left.peek()));
      } else {
        LockSupport.parkNanos(Site.POLL.toNanos());
      }
    }
  }

  private boolean isLoaded(long skuId) {
    JsonObject sku =
        site.caller().ask(Call.get(site.service().adminUrl() + "/admin/skus/" + skuId)).json();
    return OPEN.equals(
        sku.getJsonArray("per_bucket").getJsonObject(0).getJsonObject("redis").getString("code"));
  }
}
