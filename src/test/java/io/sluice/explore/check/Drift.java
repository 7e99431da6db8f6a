package io.sluice.explore.check;

import io.sluice.explore.run.Sale;
import io.sluice.explore.run.World;
import io.sluice.ledger.BucketRow;
import io.sluice.ledger.Ledger.Correction;
import io.sluice.model.BucketId;
import io.sluice.model.SkuState;
import io.sluice.stock.BucketCode;
import io.sluice.stock.StockStore.Snapshot;
import io.vertx.core.json.JsonObject;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A difference planted by hand that the owner must find; at all other times it must find none.
 * While units exist that no restock brought, the other promises cannot be kept and are not checked.
 */
public final class Drift {
  /** The kinds of differences. */
  public enum Kind {
    VANISHED(0, 1, 0, 0),
    APPEARED(0, 0, 1, 0),
    TOTAL_TOO_HIGH(1, 0, 0, 0),
    TOTAL_TOO_LOW(-1, 0, 0, 0),
    VERSION_TOO_HIGH(0, 0, 0, 1),
    /** The ledger's own counters differ from its rows, which cannot be repaired automatically. */
    COUNTERS(0, 0, 0, 0);

    private final long total;
    private final long claimed;
    private final long released;
    private final long version;

    Kind(long total, long claimed, long released, long version) {
      this.total = total;
      this.claimed = claimed;
      this.released = released;
      this.version = version;
    }
  }

  /** Of the next three passes to end, at least two began after the difference was planted. */
  private static final int PASSES = 3;

  private final World world;
  private final Set<BucketId> planted = new HashSet<>();
  private final Set<BucketId> miscounted = new HashSet<>();
  private int partitionOfLast;
  private int passesLeft;
  private int corrections;
  private long epochsBefore;
  private boolean suspends;

  public Drift(World world) {
    this.world = world;
  }

  /** Plants a difference, if the state of this bucket allows it. */
  public boolean plant(Kind kind, BucketId id) {
    BucketRow row = world.ledger().bucket(id).result().orElseThrow();
    Snapshot seen = world.redis().stock().snapshot(id, List.of(), 0).result();
    if (seen.code() != BucketCode.OK || seen.available() < 1 || row.free() < 1) {
      return false;
    }
    world.say(() -> "*** drift in " + id + ": " + kind);
    if (kind == Kind.COUNTERS) {
      world.ledger().plantHeld(id, 1);
      miscounted.add(id);
    } else {
      world.redis().stock().plant(id, kind.total, kind.claimed, kind.released, kind.version);
    }
    suspends |= kind != Kind.VANISHED;
    planted.add(id);
    partitionOfLast = row.partition();
    passesLeft = PASSES;
    corrections = 0;
    epochsBefore = epochs();
    world.sights().saw("drift: " + kind);
    world.invariants().check();
    return true;
  }

  /** Makes a unit of this bucket disappear from Redis, which may happen at any time. */
  public void vanish(BucketId id) {
    plant(Kind.VANISHED, id);
  }

  /** Whether ledger and Redis differ on purpose now. */
  boolean suspendsInvariants() {
    return suspends;
  }

  /** Passes of the reconciler that may still end before the difference must have been found. */
  public int passesLeft() {
    return passesLeft;
  }

  /** Whether it was found, unless the bucket happened to be rebuilt for another reason. */
  public boolean wasFound() {
    return corrections > 0 || isRepaired();
  }

  /** Whether a bucket was rebuilt since. */
  public boolean isRepaired() {
    return epochs() != epochsBefore;
  }

  private long epochs() {
    return Sale.buckets(world.scenario()).stream()
        .mapToLong(id -> world.ledger().bucket(id).result().orElseThrow().epoch())
        .sum();
  }

  /** Ends it: it is repaired. */
  public void over() {
    suspends = false;
  }

  /** Counts a finished pass, if there were no faults any more and no bucket was passed over. */
  public void reported(int partition, String report) {
    if (passesLeft > 0
        && partition == partitionOfLast
        && world.isQuiet()
        && new JsonObject(report).getJsonObject("passed_over").isEmpty()) {
      passesLeft = Math.max(0, passesLeft - 1);
    }
  }

  public void corrected(Correction correction) {
    corrections++;
    boolean mayDiffer =
        Sale.buckets(world.scenario()).stream()
            .filter(id -> planted.contains(id) || world.restored().mayDiffer(id))
            .anyMatch(id -> id.toString().equals(correction.what()));
    if (!mayDiffer) {
      world.breach("reconcile finds no drift where none was planted", correction.toString());
    }
  }

  /** Whether the sale is frozen, as it must be where the right value cannot be known. */
  public boolean isFrozen() {
    boolean stopped =
        miscounted.stream()
            .map(id -> world.redis().stock().snapshot(id, List.of(), 0).result())
            .allMatch(seen -> seen.code() != BucketCode.OK || seen.state() == SkuState.FROZEN);
    return stopped
        && miscounted.stream()
            .map(id -> world.ledger().sku(id.skuId()).result().orElseThrow())
            .allMatch(sku -> sku.state() == SkuState.FROZEN);
  }

  boolean isInCounters() {
    return !miscounted.isEmpty();
  }
}
