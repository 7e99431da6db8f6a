package io.sluice.stock;

/**
 * A script's result for the bucket as a whole. The header of each script lists those that it may
 * return; the ordinal is the number that they do.
 */
public enum BucketCode {
  /** The call was applied, or there was nothing to do. */
  OK,
  /** The bucket is not loaded in this Redis. */
  ABSENT,
  /**
   * The bucket was loaded into another Redis process or history, so its data may be old; or a key
   * of it has vanished.
   */
  LOST,
  /** A rebuild is in progress. */
  LOADING,
  /** Redis has seen a higher term: the caller no longer owns the partition. */
  STALE_TERM,
  /** The LOADING mark, term or run id is not the caller's any more; the rebuild starts over. */
  SUPERSEDED,
  /** A take-back found fewer available units than it needs. */
  TOO_FEW,
  /**
   * A limit per buyer was switched on, but units per buyer were not counted so far; the bucket
   * needs a rebuild.
   */
  NEEDS_REBUILD,
  /** The bucket is in another sale of its SKU than the caller believes. */
  OTHER_SALE;

  private static final BucketCode[] BY_NUMBER = values();

  /**
   * @param number one that a script may return
   */
  public static BucketCode of(long number) {
    return BY_NUMBER[Math.toIntExact(number)];
  }

  /** Whether the bucket cannot be served now; its owner rebuilds it. */
  public boolean isAway() {
    return this == ABSENT || this == LOST || this == LOADING;
  }
}
