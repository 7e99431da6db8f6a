package io.sluice.owner.fencing;

import io.sluice.async.AsyncLoop;
import io.sluice.ledger.Bookings.Step;
import io.sluice.ledger.Fence;
import io.sluice.ledger.Ledger;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.vertx.core.Future;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Room for grants in a ledger that was restored to an earlier state. Moves of units between buckets
 * are not in the order log, so such a ledger may have units in the bucket from which they came that
 * were granted in the one to which they went. They are moved again before the grants are booked, so
 * that no yes is lost. The SKU as a whole has them, however they moved.
 */
final class LostMoves {
  private static final Logger log = LoggerFactory.getLogger(LostMoves.class);

  private final Ledger ledger;

  LostMoves(Ledger ledger) {
    this.ledger = ledger;
  }

  /** Makes room for the grants among these commands, as far as their SKUs have any. */
  Future<Void> makeRoom(Step step, Fence fence, List<Command> commands) {
    return ledger
        .rehearse(step, commands)
        .compose(
            full ->
                AsyncLoop.forEach(
                    full,
                    bucket -> {
                      long units = units(bucket, commands);
                      log.atWarn()
                          .addKeyValue("bucket", bucket)
                          .addKeyValue("units", units)
                          .log("restored ledger has lost moves of units; they are repeated");
                      return ledger.gather(fence, bucket, units);
                    }));
  }

  private static long units(BucketId bucket, List<Command> commands) {
    return commands.stream()
        .filter(Command.Reserve.class::isInstance)
        .flatMap(command -> ((Command.Reserve) command).grant().lines().stream())
        .filter(line -> line.token().bucketId().equals(bucket))
        .mapToLong(Grant::qty)
        .sum();
  }
}
