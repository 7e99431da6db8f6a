package io.sluice.explore.mutant;

import io.sluice.explore.run.Scenario;
import io.sluice.explore.store.Fault;
import io.sluice.ledger.Fence;
import io.sluice.ledger.Ledger;
import io.sluice.ledger.Ledger.Batch;
import io.sluice.ledger.Step;
import io.sluice.ledger.Step.Result;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Mistakes of a round of batches of several partitions. */
final class RoundDefects {
  private RoundDefects() {}

  /** Many rounds of several partitions, which change their owners. */
  static Scenario tuned(Scenario scenario) {
    return scenario
        .ofPartitions(Scenario.PARTITIONS_MAX)
        .with(Map.of(Fault.MOVE, 0.02, Fault.PAUSE, 0.02, Fault.SLOW, 0.1));
  }

  /** Only the fence of the first batch is checked, the others are taken as they are. */
  static Defect fenceOfTheFirst() {
    return Defect.ofLedgerBelow(
        "apply",
        (ledger, world, call) -> {
          List<Batch> round = call.argument(0);
          List<Batch> changed = new ArrayList<>(round.subList(0, 1));
          round.stream()
              .skip(1)
              .map(batch -> new Batch(held(ledger, batch.step()), batch.commands(), true))
              .forEach(changed::add);
          return ledger.apply(changed);
        });
  }

  private static Step held(Ledger ledger, Step step) {
    Fence now = ledger.glance(step.partition()).result().fence().orElseThrow();
    return new Step(now.partition(), now.term(), now.nextOffset(), step.endOffset());
  }

  /** If one fence is lost, the others are told that they were booked. */
  static Defect bookedThoughUndone() {
    return Defect.ofLedgerBelow(
        "apply",
        (ledger, world, call) -> {
          List<Batch> round = call.argument(0);
          boolean areHeld =
              round.stream().allMatch(batch -> held(ledger, batch.step()).equals(batch.step()));
          return round.size() == 1 || areHeld
              ? ledger.apply(round)
              : Future.succeededFuture(round.stream().map(RoundDefects::nothing).toList());
        });
  }

  private static Result nothing(Batch batch) {
    return Result.Applied.before(Set.of(), Map.of());
  }
}
