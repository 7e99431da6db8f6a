package io.sluice.contract;

/** A part of the contract of {@code StockStore}. */
interface StockContract {
  StockUnderTest unit();
}
