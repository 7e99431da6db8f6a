package io.sluice.bench.site;

/** A server that sells stock over HTTP and can be killed. */
public interface Contender extends AutoCloseable {
  /**
   * The state of a sale in its own stores.
   *
   * @param deducted units that are no longer on sale
   * @param recorded orders that exist
   */
  record Books(long deducted, long recorded) {}

  String name();

  String url();

  /** Opens a sale with this many units. */
  long newSku(long units);

  void restock(long skuId, long units);

  /** Returns once nothing is in flight. */
  void settle();

  /** SIGKILL. */
  void kill();

  void restart();

  Books books(long skuId);

  @Override
  void close();
}
