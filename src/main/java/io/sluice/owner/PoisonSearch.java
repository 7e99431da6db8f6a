package io.sluice.owner;

import io.sluice.ledger.Ledger;
import io.sluice.ledger.Ledger.Step;
import io.sluice.ledger.UnprocessableException;
import io.sluice.model.Command;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds the commands of a batch that the database refuses because of their data, by rehearsing
 * halves of it, and replaces each by its dead letter.
 */
final class PoisonSearch {
  private static final int RAW_MAX = 4_096;

  private final Ledger ledger;
  private final Step step;

  PoisonSearch(Ledger ledger, Step step) {
    this.ledger = ledger;
    this.step = step;
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
                  ? Future.succeededFuture(List.of(letter(commands.get(0), failure)))
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

  private static Command letter(Command poison, Throwable why) {
    String raw = poison.toString();
    return new Command.Malformed(
        raw.length() > RAW_MAX ? raw.substring(0, RAW_MAX) : raw,
        "Expected what the ledger can store, but it answered: " + why.getMessage());
  }
}
