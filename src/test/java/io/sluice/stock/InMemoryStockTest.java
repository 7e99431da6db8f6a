package io.sluice.stock;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.StockStoreContract;
import io.sluice.contract.StockUnderTest;
import io.sluice.model.BucketId;
import io.sluice.model.OrderToken;
import io.sluice.model.SkuSettings;
import io.sluice.stock.StockStore.Request;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InMemoryStockTest extends StockStoreContract {
  private static final BucketId BUCKET = new BucketId(1001, 0);

  private Duration ahead = Duration.ZERO;
  private final InMemoryStock stock =
      new InMemoryStock(() -> InstantSource.system().instant().plus(ahead), "aaaa");

  /** Such a grant may be swept at once, which is harmless, but never an hour late. */
  @ParameterizedTest
  @ValueSource(strings = {"-PT1H", "PT1H"})
  void shouldFindGrantsOverdueWhenTheClockJumps(Duration jump) {
    // given
    OpenBuckets.open(stock, BUCKET, 10, new SkuSettings(300, 0, 0, 0));
    OrderToken token = new OrderToken(1001, 0, "1001.0." + "a".repeat(22));
    stock.reserve(BUCKET, List.of(new Request(token, "alice", 1)));
    boolean before = stock.overdue(BUCKET, 4_000, 10).result().grants().isEmpty();

    // when
    ahead = jump;

    // then
    assertThat(before).isTrue();
    assertThat(stock.overdue(BUCKET, 4_000, 10).result().grants()).hasSize(1);
  }

  @Override
  public StockUnderTest unit() {
    return new StockUnderTest(stock, stock::writeHistory, stock::vanish);
  }
}
