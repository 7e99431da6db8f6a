package io.sluice.admin.sale;

import io.sluice.ledger.SaleLedger.StateTotals;
import io.sluice.model.Limits;
import io.sluice.model.Sale;
import io.sluice.model.SkuState;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/** What SKUs of a sale that ends, or is archived, wait for. */
enum EndWait {
  /** A change in the ledger, which any instance makes. */
  LEDGER,
  UNFREEZE,
  /** The end of a restock that takes units back. */
  TAKE_BACK,
  /** The last payment, or the time-out, of an order. */
  PAYMENT,
  /** The owners, to take the buckets out of Redis. */
  OWNER,
  ARCHIVE;

  /** The archive has one worker for all SKUs, which rests while many buy. */
  static final Duration ARCHIVE_ALLOWED = Duration.ofHours(6);

  /** What these SKUs wait for; empty where they have nothing more to do. */
  static Optional<EndWait> of(Sale sale, StateTotals skus) {
    if (skus.behind() > 0) {
      return Optional.of(LEDGER);
    }
    return sale.isArchiving() ? ofArchive(skus) : ofEnd(skus);
  }

  private static Optional<EndWait> ofArchive(StateTotals skus) {
    return skus.stored() == SkuState.ARCHIVED ? Optional.empty() : Optional.of(ARCHIVE);
  }

  private static Optional<EndWait> ofEnd(StateTotals skus) {
    return switch (skus.stored()) {
      case SCHEDULED, OPEN, CLOSED -> Optional.of(TAKE_BACK);
      case FROZEN -> Optional.of(UNFREEZE);
      case ENDING -> Optional.of(skus.held() > 0 ? PAYMENT : OWNER);
      case ENDED, ARCHIVED -> Optional.empty();
    };
  }

  /** For how long it may go on without any change. */
  Duration allowed(Sale sale) {
    return switch (this) {
      // An order may have been extended, or be older than the last change of the window.
      case PAYMENT -> Duration.ofSeconds(sale.terms().paymentWindowS() + Limits.EXTENSION_S_MAX);
      case ARCHIVE -> ARCHIVE_ALLOWED;
      case LEDGER, UNFREEZE, TAKE_BACK, OWNER -> Duration.ZERO;
    };
  }

  /** Its name in log lines. */
  String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
