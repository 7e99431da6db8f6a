package io.sluice.ledger;

import io.sluice.model.Sku;
import io.vertx.core.Future;

/**
 * The requests of operators to the {@link Archives}: written down by these calls, and carried out
 * later. Each call may be repeated, and returns how far it is. Part of {@link SkuLedger}.
 */
public interface ArchiveRequests {

  /** How far the archive of a SKU is. */
  sealed interface ArchiveResult {
    /** All orders of the sale are in the archive. */
    record Done(Sku sku) implements ArchiveResult {}

    /** Asked for; goes on by itself. */
    record Working(Sku sku) implements ArchiveResult {}

    /** The sale has not ended; nothing was written down. */
    record NotEnded(Sku sku) implements ArchiveResult {}

    record Unknown() implements ArchiveResult {}
  }

  /** Asks for all orders of an ended SKU to be moved to the archive; it is ARCHIVED after that. */
  Future<ArchiveResult> archive(long skuId);

  /**
   * Asks for the orders of a SKU's sales up to this one to be moved to the archive. The SKU may be
   * in a later sale.
   */
  Future<ArchiveResult> archiveSale(long skuId, long saleNo);

  /**
   * How far a buyer is forgotten.
   *
   * @param pseudonym that stands in place of the id
   * @param replaced how many orders have it
   * @param left how many orders keep the id: their sale, they, or a refund of them have not ended
   */
  record Forgotten(String pseudonym, long replaced, long left, boolean done) {}

  /**
   * Asks for a buyer to be taken out of all orders of ended sales: another id, another token, no
   * reference, and other names of payments. The result is forgotten once it was returned as done.
   *
   * @param pseudonym used if the buyer is not being forgotten already
   */
  Future<Forgotten> forget(String userId, String pseudonym);
}
