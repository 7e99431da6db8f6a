package io.sluice.ledger.rules;

import io.sluice.ledger.Put;
import io.sluice.ledger.Put.Fault;
import io.sluice.ledger.SaleLedger;
import io.sluice.ledger.SaleLedger.NewSale;
import io.sluice.ledger.SaleLedger.PutResult;
import io.sluice.ledger.SaleLedger.SaleSku;
import io.sluice.ledger.SaleLedger.SkuFault;
import io.sluice.ledger.SkuLedger.ChangeResult;
import io.sluice.ledger.SkuLedger.PutResult.Conflict;
import io.sluice.ledger.SkuLedger.StateChange;
import io.sluice.ledger.rules.SkuRules.PutRules;
import io.sluice.ledger.rules.SkuRules.PutRules.Times;
import io.sluice.ledger.rules.SkuRules.Shape;
import io.sluice.model.Limits;
import io.sluice.model.Placement;
import io.sluice.model.Sale;
import io.sluice.model.Sale.SaleTerms;
import io.sluice.model.Sku;
import io.sluice.model.Sku.Membership;
import io.sluice.model.SkuSettings;
import io.sluice.model.SkuSettings.Watermarks;
import io.sluice.model.SkuState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Decides what an operator's change makes of a sale, and what a SKU takes over from its sale. Pure:
 * returns the new value, equal to the old one if nothing changes.
 */
public final class SaleRules {
  private static final long FIRST_SALE = 1;

  private SaleRules() {}

  public static Sale create(NewSale wanted, long nowMs) {
    SkuState state = SkuRules.scheduledOrOpen(wanted.terms().opensAtMs(), nowMs);
    return new Sale(
        wanted.saleId(), wanted.name(), wanted.carts(), wanted.terms(), state, false, 1, 1, nowMs);
  }

  /**
   * Applies name and terms. A new opens_at reschedules a sale that is not closed; other terms do
   * not change its state.
   */
  public static Sale changed(Sale was, NewSale wanted, long nowMs) {
    SaleTerms terms = wanted.terms();
    if (terms.equals(was.terms())) {
      return with(was, wanted.name(), terms, was.state(), was.frozen(), was.version());
    }
    boolean reschedules =
        terms.opensAtMs() != was.terms().opensAtMs() && was.state() != SkuState.CLOSED;
    SkuState state = reschedules ? SkuRules.scheduledOrOpen(terms.opensAtMs(), nowMs) : was.state();
    return with(was, wanted.name(), terms, state, was.frozen(), was.version() + 1);
  }

  /**
   * The PUT with what the sale has in the place of what it leaves out.
   *
   * @param was empty if the sale is new
   */
  public static NewSale whole(Optional<Sale> was, NewSale wanted) {
    if (was.isEmpty()) {
      return wanted;
    }
    Put put = wanted.put();
    SaleTerms set = was.get().terms();
    SaleTerms given = wanted.terms();
    return new NewSale(
        wanted.saleId(),
        put.leaves("name") ? was.get().name() : wanted.name(),
        put.leaves("carts") ? was.get().carts() : wanted.carts(),
        new SaleTerms(
            put.leaves("opens_at") ? set.opensAtMs() : given.opensAtMs(),
            put.leaves("closes_at") ? set.closesAtMs() : given.closesAtMs(),
            put.leaves("payment_window_s") ? set.paymentWindowS() : given.paymentWindowS(),
            put.leaves("ticket") ? set.ticket() : given.ticket()),
        wanted.skus(),
        put);
  }

  /** The PUT with what its SKUs have in the place of what it leaves out of them. */
  public static NewSale whole(NewSale wanted, Map<Long, Sku> known) {
    return new NewSale(
        wanted.saleId(),
        wanted.name(),
        wanted.carts(),
        wanted.terms(),
        wanted.skus().stream().map(one -> whole(one, known.get(one.skuId()))).toList(),
        wanted.put());
  }

