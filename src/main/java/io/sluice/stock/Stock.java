package io.sluice.stock;

/** The stock of all buckets, by the partition that they are in. */
@FunctionalInterface
public interface Stock {
  /**
   * The stock of the buckets in this partition. A bucket that was loaded in another partition is
   * ABSENT here.
   */
  StockStore at(int partition);
}
