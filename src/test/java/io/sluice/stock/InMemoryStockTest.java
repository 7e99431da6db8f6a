package io.sluice.stock;

import io.sluice.contract.StockStoreContract;
import io.sluice.contract.StockUnderTest;
import java.time.InstantSource;

class InMemoryStockTest extends StockStoreContract {
  private final InMemoryStock stock = new InMemoryStock(InstantSource.system(), "aaaa");

  @Override
  public StockUnderTest unit() {
    return new StockUnderTest(stock, stock::writeHistory);
  }
}
