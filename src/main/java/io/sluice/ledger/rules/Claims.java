package io.sluice.ledger.rules;

import io.sluice.model.BucketId;
import io.sluice.model.Grant;
import io.sluice.model.OrderToken;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which order has which seq of a bucket's epoch. Two orders with one cannot be; the database
 * refuses the second one, and only then are the claims read and compared.
 */
public final class Claims {
  /** The claims are not known, so none is taken. */
  public static final Claims UNKNOWN = new Claims(null);

  private final @Nullable Map<Place, OrderToken> taken;

  private Claims(@Nullable Map<Place, OrderToken> taken) {
    this.taken = taken;
  }

  /** A unit's number within the epoch of a bucket. */
  public record Place(BucketId bucket, long epoch, long seq) {
    public static Place of(Grant grant) {
      return new Place(grant.token().bucketId(), grant.epoch(), grant.seq());
    }
  }

  /**
   * @param taken the claims of the ledger's holds, among the places of a batch
   */
  public static Claims of(Map<Place, OrderToken> taken) {
    return new Claims(Map.copyOf(taken));
  }

  /** A copy to which a batch may add. */
  Claims copy() {
    return taken == null ? UNKNOWN : new Claims(new HashMap<>(taken));
  }

  /** Whether another order has the place of this grant; if not, the grant has it from now on. */
  boolean clashesWith(Grant grant) {
    if (taken == null) {
      return false;
    }
    OrderToken holder = taken.putIfAbsent(Place.of(grant), grant.token());
    return holder != null && !holder.equals(grant.token());
  }
}
