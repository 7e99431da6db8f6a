package io.sluice.explore.mutant;

import io.sluice.explore.run.Scenario;
import io.sluice.explore.store.Fault;
import io.sluice.ledger.Fence;
import io.sluice.ledger.Ledger;
import io.sluice.ledger.Ledger.Batch;
import io.sluice.ledger.Step;
import io.sluice.ledger.rules.FenceCheck;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Mistakes of a round of batches of several partitions. */
final class RoundDefects {
  private RoundDefects() {}

  private static final Map<Fault, Double> OWNERS_CHANGE =
      Map.of(Fault.MOVE, 0.1, Fault.PAUSE, 0.01, Fault.SLOW, 0.0);

  /** Many rounds of several partitions, which change their owners. */
  static Scenario ofMoves(Scenario scenario) {
    return scenario.ofPartitions(Scenario.PARTITIONS_MAX).ofHeldUpOwners().with(OWNERS_CHANGE);
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
              .map(
                  batch ->
                      new Batch(held(ledger, batch.step()), batch.commands(), batch.searched()))
              .forEach(changed::add);
          return ledger.apply(changed);
        });
  }

  /** The step as one of the owner of now would be. */
  private static Step held(Ledger ledger, Step step) {
    Fence now = fence(ledger, step.partition());
    return step.advances() ? Step.advance(now, step.endOffset()) : Step.check(now);
  }

  /** A backup may be older than the first owner. */
  private static Fence fence(Ledger ledger, int partition) {
    return ledger.fences().result().getOrDefault(partition, new Fence(partition, 0, 0));
  }

  /** If one fence is lost, the round is rolled back, and the others are told what they had done. */
  static Defect bookedThoughUndone() {
    return Defect.ofLedgerBelow(
        "apply",
        (ledger, world, call) -> {
          List<Batch> round = call.argument(0);
          boolean isLost = round.stream().anyMatch(batch -> isLost(ledger, batch.step()));
          Runnable undo = isLost ? world.ledger().backup() : () -> {};
          return ledger.apply(round).onComplete(done -> undo.run());
        });
  }

  private static boolean isLost(Ledger ledger, Step step) {
    return FenceCheck.of(step, fence(ledger, step.partition())) == FenceCheck.LOST;
  }
}
