package io.sluice.stock;

import io.sluice.model.BucketId;
import io.sluice.model.Grant;
import io.sluice.model.OrderToken;
import io.sluice.model.SkuSettings;
import io.sluice.model.SkuState;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;

/** Reads buckets as a whole. Part of {@link StockStore}. */
public interface StockReads {

  /** The maximum number of grants that {@code overdue} and {@code snapshot} return. */
  int UNBOOKED_MAX = 2_000;

  /** {@code overdue} passes over so many tokens at least that have no record. */
  int PASSED_OVER = 10_000;

  /** The maximum number of tokens in one {@code snapshot}. */
  int SNAPSHOT_TOKENS_MAX = 5_000;

  /** How long a bucket that was found empty grants nothing new, at most. */
  int SOLD_OUT_MAX_MS = 250;

  /**
   * What {@code book} has stored.
   *
   * @param by term; 0 if nothing was stored since the last load
   * @param to the offset up to which the log was booked then
   */
  record BookedMark(long by, long to) {
    public static final BookedMark NOTHING = new BookedMark(0, 0);
  }

  /**
   * The state of a bucket.
   *
   * @param code OK, ABSENT (everything else 0, empty, CLOSED), LOST or LOADING; LOST and LOADING
   *     come with the data that is there
   * @param term the highest that the bucket has seen; if LOADING, the mark's
   * @param told the value that {@code book} has stored
   * @param nowMs the clock of Redis; 0 if ABSENT
   * @param unbookedCount the number of unbooked grants
   * @param unbooked these grants, or empty if there are more than the caller asked for
   * @param live those of the requested tokens that still occupy units, with their units
   * @param skuTotal the units of all buckets of the SKU; {@link #UNKNOWN} if that is not known for
   *     this version, or it has no other bucket
   */
  record Snapshot(
      BucketCode code,
      long total,
      long claimed,
      long released,
      long epoch,
      long version,
      long term,
      SkuState state,
      SkuSettings settings,
      BookedMark told,
      long nowMs,
      long unbookedCount,
      List<Grant> unbooked,
      Map<OrderToken, Integer> live,
      long skuTotal) {
    /** That of a bucket which does not know the total of its SKU. */
    public Snapshot(
        BucketCode code,
        long total,
        long claimed,
        long released,
        long epoch,
        long version,
        long term,
        SkuState state,
        SkuSettings settings,
        BookedMark told,
        long nowMs,
        long unbookedCount,
        List<Grant> unbooked,
        Map<OrderToken, Integer> live) {
      this(
          code,
          total,
          claimed,
          released,
          epoch,
          version,
          term,
          state,
          settings,
          told,
          nowMs,
          unbookedCount,
          unbooked,
          live,
          UNKNOWN);
    }

    /** Units that can be granted now. */
    public long available() {
      return total - claimed + released;
    }
  }

  /**
   * Reads the bucket at one instant; cheap with {@code unbookedMax} 0 and no tokens.
   *
   * @param tokens up to {@link #SNAPSHOT_TOKENS_MAX}
   * @param unbookedMax 0 to {@link #UNBOOKED_MAX}
   */
  Future<Snapshot> snapshot(BucketId bucket, List<OrderToken> tokens, int unbookedMax);

  /**
   * The reply to {@code soldOut}.
   *
   * @param code OK, or ABSENT, LOST, LOADING: then nothing was read
   * @param skuTotal the units of all buckets of the SKU; {@link #UNKNOWN} if that is not known for
   *     this version
   * @param contents identifies the bucket's token set
   * @param soldOutMs how long nothing new is granted, in milliseconds; 0 if it may be
   */
  record EmptyBucket(
      BucketCode code,
      long total,
      long released,
      long version,
      long skuTotal,
      ReserveReply.Contents contents,
      int soldOutMs) {
    /** What a snapshot says, under which units may be granted. */
    public static EmptyBucket of(Snapshot seen) {
      return new EmptyBucket(
          seen.code(),
          seen.total(),
          seen.released(),
          seen.version(),
          seen.skuTotal(),
          new ReserveReply.Contents(seen.epoch(), seen.claimed(), seen.settings().limitPerUser()),
          0);
    }

    /** Units that can be granted. */
    public long available() {
      return total - contents.claimed() + released;
    }

    /** Whether nothing has changed since this snapshot. */
    public boolean isAsIn(Snapshot before) {
      return before.code() == BucketCode.OK
          && code == BucketCode.OK
          && before.epoch() == contents.epoch()
          && before.version() == version
          && before.total() == total
          && before.claimed() == contents.claimed()
          && before.released() == released
          && before.skuTotal() == skuTotal;
    }
  }

  /** The total of a SKU if it is not known. */
  long UNKNOWN = -1;

  /**
   * Reads a bucket that was found empty. If it still is, lets it grant nothing new for {@link
   * #SOLD_OUT_MAX_MS}, as {@code reserve} does if the SKU has no other bucket.
   */
  Future<EmptyBucket> soldOut(BucketId bucket);
}
