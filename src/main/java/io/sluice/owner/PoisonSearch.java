package io.sluice.owner;

import io.sluice.ledger.Ledger;
import io.sluice.ledger.Ledger.Step;
import io.sluice.ledger.UnprocessableException;
import io.sluice.model.Command;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;

/**
 * Finds the commands of a batch that the database refuses because of their data, by rehearsing
 * halves of it, and replaces each by its dead letter.
 */
final class PoisonSearch {
  private final Ledger ledger;
  private final Step step;
  private final BiFunction<Command, Throwable, Command> replacement;

  /** {@code replacement} says what is to be applied in the place of a poison, and why it is one. */
  PoisonSearch(Ledger ledger, Step step, BiFunction<Command, Throwable, Command> replacement) {
    this.ledger = ledger;
    this.step = step;
    this.replacement = replacement;
  }

  /**
   * The same commands, those that cannot be applied replaced. Fails where the database cannot be
   * asked.
   */
  Future<List<Command>> replacePoison(List<Command> commands) {
    return ledger
        .rehearse(step, commands)
        .map(commands)
        .recover(
            failure -> {
              if (!(failure instanceof UnprocessableException)) {
                return Future.failedFuture(failure);
              }
              return commands.size() == 1
                  ? Future.succeededFuture(List.of(replacement.apply(commands.get(0), failure)))
                  : splitAndSearch(commands);
            });
  }

  private Future<List<Command>> splitAndSearch(List<Command> commands) {
    int half = commands.size() / 2;
    return replacePoison(commands.subList(0, half))
        .compose(
            first ->
                replacePoison(commands.subList(half, commands.size()))
                    .map(
                        second -> {
                          List<Command> all = new ArrayList<>(first);
                          all.addAll(second);
                          return all;
                        }));
  }
}
