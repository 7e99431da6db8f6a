package io.sluice.owner;

import io.sluice.async.AsyncLoop;
import io.sluice.ledger.Ledger;
import io.sluice.ledger.Step;
import io.sluice.ledger.UnprocessableException;
import io.sluice.model.Command;
import io.vertx.core.Future;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.BiFunction;

/**
 * Finds the commands of a batch that the database refuses because of their data, by rehearsing
 * halves of the batch, and replaces each.
 *
 * @param replacement returns the command to apply instead of a refused one, given the reason
 */
record PoisonSearch(Ledger ledger, Step step, BiFunction<Command, Throwable, Command> replacement) {

  /**
   * Returns the commands with the refused ones replaced. Fails if the database cannot be reached.
   */
  Future<List<Command>> replacePoison(List<Command> commands) {
    Deque<List<Command>> open = new ArrayDeque<>();
    open.push(commands);
    List<Command> clean = new ArrayList<>(commands.size());
    return AsyncLoop.whileTrue(
            () ->
                open.isEmpty()
                    ? Future.succeededFuture(false)
                    : look(open.pop(), open, clean).map(true))
        .map(clean);
  }

  /** Rehearses the first part that is still open; the parts stay in order. */
  private Future<Void> look(List<Command> part, Deque<List<Command>> open, List<Command> clean) {
    return ledger
        .rehearse(step, part)
        .transform(
            (rehearsed, failure) -> {
              if (failure == null) {
                clean.addAll(part);
              } else if (!(failure instanceof UnprocessableException)) {
                return Future.failedFuture(failure);
              } else if (part.size() == 1) {
                clean.add(replacement.apply(part.get(0), failure));
              } else {
                int half = part.size() / 2;
                open.push(part.subList(half, part.size()));
                open.push(part.subList(0, half));
              }
              return Future.succeededFuture();
            });
  }
}
