package io.sluice.ledger.rules;

import io.sluice.ledger.SkuLedger.NewSku;
import io.sluice.ledger.SkuLedger.PutResult;
import io.sluice.ledger.SkuLedger.StateChange;
import io.sluice.model.Placement;
import io.sluice.model.Sku;
import io.sluice.model.SkuSettings;
import io.sluice.model.SkuState;
import java.util.Locale;
import java.util.Optional;

/**
 * Decides what an operator's change makes of a SKU. Pure: returns the new SKU, equal to the old one
 * where nothing changes.
 */
public final class SkuRules {
  private SkuRules() {}

  /**
   * @param partitions of the order log
   */
  public static Sku create(NewSku wanted, int partitions, long nowMs) {
    SkuState state = scheduledOrOpen(wanted.settings(), nowMs);
    return new Sku(
        wanted.skuId(),
        wanted.totalStock(),
        wanted.totalStock(),
        wanted.buckets(),
        wanted.mode(),
        wanted.settings(),
        state,
        state,
        Placement.first(wanted.skuId(), wanted.buckets(), partitions));
  }

  /** The first setting that differs although the first PUT has fixed it, if any. */
  public static Optional<PutResult.Conflict> conflict(Sku was, NewSku wanted) {
    if (was.firstStock() != wanted.totalStock()) {
      return conflict("total_stock", was.firstStock(), wanted.totalStock());
    }
    if (was.buckets() != wanted.buckets()) {
      return conflict("buckets", was.buckets(), wanted.buckets());
    }
    return was.mode() == wanted.mode()
        ? Optional.empty()
        : conflict("mode", lowerCase(was.mode()), lowerCase(wanted.mode()));
  }

  /**
   * Applies settings. A new opens_at reschedules a SKU that is not closed; other settings do not
   * change its state.
   */
  public static Sku withSettings(Sku was, SkuSettings settings, long nowMs) {
    boolean reschedules =
        settings.opensAtMs() != was.settings().opensAtMs() && was.thawedState() != SkuState.CLOSED;
    SkuState thawed = reschedules ? scheduledOrOpen(settings, nowMs) : was.thawedState();
    return with(was, settings, was.state() == SkuState.FROZEN ? was.state() : thawed, thawed);
  }

  /** Whether this change is refused while the SKU is frozen. */
  public static boolean barredByFreeze(Sku was, StateChange change) {
    boolean freezes = change == StateChange.FREEZE || change == StateChange.UNFREEZE;
    return !freezes && was.state() == SkuState.FROZEN;
  }

  /**
   * Whether settings and stock cannot change any more. What an alarm has frozen goes on to end once
   * it is unfrozen.
   */
  public static boolean isEnding(Sku was) {
    return was.thawedState().isEnding();
  }

  /**
   * @param change one that {@link #barredByFreeze} allows, of a SKU that is not ending
   */
  public static Sku change(Sku was, StateChange change, long nowMs) {
    return switch (change) {
      case OPEN -> with(was, openNow(was.settings(), nowMs), SkuState.OPEN, SkuState.OPEN);
      case CLOSE -> with(was, was.settings(), SkuState.CLOSED, SkuState.CLOSED);
      case FREEZE -> with(was, was.settings(), SkuState.FROZEN, was.thawedState());
      case UNFREEZE -> with(was, was.settings(), was.thawedState(), was.thawedState());
      case END -> with(was, was.settings(), SkuState.ENDING, SkuState.ENDING);
    };
  }

  /** The SKU once its last bucket has ended. */
  public static Sku ended(Sku was) {
    return with(was, was.settings(), SkuState.ENDED, SkuState.ENDED);
  }

  /** Once all orders of an ended SKU are in the archive. */
  public static Sku archived(Sku was) {
    return with(was, was.settings(), SkuState.ARCHIVED, SkuState.ARCHIVED);
  }

  public static Sku withTotal(Sku was, long totalStock) {
    return new Sku(
        was.skuId(),
        was.firstStock(),
        totalStock,
        was.buckets(),
        was.mode(),
        was.settings(),
        was.state(),
        was.thawedState(),
        was.placement(),
        was.saleNo());
  }

  private static SkuState scheduledOrOpen(SkuSettings settings, long nowMs) {
    return settings.opensAtMs() > nowMs ? SkuState.SCHEDULED : SkuState.OPEN;
  }

  private static SkuSettings openNow(SkuSettings was, long nowMs) {
    long closesAtMs = was.closesAtMs() <= nowMs ? 0 : was.closesAtMs();
    return new SkuSettings(
        was.paymentWindowS(), was.limitPerUser(), was.opensAtMs(), closesAtMs, was.ticket());
  }

  private static Sku with(Sku was, SkuSettings settings, SkuState state, SkuState thawed) {
    return new Sku(
        was.skuId(),
        was.firstStock(),
        was.totalStock(),
        was.buckets(),
        was.mode(),
        settings,
        state,
        thawed,
        was.placement(),
        was.saleNo());
  }

  private static Optional<PutResult.Conflict> conflict(String field, Object expected, Object was) {
    return Optional.of(
        new PutResult.Conflict(field, String.valueOf(expected), String.valueOf(was)));
  }

  private static String lowerCase(Sku.Mode mode) {
    return mode.name().toLowerCase(Locale.ROOT);
  }
}
