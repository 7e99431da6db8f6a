package io.sluice.ledger;

import io.sluice.ledger.Ledger.Batch;
import io.sluice.ledger.Step.Result;
import io.sluice.model.Command;
import io.vertx.core.Future;
import java.util.List;

/** Batches that a test applies itself. */
public final class Batches {
  private Batches() {}

  /** Applies one batch whose commands need no search. */
  public static Future<Result> apply(Ledger ledger, Step step, List<Command> commands) {
    return ledger.apply(List.of(new Batch(step, commands, true))).map(results -> results.get(0));
  }
}
