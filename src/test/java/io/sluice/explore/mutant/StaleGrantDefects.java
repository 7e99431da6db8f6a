package io.sluice.explore.mutant;

import static io.sluice.model.Grants.inEpoch;

import io.sluice.ledger.BucketRow;
import io.sluice.ledger.Ledger;
import io.sluice.ledger.Ledger.Batch;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.Reason;
import java.util.List;
import java.util.function.UnaryOperator;

/** Mistakes about grants of an epoch that is over. */
final class StaleGrantDefects {
  private StaleGrantDefects() {}

  /** They are booked all the same. */
  static Defect booked() {
    return changing((grant, row) -> new Command.Reserve(inEpoch(grant, row.epoch()), null));
  }

  /** They get an order, which is rejected. */
  static Defect rejected() {
    return changing(
        (grant, row) -> new Command.Reject(inEpoch(grant, row.epoch()), Reason.UNPROCESSABLE));
  }

  private interface OfStaleGrant {
    Command instead(Grant grant, BucketRow row);
  }

  /** Changes how grants of an older epoch are booked, in the same transaction. */
  private static Defect changing(OfStaleGrant change) {
    return Defect.ofLedgerBelow(
        "apply",
        (ledger, world, call) -> {
          List<Batch> round = call.argument(0);
          return ledger.apply(
              round.stream()
                  .map(batch -> of(batch, command -> changed(ledger, command, change)))
                  .toList());
        });
  }

  /** A batch with its commands replaced. */
  static Batch of(Batch batch, UnaryOperator<Command> change) {
    return new Batch(
        batch.step(), batch.commands().stream().map(change).toList(), batch.searched());
  }

  private static Command changed(Ledger ledger, Command command, OfStaleGrant change) {
    if (!(command instanceof Command.Reserve reserve)) {
      return command;
    }
    Grant grant = reserve.grant();
    BucketRow row = ledger.bucket(grant.token().bucketId()).result().orElseThrow();
    return grant.epoch() < row.epoch() ? change.instead(grant, row) : command;
  }
}
