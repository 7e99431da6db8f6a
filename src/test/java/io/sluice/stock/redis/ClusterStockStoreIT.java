package io.sluice.stock.redis;

import static io.sluice.contract.StockUnderTest.await;

import io.sluice.contract.StockStoreContract;
import io.sluice.contract.StockUnderTest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The contract of the stock, kept by a cluster in any of its partitions. */
class ClusterStockStoreIT extends StockStoreContract {
  private static final int PARTITION = 7;

  private static ClusterUnderTest redis;
  private static ClusterStock connection;

  @BeforeAll
  static void connect() {
    redis = new ClusterUnderTest();
    connection = new ClusterStock(redis.vertx, redis.connector(), redis.meters);
    await(redis.loop.call(connection::start));
  }

  @AfterAll
  static void disconnect() {
    if (redis != null) {
      await(redis.loop.call(connection::close));
      redis.close();
    }
  }

  @Override
  public StockUnderTest unit() {
    return new StockUnderTest(
        redis.loop.wrap(connection.at(PARTITION)),
        (bucket, history) -> redis.writeHistory(PARTITION, bucket, history),
        (bucket, key) -> redis.vanish(PARTITION, bucket, key));
  }
}
