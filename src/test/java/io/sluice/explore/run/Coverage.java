package io.sluice.explore.run;

import io.sluice.explore.store.Op;
import io.sluice.ledger.Ledger.Booked;
import io.sluice.ledger.Ledger.LendResult;
import io.sluice.ledger.Ledger.TakeResult;
import io.sluice.ledger.Step.Result;
import io.sluice.stock.BucketCode;
import io.sluice.stock.GrantOutcome;
import io.sluice.stock.ReserveReply;
import io.sluice.stock.StockStore.Frozen;
import io.sluice.stock.StockUnavailableException;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Counts rare situations: a run says little about situations that it never met. */
public final class Coverage {
  private final Map<String, Integer> counts = new TreeMap<>();

  /** Counts an answer of a store's call. */
  public void answered(Op op, Future<?> call) {
    Object answer = call.result();
    if (call.cause() instanceof StockUnavailableException) {
      saw(op.label() + " without replicas");
    } else if (answer instanceof BucketCode code) {
      code(op, code);
    } else if (answer instanceof Frozen frozen) {
      code(op, frozen.code());
    } else if (answer instanceof TakeResult taken && taken != TakeResult.DONE) {
      saw(op.label() + " " + taken);
    } else if (answer instanceof List<?> results) {
      results.forEach(result -> applied(op, result));
      if (results.size() > 1 && results.get(0) instanceof Result) {
        saw("a round of several partitions");
      }
    } else if (answer instanceof Booked booked) {
      saw(
          booked.orders().isEmpty()
              ? "a stale grant is not booked past the log"
              : "booked past the log");
      if (booked.unsound()) {
        saw("no room past the log");
      }
    } else if (answer instanceof ReserveReply reply) {
      code(op, reply.code());
      reply.outcomes().forEach(outcome -> outcome(outcome, reply.buckets() != null));
    } else if (answer instanceof LendResult lent) {
      saw(op.label() + " " + lent);
    }
  }

  private void applied(Op op, Object result) {
    if (result instanceof Result.FenceLost) {
      saw(op.label() + " FENCE_LOST");
    } else if (result instanceof Result.Missing) {
      saw(op.label() + " MISSING");
    } else if (result instanceof Result.Applied applied && !applied.stale().isEmpty()) {
      saw("a stale grant is dropped");
    }
  }

  private void code(Op op, BucketCode code) {
    if (code != BucketCode.OK) {
      saw(op.label() + " " + code);
    }
  }

  private void outcome(GrantOutcome outcome, boolean isCart) {
    if (isCart) {
      saw("a cart: " + outcome.getClass().getSimpleName());
    } else if (outcome instanceof GrantOutcome.Already already) {
      saw(already.unbooked() ? "already granted, not booked" : "already granted, booked");
    } else if (outcome instanceof GrantOutcome.Refused refused) {
      saw("refused: " + refused.refusal().problem());
    }
  }

  public void saw(String what) {
    counts.merge(what, 1, Integer::sum);
  }

  Map<String, Integer> counts() {
    return counts;
  }
}
