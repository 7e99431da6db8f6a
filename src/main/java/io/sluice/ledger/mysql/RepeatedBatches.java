package io.sluice.ledger.mysql;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.sluice.async.AsyncLoop;
import io.sluice.ledger.Ledger.Batch;
import io.sluice.ledger.Step.Result;
import io.sluice.ledger.mysql.BatchTransaction.Asking;
import io.sluice.ledger.mysql.BatchTransaction.Outcome;
import io.sluice.ledger.mysql.Reach.SeenCarts;
import io.sluice.ledger.rules.BatchChanges.Replayed;
import io.sluice.model.Cart;
import io.sluice.model.Command;
import io.sluice.model.Order;
import io.sluice.model.OrderToken;
import io.vertx.core.Future;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Runs batches, and repeats those that lacked lines of an order, or room. A command names its order
 * by the lead alone, and a transaction must lock the buckets of all lines, in their order, before
 * it reads. The lines of an order never change, so they are remembered; a transaction that meets an
 * order that is not known here is undone and runs once more. So is one whose grants find no room in
 * their buckets, with all buckets of their SKUs. Thread-safe.
 */
final class RepeatedBatches {
  private static final int ORDERS_MAX = 20_000;

  private final LedgerDatabase database;
  private final SaleIds sales;
  private final Cache<OrderToken, Cart> carts =
      Caffeine.newBuilder().maximumSize(ORDERS_MAX).executor(Runnable::run).build();

  RepeatedBatches(LedgerDatabase database, SaleIds sales) {
    this.database = database;
    this.sales = sales;
  }

  /**
   * {@link BatchTransaction#run}, in a transaction. A batch that is alone runs again until it has
   * what it needs; one of several is left out then.
   */
  Future<List<Outcome>> apply(List<Batch> round) {
    if (round.size() == 1) {
      return within(
              round.get(0).commands(),
              reach -> run(List.of(new Asking(round.get(0), reach))).map(all -> all.get(0)),
              Outcome::lines)
          .map(List::of);
    }
    return run(round.stream()
            .map(batch -> new Asking(batch, Reach.ofLines(known(batch.commands()))))
            .toList())
        .map(outcomes -> outcomes.stream().map(this::joined).toList());
  }

  private Future<List<Outcome>> run(List<Asking> round) {
    return database.inTransaction(session -> BatchTransaction.run(session, round, sales));
  }

  private Outcome joined(Outcome outcome) {
    carts.putAll(outcome.lines().carts());
    return outcome.lines().missing().isNone() ? outcome : Outcome.of(new Result.NotJoined());
  }

  /**
   * {@link BatchTransaction#runUnfenced}, in a transaction.
   *
   * @param reserves RESERVE commands, which name all lines; asked for in each transaction
   */
  Future<Replayed> applyUnfenced(Supplier<List<Command>> reserves, Freshness freshness) {
    return within(
        List.of(),
        reach ->
            database.inTransaction(
                session ->
                    BatchTransaction.runUnfenced(
                        session, reserves.get(), reach, freshness.isLikely(session), sales)),
        SeenCarts::in);
  }

  /** {@link BatchTransaction#runDirect}, in a transaction. */
  Future<Replayed> applyDirect(List<Command> commands) {
    return within(
        commands,
        reach ->
            database.inTransaction(
                session -> BatchTransaction.runDirect(session, commands, reach, sales)),
        SeenCarts::in);
  }

  /** {@link BatchTransaction#rehearse}, in a transaction that is rolled back. */
  Future<Outcome> rehearse(Batch batch) {
    return within(
        batch.commands(),
        reach ->
            database.inRehearsal(
                session -> BatchTransaction.rehearse(session, batch, reach, sales)),
        Outcome::lines);
  }

  /** Notes the lines of an order, which then is not to be met as one that is not known. */
  void remember(Order order) {
    if (order.cart() != null) {
      carts.put(order.token(), order.cart());
    }
  }

  /**
   * @param run runs a transaction that locks this in addition to the buckets that the commands name
   * @param seenBy the lines that it has seen
   */
  private <T> Future<T> within(
      List<Command> commands, Function<Reach, Future<T>> run, Function<T, SeenCarts> seenBy) {
    AtomicReference<Reach> reach = new AtomicReference<>(Reach.ofLines(known(commands)));
    AtomicReference<T> last = new AtomicReference<>();
    return AsyncLoop.whileTrue(
            () ->
                run.apply(reach.get())
                    .map(
                        done -> {
                          last.set(done);
                          return learn(seenBy.apply(done), reach);
                        }))
        .map(done -> last.get());
  }

  /** Whether the transaction was undone, and must run again with what it has missed. */
  private boolean learn(SeenCarts seen, AtomicReference<Reach> reach) {
    carts.putAll(seen.carts());
    Reach missing = seen.missing();
    if (missing.isNone()) {
      return false;
    }
    Reach locked = Objects.requireNonNull(reach.get());
    if (locked.has(missing)) {
      throw new IllegalStateException(
          "Expected all lines of an order, but some have no rows: " + missing);
    }
    reach.set(locked.with(missing));
    return true;
  }

  private Set<OrderToken> known(List<Command> commands) {
    Set<OrderToken> lines = new HashSet<>();
    for (Command command : commands) {
      OrderToken token = command.token();
      if (token != null && !(command instanceof Command.Reserve)) {
        Cart cart = carts.getIfPresent(token);
        if (cart != null) {
          lines.addAll(cart.tokens(token));
        }
      }
    }
    return lines;
  }
}