  private static SaleSku whole(SaleSku wanted, @Nullable Sku was) {
    if (was == null) {
      return wanted;
    }
    Set<String> leaves = wanted.leaves();
    Watermarks marks = was.settings().marks();
    return new SaleSku(
        wanted.skuId(),
        leaves.contains("total_stock") ? was.firstStock() : wanted.totalStock(),
        leaves.contains("buckets") ? was.buckets() : wanted.buckets(),
        leaves.contains("limit_per_user") ? was.settings().limitPerUser() : wanted.limitPerUser(),
        new Watermarks(
            leaves.contains("low_percent") ? marks.lowPercent() : wanted.marks().lowPercent(),
            leaves.contains("last_percent") ? marks.lastPercent() : wanted.marks().lastPercent()),
        leaves.contains("mode") ? was.mode() : wanted.mode(),
        leaves.contains("name") ? was.name() : wanted.name(),
        leaves);
  }

  /** A field that a new sale needs, and the PUT leaves out. */
  public static Optional<PutResult.Invalid> missing(NewSale wanted) {
    return Stream.of("name", "opens_at", "skus")
        .filter(wanted.put()::leaves)
        .findFirst()
        .map(field -> new PutResult.Invalid(field, Fault.MISSING));
  }

  /**
   * The first field that is wrong.
   *
   * @param wanted with nothing left out of what exists
   */
  public static Optional<PutResult.Invalid> invalid(
      Optional<Sale> was, NewSale wanted, Map<Long, Sku> known, long nowMs) {
    Optional<PutResult.Invalid> time =
        PutRules.wrong(
                was.map(sale -> times(sale.terms())).orElse(Times.NONE),
                times(wanted.terms()),
                wanted.put(),
                nowMs)
            .map(wrong -> new PutResult.Invalid(wrong.field(), wrong.fault()));
    return time.or(() -> invalidSku(wanted, known));
  }

  private static Times times(SaleTerms terms) {
    return new Times(terms.opensAtMs(), terms.closesAtMs());
  }

  private static Optional<PutResult.Invalid> invalidSku(NewSale wanted, Map<Long, Sku> known) {
    int buckets = 0;
    for (int i = 0; i < wanted.skus().size(); i++) {
      SaleSku sku = wanted.skus().get(i);
      Sku was = known.get(sku.skuId());
      boolean begins = was == null || rejoins(wanted.saleId(), was);
      if (begins && sku.leaves().contains("total_stock")) {
        return Optional.of(
            new PutResult.Invalid("skus[%d].total_stock".formatted(i), Fault.MISSING));
      }
      if (!sku.marks().areValid()) {
        boolean low = sku.leaves().contains("last_percent");
        return Optional.of(
            new PutResult.Invalid(
                "skus[%d].%s".formatted(i, low ? "low_percent" : "last_percent"), Fault.ABOVE_LOW));
      }
      buckets += sku.buckets();
    }
    return buckets > Limits.SALE_PUT_BUCKETS_MAX
        ? Optional.of(new PutResult.Invalid("skus", Fault.TOO_MANY_BUCKETS))
        : Optional.empty();
  }

