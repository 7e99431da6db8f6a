package io.sluice.stock;

import static io.sluice.contract.StockUnderTest.await;

import io.sluice.contract.StockStoreContract;
import io.sluice.contract.StockUnderTest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class RedisStockStoreIT extends StockStoreContract {
  private static RedisUnderTest redis;
  private static RedisStockStore store;

  @BeforeAll
  static void connect() {
    redis = new RedisUnderTest();
    store = new RedisStockStore(redis.vertx, redis.config(), redis.meters);
    await(redis.loop.call(store::start));
  }

  @AfterAll
  static void disconnect() {
    await(redis.loop.call(store::close));
    redis.close();
  }

  @Override
  public StockUnderTest unit() {
    return new StockUnderTest(redis.loop.wrap(store), redis::writeRunId);
  }
}
