package io.sluice.ledger.rules;

import io.sluice.ledger.Move;
import io.sluice.ledger.Put;
import io.sluice.ledger.Put.Fault;
import io.sluice.ledger.SkuLedger.NewSku;
import io.sluice.ledger.SkuLedger.PutResult;
import io.sluice.ledger.SkuLedger.PutResult.TotalChange;
import io.sluice.ledger.SkuLedger.StateChange;
import io.sluice.ledger.rules.SkuRules.PutRules.Times;
import io.sluice.model.Placement;
import io.sluice.model.Sku;
import io.sluice.model.Sku.Membership;
import io.sluice.model.SkuSettings;
import io.sluice.model.SkuState;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides what an operator's change makes of a SKU. Pure: returns the new SKU, equal to the old one
 * if nothing changes.
 */
public final class SkuRules {
  private SkuRules() {}

  /**
   * @param partitions of the order log
   */
  public static Sku create(NewSku wanted, int partitions, long nowMs) {
    SkuState state = scheduledOrOpen(wanted.settings().opensAtMs(), nowMs);
    return new Sku(
        wanted.skuId(),
        wanted.totalStock(),
        wanted.totalStock(),
        wanted.buckets(),
        wanted.mode(),
        wanted.settings(),
        state,
        state,
        wanted.mode() == Sku.Mode.DIRECT
            ? Placement.direct(wanted.buckets())
            : Placement.first(wanted.skuId(), wanted.buckets(), partitions),
        Sku.Membership.NONE,
        wanted.name());
  }

  /**
   * A new SKU that has the id of a deleted one, as if that had been in a sale more. So it has other
   * tokens, and no instance that knows the deleted one places an order of it.
   *
   * @param lastSaleNo of the deleted one
   */
  public static Sku behind(long lastSaleNo, Sku created) {
    Membership in = created.membership();
    return created.with(
        created.settings(),
        created.state(),
        created.thawedState(),
        new Membership(lastSaleNo + 1, in.saleId(), in.frozenBySale(), in.taken(), in.base()));
  }

  /**
   * What a PUT finds.
   *
   * @param sku empty if there is none
   * @param stock of a SKU; if {@link #asksForTotal} is false, only its take-back is looked at
   * @param deleted what the SKU must have if it is new; null if no deleted one had its id
   */
  public record Found(Optional<Sku> sku, Stock stock, @Nullable Shape deleted) {}

  /**
   * The stock of a SKU, all of its buckets together.
   *
   * @param taken units that are held or sold, or were withdrawn, of its present sale
   * @param versions of its buckets
   * @param restocking the id of a take-back that is under way
   */
  public record Stock(long taken, long versions, Optional<String> restocking) {
    public static final Stock NONE = new Stock(0, 0, Optional.empty());

    /** The same while this take-back is under way. */
    public Stock restocking(Optional<String> id) {
      return new Stock(taken, versions, id);
    }

    /** Whether units are taken now for another total than this. */
    private boolean bringsOtherThan(long total) {
      return restocking.map(RestockPlan::totalOf).filter(of -> of >= 0 && of != total).isPresent();
    }
  }

  /** Whether this PUT may change the total of the SKU: it has another one. */
  public static boolean asksForTotal(Sku was, NewSku wanted) {
    return !wanted.put().leaves("total_stock") && wanted.totalStock() != was.stockNow();
  }

  /**
   * Decides a PUT: its result, with the SKU to be written if that differs from what exists. It has
   * the total that it had; the restock in the result changes that.
   *
   * @param partitions of the order log; 0 if there is none
   */
  public static PutResult put(Found found, NewSku wanted, int partitions, long nowMs) {
    Optional<Sku> exists = found.sku();
    if (!wanted.put().ifMatch().isMet(exists.map(Sku::tag))) {
      return new PutResult.Moved(exists.isPresent());
    }
    if (exists.isPresent()) {
      return change(exists.get(), whole(exists.get(), wanted), found.stock(), nowMs);
    }
    if (wanted.put().leaves("total_stock")) {
      return new PutResult.Invalid("total_stock", Put.Fault.MISSING);
    }
    if (lacksMode(wanted.mode(), partitions)) {
      return new PutResult.NoMode();
    }
    return wrong(Times.NONE, wanted, nowMs)
        .or(() -> Optional.ofNullable(found.deleted()).flatMap(shape -> shape.conflict(wanted)))
        .orElseGet(() -> new PutResult.Done(create(wanted, partitions, nowMs), true));
  }

