package io.sluice.model;

import io.sluice.model.IfMatch.StateTag;
import io.sluice.model.Placement.PlacedBucket;
import org.jspecify.annotations.Nullable;

/**
 * A SKU as the ledger records it.
 *
 * @param firstStock the total_stock of the PUT that has set it last, in its sale
 * @param totalStock the sum of its buckets' allotments now
 * @param buckets fixed by the first PUT, 1 to {@link Limits#BUCKETS_MAX}
 * @param mode fixed by the first PUT
 * @param state as stored; {@link SkuState#at} gives the effective state
 * @param thawedState restored by unfreeze; equal to {@code state} if it is not FROZEN
 * @param placement of its buckets
 * @param membership how it belongs to a sale
 * @param name what it is called, for people; null if it has none
 */
public record Sku(
    long skuId,
    long firstStock,
    long totalStock,
    int buckets,
    Mode mode,
    SkuSettings settings,
    SkuState state,
    SkuState thawedState,
    Placement placement,
    Membership membership,
    @Nullable String name) {

  /** The same with another name. */
  public Sku named(@Nullable String other) {
    return copy(firstStock, totalStock, other);
  }

  /** The number of its sale, as {@link Membership} says. */
  public long saleNo() {
    return membership.saleNo();
  }

  /** The units of its current sale: its total without what earlier sales have sold. */
  public long stockNow() {
    return totalStock - membership.base();
  }

  /** The same with other settings, in another state. */
  public Sku with(SkuSettings other, SkuState now, SkuState thawed, Membership in) {
    return new Sku(
        skuId, firstStock, totalStock, buckets, mode, other, now, thawed, placement, in, name);
  }

  /** The same with another total. */
  public Sku withTotal(long total) {
    return copy(firstStock, total, name);
  }

  /** The same after a PUT of another total. */
  public Sku withFirst(long first) {
    return copy(first, totalStock, name);
  }

  private Sku copy(long first, long total, @Nullable String called) {
    return new Sku(
        skuId,
        first,
        total,
        buckets,
        mode,
        settings,
        state,
        thawedState,
        placement,
        membership,
        called);
  }

  /** Differs if a PUT, a restock, a change of its state or its sale has changed it. */
  public String tag() {
    return StateTag.of(
        skuId,
        firstStock,
        stockNow(),
        buckets,
        mode,
        settings.paymentWindowS(),
        settings.limitPerUser(),
        settings.opensAtMs(),
        settings.closesAtMs(),
        settings.ticket(),
        settings.marks().lowPercent(),
        settings.marks().lastPercent(),
        state,
        thawedState,
        membership.saleId(),
        membership.saleNo(),
        membership.frozenBySale(),
        name);
  }

  /** The effective state at a time. */
  public SkuState at(long nowMs) {
    return state.at(nowMs, settings.opensAtMs(), settings.closesAtMs());
  }

  /** How a SKU sells: FAST through Redis and the order log, DIRECT in the ledger alone. */
  public enum Mode {
    FAST,
    DIRECT
  }

  /** Whether it sells in the ledger alone. */
  public boolean isDirect() {
    return mode == Mode.DIRECT;
  }

  /** One of its buckets, and where that is. */
  public PlacedBucket placed(int bucket) {
    return new PlacedBucket(placement.partitionOf(bucket), new BucketId(skuId, bucket));
  }

  /**
   * How a SKU belongs to a sale.
   *
   * @param saleNo how many sales it was in, the current one included; 0 if it was in none. One that
   *     has the id of a deleted SKU goes on from that one's number, also if it is in no sale
   * @param saleId the sale that it is in; null if it is in none
   * @param frozenBySale whether it is FROZEN only because its sale is
   * @param taken the version of the sale whose terms and state it has; lower than the sale's own
   *     while the sale's last change has not reached it
   * @param base units that orders of earlier sales hold or have bought; they are part of its total
   */
  public record Membership(
      long saleNo, @Nullable String saleId, boolean frozenBySale, long taken, long base) {
    /** Of a SKU that was never in a sale. */
    public static final Membership NONE = new Membership(0, null, false, 0, 0);

    /** Whether it is in a sale. */
    public boolean isInSale() {
      return saleId != null;
    }

    /** The same, frozen with its sale or not. */
    public Membership frozenBySale(boolean frozen) {
      return frozen == frozenBySale ? this : new Membership(saleNo, saleId, frozen, taken, base);
    }

    /** The same, with a version of its sale that it has taken over now, frozen with it or not. */
    public Membership with(boolean frozen, long version) {
      return new Membership(saleNo, saleId, frozen, version, base);
    }
  }
}
