package io.sluice.admin;

import io.sluice.async.AsyncLoop;
import io.sluice.ledger.SaleLedger;
import io.sluice.ledger.SaleLedger.StateTotals;
import io.sluice.model.Limits;
import io.sluice.model.Sale;
import io.sluice.model.SkuState;
import io.sluice.monitor.Alarm;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Tells whether the ends and the archives of sales make progress, and raises an alarm if one
 * stands. The SKUs that a sale waits for are looked at separately for each {@link EndWait}: SKUs
 * that wait for their last payments do not hide one that is frozen.
 *
 * <p>Time is counted in looks. So time in which the ledger was away, or this process stopped, does
 * not count.
 */
final class StandingEnds {
  static final Duration LOOK_EVERY = Duration.ofSeconds(30);

  /** Longer than an owner takes to recover, and to end any number of buckets. */
  static final Duration STANDS_AFTER = Duration.ofMinutes(10);

  private static final Logger log = LoggerFactory.getLogger(StandingEnds.class);

  private final SaleLedger sales;
  private final Map<String, Map<EndWait, Standing>> waits = new HashMap<>();

  /** Why the last step of a sale could not be taken. */
  private final Map<String, String> causes = new HashMap<>();

  private volatile long standsS;
  private volatile int unfinished;

  StandingEnds(SaleLedger sales) {
    this.sales = sales;
  }

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

  /** For how long the same has waited. */
  private record Standing(EndWait.Rest rest, long seconds, long overdueS) {}

  /** How many sales end, or are archived, now. */
  int unfinished() {
    return unfinished;
  }

  /**
   * How long one of them stands already, beyond the time that it may take; the longest, seconds.
   */
  long standsS() {
    return standsS;
  }

  /** The next step of a sale was taken, or there was none. */
  void stepped(String saleId) {
    causes.remove(saleId);
  }

  void failed(String saleId, Throwable cause) {
    causes.put(saleId, cause.toString());
  }

  /**
   * Called each {@link #LOOK_EVERY}.
   *
   * @param behind the sales that wait for something
   */
  Future<Void> look(List<String> behind) {
    waits.keySet().retainAll(behind);
    causes.keySet().retainAll(behind);
    return AsyncLoop.forEach(behind, this::look).onComplete(looked -> measure());
  }

  private void measure() {
    unfinished = waits.size();
    standsS =
        waits.values().stream()
            .flatMap(each -> each.values().stream())
            .mapToLong(Standing::overdueS)
            .max()
            .orElse(0);
  }

  /** A sale that cannot be read now stays as it was seen last. */
  private Future<Void> look(String saleId) {
    return sales
        .sale(saleId)
        .compose(
            seen -> {
              if (seen.isEmpty() || !EndWait.isUnfinished(seen.get().sale())) {
                waits.remove(saleId);
                return Future.<Void>succeededFuture();
              }
              return sales
                  .totals(saleId)
                  .onSuccess(totals -> compare(seen.get().sale(), totals))
                  .mapEmpty();
            })
        .otherwiseEmpty();
  }

  private void compare(Sale sale, List<StateTotals> totals) {
    Map<EndWait, Standing> before = waits.getOrDefault(sale.saleId(), Map.of());
    Map<EndWait, Standing> now = new EnumMap<>(EndWait.class);
    EndWait.all(sale, totals)
        .forEach(
            (wait, rest) -> {
              Standing last = before.get(wait);
              now.put(
                  wait,
                  last != null && last.rest().equals(rest)
                      ? longer(sale, wait, last)
                      : new Standing(rest, 0, 0));
            });
    waits.put(sale.saleId(), now);
  }

  private Standing longer(Sale sale, EndWait wait, Standing last) {
    long seconds = last.seconds() + LOOK_EVERY.toSeconds();
    long overdueS = Math.max(0, seconds - wait.allowed(sale).toSeconds());
    if (overdueS > 0 && overdueS % STANDS_AFTER.toSeconds() == 0) {
      Alarm.SALE_END_STANDS.raise(line(sale, wait, last.rest(), seconds));
    }
    return new Standing(last.rest(), seconds, overdueS);
  }

  private LoggingEventBuilder line(Sale sale, EndWait wait, EndWait.Rest rest, long seconds) {
    LoggingEventBuilder line =
        log.atError()
            .addKeyValue("sale", sale.saleId())
            .addKeyValue("state", sale.state())
            .addKeyValue("waitsFor", wait.word())
            .addKeyValue("skus", rest.skus())
            .addKeyValue("held", rest.held())
            .addKeyValue("seconds", seconds);
    String cause = causes.get(sale.saleId());
    return cause == null ? line : line.addKeyValue("cause", cause);
  }
}
