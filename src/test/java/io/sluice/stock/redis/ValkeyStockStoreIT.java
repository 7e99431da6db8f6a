package io.sluice.stock.redis;

import static io.sluice.contract.StockUnderTest.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.contract.StockStoreContract;
import io.sluice.contract.StockUnderTest;
import io.sluice.stock.StockStore;
import io.sluice.testkit.process.RunFolder;
import io.sluice.testkit.process.StartContext;
import io.sluice.testkit.process.StartListener;
import io.sluice.testkit.process.Workspace;
import io.sluice.testkit.redis.RedisBackend;
import io.sluice.testkit.redis.RedisFactory;
import io.sluice.testkit.server.ServerOptions;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The rules of the stock on Valkey, if this machine has it (package valkey-server). */
class ValkeyStockStoreIT extends StockStoreContract {
  private static final String PROGRAM = "valkey-server";

  private static RunFolder folder;
  private static RedisBackend valkey;
  private static RedisUnderTest redis;
  private static RedisStock connection;
  private static StockStore store;

  @BeforeAll
  static void connect() {
    folder = Workspace.newRunFolder(Workspace.root().resolve("valkey"));
    StartContext context =
        new StartContext(folder.path(), Map.of(), ServerOptions.none(), StartListener.SILENT);
    Optional<RedisBackend> found = new RedisFactory(context).ofSystem(PROGRAM);
    assumeTrue(found.isPresent(), "Expected " + PROGRAM + ", but this machine has none");
    valkey = found.orElseThrow();
    redis = new RedisUnderTest(valkey);
    connection = new RedisStock(redis.vertx, redis.connector(), redis.meters);
    store = connection.at(0);
    await(redis.loop.call(connection::start));
  }

  @AfterAll
  static void disconnect() {
    if (valkey != null) {
      await(redis.loop.call(connection::close));
      redis.close();
      valkey.close();
    }
    folder.close();
  }

  @Override
  public StockUnderTest unit() {
    return new StockUnderTest(redis.loop.wrap(store), redis::writeHistory, redis::vanish);
  }
}
