package io.sluice.bench.site;

/** Something that sells stock over HTTP, and can be killed. */
public interface Contender extends AutoCloseable {
  /**
   * A sale as its own stores have it.
   *
   * @param deducted units that are no longer on sale
   * @param recorded orders that exist
   */
  record Books(long deducted, long recorded) {}

  String name();

  String url();

  /** A sale of its own with that many units. */
  long newSku(long units);

  void restock(long skuId, long units);

  /** Returns once nothing is under way any more. */
  void settle();

  /** SIGKILL. */
  void kill();

  void restart();

  Books books(long skuId);

  @Override
  void close();
}