  private static PutResult change(Sku was, NewSku wanted, Stock stock, long nowMs) {
    Optional<PutResult> conflict = Shape.of(was).conflict(wanted);
    if (conflict.isPresent()) {
      return conflict.get();
    }
    Optional<PutResult.InSale> inSale = setBySale(was, wanted.settings());
    if (inSale.isPresent()) {
      return inSale.get();
    }
    if (!wanted.put().leaves("total_stock") && stock.bringsOtherThan(wanted.totalStock())) {
      return new PutResult.IsRestocking();
    }
    List<String> changed = changed(was.settings(), wanted.settings());
    if (!Objects.equals(was.name(), wanted.name())) {
      changed.add("name");
    }
    boolean isOfTotal = changesTotal(was, wanted, stock);
    if (isOfTotal) {
      changed.add(0, "total_stock");
    }
    if (changed.isEmpty()) {
      return new PutResult.Done(was, false);
    }
    if (isEnding(was)) {
      return new PutResult.IsEnding();
    }
    return wrong(times(was.settings()), wanted, nowMs)
        .or(() -> isOfTotal ? barsTotal(was, wanted, stock) : Optional.empty())
        .orElseGet(
            () -> {
              Sku now = withSettings(was, wanted.settings(), nowMs).named(wanted.name());
              return isOfTotal
                  ? withTotal(was, now, wanted, stock, changed)
                  : new PutResult.Done(now, false, changed);
            });
  }

  // ---- the total

  /**
   * The total of the PUT before is one that is repeated, unless the caller has seen that there is
   * another one now, and nobody has a unit.
   */
  private static boolean changesTotal(Sku was, NewSku wanted, Stock stock) {
    return asksForTotal(was, wanted)
        && (wanted.totalStock() != was.firstStock() || (knows(was, wanted) && stock.taken() == 0));
  }

  private static boolean knows(Sku was, NewSku wanted) {
    return was.stockNow() == was.firstStock() || wanted.put().ifMatch().isMetBy(was.tag());
  }

  private static Optional<PutResult> barsTotal(Sku was, NewSku wanted, Stock stock) {
    boolean sells = stock.taken() > 0;
    if (sells || !knows(was, wanted)) {
      return Optional.of(
          new PutResult.TotalFixed(was.firstStock(), was.stockNow(), wanted.totalStock(), sells));
    }
    return stock.restocking().isPresent()
        ? Optional.of(new PutResult.IsRestocking())
        : Optional.empty();
  }

  /** Units that owners have to take are taken once the last has answered; until then it is said. */
  private static PutResult withTotal(
      Sku was, Sku now, NewSku wanted, Stock stock, List<String> changed) {
    long qty = wanted.totalStock() - was.stockNow();
    return new PutResult.Done(
        qty > 0 || was.isDirect() ? now.withFirst(wanted.totalStock()) : now,
        false,
        changed,
        new TotalChange(RestockPlan.totalId(stock.versions(), wanted.totalStock()), qty));
  }

  // ---- what stays

  private static Optional<PutResult> wrong(Times was, NewSku wanted, long nowMs) {
    return PutRules.wrong(was, times(wanted.settings()), wanted.put(), nowMs)
        .map(wrong -> new PutResult.Invalid(wrong.field(), wrong.fault()));
  }

  private static Times times(SkuSettings set) {
    return new Times(set.opensAtMs(), set.closesAtMs());
  }

  /** The PUT with what the SKU has in the place of what it leaves out. */
  private static NewSku whole(Sku was, NewSku wanted) {
    Put put = wanted.put();
    SkuSettings set = was.settings();
    SkuSettings given = wanted.settings();
    return new NewSku(
        wanted.skuId(),
        put.leaves("total_stock") ? was.stockNow() : wanted.totalStock(),
        put.leaves("buckets") ? was.buckets() : wanted.buckets(),
        put.leaves("mode") ? was.mode() : wanted.mode(),
        new SkuSettings(
            put.leaves("payment_window_s") ? set.paymentWindowS() : given.paymentWindowS(),
            put.leaves("limit_per_user") ? set.limitPerUser() : given.limitPerUser(),
            put.leaves("opens_at") ? set.opensAtMs() : given.opensAtMs(),
            put.leaves("closes_at") ? set.closesAtMs() : given.closesAtMs(),
            put.leaves("ticket") ? set.ticket() : given.ticket(),
            set.marks()),
        put.leaves("name") ? was.name() : wanted.name(),
        put);
  }