  /**
   * The fields that get other values than before, in the sale and in those of these SKUs that are
   * in it.
   *
   * @param wanted with nothing left out of what exists
   */
  public static List<String> changes(Optional<Sale> was, NewSale wanted, Map<Long, Sku> known) {
    List<String> fields = new ArrayList<>();
    if (was.isEmpty()) {
      return fields;
    }
    SaleTerms set = was.get().terms();
    SaleTerms now = wanted.terms();
    PutRules.addChanged("name", was.get().name(), wanted.name(), fields);
    PutRules.addChanged("opens_at", set.opensAtMs(), now.opensAtMs(), fields);
    PutRules.addChanged("closes_at", set.closesAtMs(), now.closesAtMs(), fields);
    PutRules.addChanged("payment_window_s", set.paymentWindowS(), now.paymentWindowS(), fields);
    PutRules.addChanged("ticket", set.ticket(), now.ticket(), fields);
    for (int i = 0; i < wanted.skus().size(); i++) {
      SaleSku sku = wanted.skus().get(i);
      Sku before = known.get(sku.skuId());
      if (before != null && wanted.saleId().equals(before.membership().saleId())) {
        String place = "skus[%d].".formatted(i);
        SkuSettings own = before.settings();
        PutRules.addChanged(
            place + "limit_per_user", own.limitPerUser(), sku.limitPerUser(), fields);
        PutRules.addChanged(
            place + "low_percent", own.marks().lowPercent(), sku.marks().lowPercent(), fields);
        PutRules.addChanged(
            place + "last_percent", own.marks().lastPercent(), sku.marks().lastPercent(), fields);
        if (!Objects.equals(before.name(), sku.name())) {
          fields.add(place + "name");
        }
      }
    }
    return fields;
  }

  /** Whether this change is refused while the sale is frozen. */
  public static boolean barredByFreeze(Sale was, StateChange change) {
    boolean freezes = change == StateChange.FREEZE || change == StateChange.UNFREEZE;
    return was.frozen() && !freezes;
  }

  /** Whether this change is refused because the sale is ending, or has ended. */
  public static boolean barredByEnd(Sale was, StateChange change) {
    return was.state().isEnding() && change != StateChange.END;
  }

  /**
   * @param change one that {@link #barredByFreeze} and {@link #barredByEnd} allow
   */
  public static Sale change(Sale was, StateChange change, long nowMs) {
    SaleTerms terms = was.terms();
    return switch (change) {
      case OPEN ->
          next(
              was,
              terms.closingAt(SkuRules.notPassed(terms.closesAtMs(), nowMs)),
              SkuState.OPEN,
              was.frozen());
      case CLOSE -> next(was, terms, SkuState.CLOSED, was.frozen());
      case FREEZE -> next(was, terms, was.state(), true);
      case UNFREEZE -> next(was, terms, was.state(), false);
      case END -> was.state().isEnding() ? was : next(was, terms, SkuState.ENDING, was.frozen());
      case FOLLOW ->
          next(was, terms, SkuRules.byTimes(was.state(), terms.opensAtMs(), nowMs), was.frozen());
    };
  }

  /** The sale once its last SKU has ended. Its SKUs have nothing to take over. */
  public static Sale ended(Sale was) {
    return with(was, was.name(), was.terms(), SkuState.ENDED, was.frozen(), was.version());
  }

  /** An ended sale whose SKUs have to be archived, each once. */
  public static Sale archiving(Sale was) {
    boolean begins = was.state() == SkuState.ENDED && !was.isArchiving();
    return begins
        ? with(was, was.name(), was.terms(), was.state(), was.frozen(), was.version() + 1)
        : was;
  }

  /** The sale once all its SKUs are archived. */
  public static Sale archived(Sale was) {
    return with(was, was.name(), was.terms(), SkuState.ARCHIVED, was.frozen(), was.version());
  }

  private static Sale next(Sale was, SaleTerms terms, SkuState state, boolean frozen) {
    boolean isSame = terms.equals(was.terms()) && state == was.state() && frozen == was.frozen();
    return isSame ? was : with(was, was.name(), terms, state, frozen, was.version() + 1);
  }

  private static Sale with(
      Sale was, String name, SaleTerms terms, SkuState state, boolean frozen, long version) {
    return new Sale(
        was.saleId(),
        name,
        was.carts(),
        terms,
        state,
        frozen,
        version,
        state == was.state() ? was.stateVersion() : version,
        was.createdAtMs());
  }

  /** A new SKU of the sale. */
  public static Sku member(Sale sale, SaleSku wanted, int partitions) {
    Membership in = new Membership(FIRST_SALE, sale.saleId(), sale.frozen(), sale.version(), 0);
    return member(sale, wanted, wanted.mode(), in, partitions);
  }

