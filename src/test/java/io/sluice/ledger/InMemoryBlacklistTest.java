package io.sluice.ledger;

import io.sluice.contract.BlacklistContract;
import io.vertx.core.Future;

class InMemoryBlacklistTest implements BlacklistContract {
  private final Blacklist unit = new InMemoryBlacklist(() -> 1_795_248_000_000L);

  @Override
  public Blacklist unit() {
    return unit;
  }

  @Override
  public <T> T get(Future<T> future) {
    return future.result();
  }
}