  /** The fields of a PUT in which these settings differ; watermarks are not part of it. */
  private static List<String> changed(SkuSettings was, SkuSettings now) {
    List<String> fields = new ArrayList<>();
    PutRules.addChanged("payment_window_s", was.paymentWindowS(), now.paymentWindowS(), fields);
    PutRules.addChanged("limit_per_user", was.limitPerUser(), now.limitPerUser(), fields);
    PutRules.addChanged("opens_at", was.opensAtMs(), now.opensAtMs(), fields);
    PutRules.addChanged("closes_at", was.closesAtMs(), now.closesAtMs(), fields);
    PutRules.addChanged("ticket", was.ticket(), now.ticket(), fields);
    return fields;
  }

  /**
   * Whether a new SKU of this mode cannot be sold.
   *
   * @param partitions of the order log; 0 if there is none
   */
  public static boolean lacksMode(Sku.Mode mode, int partitions) {
    return mode == Sku.Mode.FAST && partitions == 0;
  }

  /**
   * What a SKU has for ever, also if it is deleted and made again under its id: a command that is
   * on its way, an instance that knows the deleted one, and a ledger that is restored find its
   * buckets by it.
   */
  public record Shape(int buckets, Sku.Mode mode) {
    static Shape of(Sku sku) {
      return new Shape(sku.buckets(), sku.mode());
    }

    private Optional<PutResult> conflict(NewSku wanted) {
      return conflict(wanted.buckets(), wanted.mode()).map(conflict -> conflict);
    }

    /** The first setting that differs, if any. */
    public Optional<PutResult.Conflict> conflict(int wantedBuckets, Sku.Mode wantedMode) {
      if (buckets != wantedBuckets) {
        return SkuRules.conflict("buckets", buckets, wantedBuckets);
      }
      return mode == wantedMode
          ? Optional.empty()
          : SkuRules.conflict("mode", lowerCase(mode), lowerCase(wantedMode));
    }
  }

  /**
   * The first setting in which a PUT of a SKU differs from what its sale has set, if any; its
   * watermarks are not part of the PUT.
   */
  public static Optional<PutResult.InSale> setBySale(Sku was, SkuSettings wanted) {
    return was.membership().isInSale()
        ? changed(was.settings(), wanted).stream()
            .findFirst()
            .map(field -> new PutResult.InSale(String.valueOf(was.membership().saleId()), field))
        : Optional.empty();
  }

  /**
   * Applies settings. A new opens_at reschedules a SKU that is not closed; other settings do not
   * change its state. Its watermarks stay.
   */
  public static Sku withSettings(Sku was, SkuSettings settings, long nowMs) {
    boolean reschedules =
        settings.opensAtMs() != was.settings().opensAtMs() && was.thawedState() != SkuState.CLOSED;
    SkuState thawed =
        reschedules ? scheduledOrOpen(settings.opensAtMs(), nowMs) : was.thawedState();
    return was.with(
        settings.with(was.settings().marks()),
        was.state() == SkuState.FROZEN ? was.state() : thawed,
        thawed,
        was.membership());
  }

  /** Whether this change is refused while the SKU is frozen. */
  public static boolean barredByFreeze(Sku was, StateChange change) {
    boolean freezes = change == StateChange.FREEZE || change == StateChange.UNFREEZE;
    return !freezes && was.state() == SkuState.FROZEN;
  }

  /**
   * Whether settings and stock cannot change any more. A SKU that an alarm has frozen goes on to
   * end once it is unfrozen.
   */
  public static boolean isEnding(Sku was) {
    return was.thawedState().isEnding();
  }

  /**
   * Whether only the sale of the SKU can make this change: it has frozen the SKU, or its closes_at
   * has passed.
   */
  public static boolean barredBySale(Sku was, StateChange change, long nowMs) {
    long closesAtMs = was.settings().closesAtMs();
    return switch (change) {
      case OPEN -> was.membership().isInSale() && closesAtMs != 0 && closesAtMs <= nowMs;
      case UNFREEZE -> was.membership().frozenBySale();
      case CLOSE, FREEZE, END, FOLLOW -> false;
    };
  }

  /**
   * A SKU that is frozen on its own stays so when its sale is unfrozen.
   *
   * @param change one that {@link #barredByFreeze} and {@link #barredBySale} allow, of a SKU that
   *     is not ending; FOLLOW of one that is in no sale
   */
  public static Sku change(Sku was, StateChange change, long nowMs) {
    SkuSettings settings = was.settings();
    Membership in = was.membership();
    return switch (change) {
      case OPEN -> was.with(openNow(settings, nowMs), SkuState.OPEN, SkuState.OPEN, in);
      case CLOSE -> was.with(settings, SkuState.CLOSED, SkuState.CLOSED, in);
      case FREEZE -> was.with(settings, SkuState.FROZEN, was.thawedState(), in.frozenBySale(false));
      case UNFREEZE -> was.with(settings, was.thawedState(), was.thawedState(), in);
      case END -> was.with(settings, SkuState.ENDING, SkuState.ENDING, in);
      case FOLLOW -> {
        SkuState state = byTimes(was.state(), settings.opensAtMs(), nowMs);
        yield was.with(settings, state, state, in);
      }
    };
  }