  private static Sku member(
      Sale sale, SaleSku wanted, Sku.Mode mode, Membership in, int partitions) {
    Placement placement =
        mode == Sku.Mode.DIRECT
            ? Placement.direct(wanted.buckets())
            : sale.carts()
                ? Placement.together(sale.saleId(), wanted.buckets(), partitions)
                : Placement.first(wanted.skuId(), wanted.buckets(), partitions);
    return new Sku(
        wanted.skuId(),
        wanted.totalStock(),
        wanted.totalStock() + in.base(),
        wanted.buckets(),
        mode,
        sale.terms().settings(wanted.limitPerUser(), wanted.marks()),
        sale.frozen() ? SkuState.FROZEN : sale.state(),
        sale.state(),
        placement,
        in,
        wanted.name());
  }

  /** Whether the SKU joins the sale: it has ended, and not in this sale. */
  public static boolean rejoins(String saleId, Sku was) {
    return was.state().isEnded() && !saleId.equals(was.membership().saleId());
  }

  /**
   * A SKU that {@link #rejoins} the sale. Only its buckets and its mode stay.
   *
   * @param base units that orders of the sales before hold or have bought
   */
  public static Sku again(Sale sale, Sku was, SaleSku wanted, long base, int partitions) {
    Membership in =
        new Membership(was.saleNo() + 1, sale.saleId(), sale.frozen(), sale.version(), base);
    return member(sale, wanted, was.mode(), in, partitions);
  }

  /** The SKU with what a PUT of its sale sets for it alone; the rest it takes over. */
  public static Sku withOwn(Sku was, SaleSku wanted) {
    SkuSettings set = was.settings();
    SkuSettings settings =
        new SkuSettings(
            set.paymentWindowS(),
            wanted.limitPerUser(),
            set.opensAtMs(),
            set.closesAtMs(),
            set.ticket(),
            wanted.marks());
    return was.with(settings, was.state(), was.thawedState(), was.membership())
        .named(wanted.name());
  }

  /**
   * The SKU with the terms of its sale. It has the sale's state as well if that was set after the
   * SKU has last taken over: a sale that ends closes its SKUs first. A SKU that is frozen on its
   * own stays frozen, and of one that is ending nothing changes any more.
   */
  public static Sku takeOver(Sale sale, Sku was) {
    Membership in = was.membership();
    if (in.taken() >= sale.version()) {
      return was;
    }
    if (SkuRules.isEnding(was)) {
      return was.with(
          was.settings(),
          was.state(),
          was.thawedState(),
          in.with(in.frozenBySale(), sale.version()));
    }
    return with(sale, was, in.taken() < sale.stateVersion() ? given(sale) : was.thawedState());
  }

  private static SkuState given(Sale sale) {
    return sale.state().isEnding() ? SkuState.CLOSED : sale.state();
  }

  private static Sku with(Sale sale, Sku was, SkuState thawed) {
    boolean frozenAlone = isFrozenAlone(was);
    return was.with(
        sale.terms().settings(was.settings().limitPerUser(), was.settings().marks()),
        frozenAlone || sale.frozen() ? SkuState.FROZEN : thawed,
        thawed,
        was.membership().with(sale.frozen() && !frozenAlone, sale.version()));
  }

  private static boolean isFrozenAlone(Sku was) {
    return was.state() == SkuState.FROZEN && !was.membership().frozenBySale();
  }

  /**
   * Decides a SKU's return to its sale: its result, with the SKU to be written if that differs. It
   * has all of the sale then, so there is nothing left to take over.
   *
   * @param sale in which the SKU was when this was asked for; a SKU that is in another one by now
   *     had ended before it has joined that
   */
  public static ChangeResult follow(Sale sale, Sku was) {
    if (!sale.saleId().equals(was.membership().saleId())) {
      return new ChangeResult.IsEnding();
    }
    if (isFrozenAlone(was)) {
      return new ChangeResult.IsFrozen();
    }
    return SkuRules.isEnding(was)
        ? new ChangeResult.IsEnding()
        : new ChangeResult.Done(with(sale, was, given(sale)));
  }

