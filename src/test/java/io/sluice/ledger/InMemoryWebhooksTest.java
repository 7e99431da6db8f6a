package io.sluice.ledger;

import io.sluice.contract.WebhooksContract;
import io.vertx.core.Future;

class InMemoryWebhooksTest implements WebhooksContract {
  private final Webhooks unit = new InMemoryWebhooks(() -> 1_795_248_000_000L);

  @Override
  public Webhooks unit() {
    return unit;
  }

  @Override
  public <T> T get(Future<T> future) {
    return future.result();
  }
}
