package io.sluice.admin;

import io.sluice.ledger.SaleLedger.StateTotals;
import io.sluice.model.Limits;
import io.sluice.model.Sale;
import io.sluice.model.SkuState;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The reasons why SKUs of a sale that ends, or is archived, wait. */
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

  /**
   * SKUs that wait for the same.
   *
   * @param skus how many SKUs do
   * @param held the units that their orders hold
   */
  record Rest(long skus, long held) {
    static final Rest NONE = new Rest(0, 0);

    Rest plus(Rest other) {
      return new Rest(skus + other.skus, held + other.held);
    }
  }

  /** Whether the sale ends, or is archived, now. */
  static boolean isUnfinished(Sale sale) {
    return sale.state() == SkuState.ENDING || sale.isArchiving();
  }

  /** All that an unfinished sale waits for; it is never empty. */
  static Map<EndWait, Rest> all(Sale sale, List<StateTotals> totals) {
    Map<EndWait, Rest> rests = new EnumMap<>(EndWait.class);
    for (StateTotals one : totals) {
      of(sale, one)
          .ifPresent(wait -> rests.merge(wait, new Rest(one.skus(), one.held()), Rest::plus));
    }
    if (rests.isEmpty()) {
      // All its SKUs have ended, and the sale has not: its own row cannot be written.
      rests.put(LEDGER, Rest.NONE);
    }
    return rests;
  }

  /** The reason why these SKUs wait; empty if they have nothing more to do. */
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

  /** Its name in log lines and answers. */
  String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