  /** Whether a SKU of an ending sale can begin to end, as far as its state allows. */
  public static boolean mayEnd(Sku was) {
    return was.state() != SkuState.FROZEN && !SkuRules.isEnding(was);
  }

  /** A SKU of an ending sale that begins to end. */
  public static Sku ending(Sku was) {
    return was.with(was.settings(), SkuState.ENDING, SkuState.ENDING, was.membership());
  }

  /**
   * Those of these SKUs that one transaction changes: the first ones, as many as have no more
   * buckets than it may change, but one at least.
   */
  public static List<Sku> firstStep(List<Sku> behind) {
    int end = 0;
    int buckets = 0;
    for (Sku sku : behind) {
      buckets += sku.buckets();
      if (end > 0 && buckets > SaleLedger.TAKE_OVER_BUCKETS_MAX) {
        break;
      }
      end++;
    }
    return behind.subList(0, end);
  }

  /** Whether a PUT has changed the SKU: it sells otherwise, or has another name. */
  public static boolean isChanged(Sku was, Sku now) {
    return differs(was, now) || !Objects.equals(was.name(), now.name());
  }

  /** Whether this is more than the note that the SKU has the sale's last version. */
  public static boolean differs(Sku was, Sku now) {
    return !now.settings().equals(was.settings()) || now.state() != was.state();
  }

  /**
   * Why these SKUs cannot be in the sale as wanted.
   *
   * @param known those that exist among them, by id
   * @param left those that were in the sale, and have gone on to another one
   * @param deleted what those must have whose ids deleted SKUs had
   * @param partitions of the order log; 0 if there is none
   */
  public static List<SkuFault> faults(
      NewSale sale,
      Map<Long, Sku> known,
      Set<Long> left,
      Map<Long, Shape> deleted,
      int partitions) {
    List<SkuFault> faults = new ArrayList<>();
    for (SaleSku wanted : sale.skus()) {
      Sku was = known.get(wanted.skuId());
      if (was != null && left.contains(wanted.skuId())) {
        faults.add(new SkuFault.Left(wanted.skuId(), was.membership().saleId()));
      } else if (was != null) {
        fault(sale, was, wanted, faults);
      } else if (SkuRules.lacksMode(wanted.mode(), partitions)) {
        faults.add(new SkuFault.NoMode(wanted.skuId()));
      } else {
        Optional.ofNullable(deleted.get(wanted.skuId()))
            .flatMap(shape -> shape.conflict(wanted.buckets(), wanted.mode()))
            .ifPresent(conflict -> faults.add(fixed(wanted.skuId(), conflict)));
      }
    }
    return faults;
  }

  private static void fault(NewSale sale, Sku was, SaleSku wanted, List<SkuFault> faults) {
    boolean rejoins = rejoins(sale.saleId(), was);
    if (!rejoins && !sale.saleId().equals(was.membership().saleId())) {
      faults.add(new SkuFault.InUse(was.skuId(), was.membership().saleId()));
      return;
    }
    boolean keepsTotal =
        rejoins || wanted.totalStock() == was.firstStock() || wanted.totalStock() == was.stockNow();
    (keepsTotal
            ? Shape.of(was).conflict(wanted.buckets(), wanted.mode())
            : SkuRules.conflict("total_stock", was.firstStock(), wanted.totalStock()))
        .ifPresent(conflict -> faults.add(fixed(was.skuId(), conflict)));
  }

  private static SkuFault fixed(long skuId, Conflict conflict) {
    return new SkuFault.Fixed(skuId, conflict.field(), conflict.expected(), conflict.was());
  }
}