  /** The SKU once its last bucket has ended. */
  public static Sku ended(Sku was) {
    return was.with(was.settings(), SkuState.ENDED, SkuState.ENDED, was.membership());
  }

  /** Once all orders of an ended SKU are in the archive. */
  public static Sku archived(Sku was) {
    return was.with(was.settings(), SkuState.ARCHIVED, SkuState.ARCHIVED, was.membership());
  }

  static SkuState scheduledOrOpen(long opensAtMs, long nowMs) {
    return opensAtMs > nowMs ? SkuState.SCHEDULED : SkuState.OPEN;
  }

  /** The state of a SKU that nobody opened or closed by hand; a scheduled one is in it already. */
  static SkuState byTimes(SkuState was, long opensAtMs, long nowMs) {
    return was == SkuState.SCHEDULED ? was : scheduledOrOpen(opensAtMs, nowMs);
  }

  private static SkuSettings openNow(SkuSettings was, long nowMs) {
    return new SkuSettings(
        was.paymentWindowS(),
        was.limitPerUser(),
        was.opensAtMs(),
        notPassed(was.closesAtMs(), nowMs),
        was.ticket(),
        was.marks());
  }

  /** A closes_at that an opening leaves. */
  static long notPassed(long closesAtMs, long nowMs) {
    return closesAtMs <= nowMs ? 0 : closesAtMs;
  }

  static Optional<PutResult.Conflict> conflict(String field, Object expected, Object was) {
    return Optional.of(
        new PutResult.Conflict(field, String.valueOf(expected), String.valueOf(was)));
  }

  private static String lowerCase(Sku.Mode mode) {
    return mode.name().toLowerCase(Locale.ROOT);
  }

  /** Whether units of this SKU may begin to move: it sells, now or later, in the same sale. */
  public static boolean maySell(Sku sku, Move move) {
    return mayMove(sku, move)
        && (sku.state() == SkuState.OPEN || sku.state() == SkuState.SCHEDULED);
  }

  /** Whether units that are on their way may arrive. */
  public static boolean mayMove(Sku sku, Move move) {
    return !isEnding(sku)
        && sku.saleNo() == move.saleNo()
        && move.parts().stream().allMatch(part -> part.bucket() < sku.buckets());
  }

  /** The common rules of PUTs of SKUs and of sales. */
  static final class PutRules {
    private PutRules() {}

    /** A field of a PUT, and its fault. */
    record Wrong(String field, Fault fault) {}

    /** When something opens and closes; 0 for never, of what does not exist as well. */
    record Times(long opensAtMs, long closesAtMs) {
      static final Times NONE = new Times(0, 0);
    }

    /**
     * The fault in the times of a PUT. A time that stays is right, also once it has passed, so that
     * the same PUT can be repeated. A closing that has passed would end the sale for good, an
     * opening that has passed would open it at once.
     */
    static Optional<Wrong> wrong(Times was, Times now, Put put, long nowMs) {
      boolean opens = now.opensAtMs() != 0 && now.opensAtMs() != was.opensAtMs();
      boolean closes = now.closesAtMs() != 0 && now.closesAtMs() != was.closesAtMs();
      if (!put.takesPast() && opens && now.opensAtMs() <= nowMs - Put.NOW_MS) {
        return Optional.of(new Wrong("opens_at", Fault.PASSED));
      }
      if (!put.takesPast() && closes && now.closesAtMs() <= nowMs) {
        return Optional.of(new Wrong("closes_at", Fault.PASSED));
      }
      boolean isAfter =
          now.opensAtMs() == 0 || now.closesAtMs() == 0 || now.closesAtMs() > now.opensAtMs();
      return (opens || closes) && !isAfter
          ? Optional.of(
              new Wrong(put.leaves("closes_at") ? "opens_at" : "closes_at", Fault.NOT_AFTER))
          : Optional.empty();
    }

    /** Adds a field that has another value than before. */
    static void addChanged(String field, Object was, Object now, List<String> changed) {
      if (!now.equals(was)) {
        changed.add(field);
      }
    }
  }
}
