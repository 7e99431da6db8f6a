package io.sluice.owner;

import io.sluice.async.AsyncLoop;
import io.sluice.ledger.Ledger;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.OrderToken;
import io.sluice.stock.Recorded;
import io.sluice.stock.StockStore;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Finds the grants of commands whose order is neither in the ledger nor booked earlier in the
 * batch. If Redis has the grant, it is booked first.
 *
 * <p>An unreachable Redis does not block the log: the RESERVE of every order that was acknowledged
 * to its buyer precedes the order's commands in the log.
 */
record MissingGrants(Ledger ledger, StockStore stock) {

  /** Returns the commands with the missing grants inserted before them. */
  Future<List<Command>> addTo(List<Command> commands) {
    Set<OrderToken> orphans = orphans(commands);
    if (orphans.isEmpty()) {
      return Future.succeededFuture(commands);
    }
    return known(List.copyOf(orphans))
        .compose(
            known -> {
              orphans.removeAll(known);
              return orphans.isEmpty()
                  ? Future.succeededFuture(Map.<OrderToken, Command>of())
                  : grantsOf(orphans);
            })
        .map(grants -> grants.isEmpty() ? commands : inject(commands, grants));
  }

  /** Tokens of commands without a preceding RESERVE in the same batch. */
  static Set<OrderToken> orphans(List<Command> commands) {
    Set<OrderToken> reserved = new HashSet<>();
    Set<OrderToken> orphans = new HashSet<>();
    for (Command command : commands) {
      if (command instanceof Command.Reserve reserve) {
        reserved.add(reserve.grant().token());
      } else {
        OrderToken token = command.token();
        if (token != null && !reserved.contains(token)) {
          orphans.add(token);
        }
      }
    }
    return orphans;
  }

  private Future<Set<OrderToken>> known(List<OrderToken> tokens) {
    Set<OrderToken> known = new HashSet<>();
    return AsyncLoop.forEach(
            AsyncLoop.parts(tokens, Ledger.ORDERS_MAX),
            some -> ledger.orders(some).onSuccess(found -> known.addAll(found.keySet())))
        .map(known);
  }

  private Future<Map<OrderToken, Command>> grantsOf(Set<OrderToken> tokens) {
    Map<OrderToken, Command> grants = new HashMap<>();
    Map<BucketId, List<OrderToken>> byBucket =
        tokens.stream().collect(Collectors.groupingBy(OrderToken::bucketId));
    List<Future<?>> lookups = new ArrayList<>();
    byBucket.forEach(
        (bucket, wanted) ->
            lookups.add(
                stock
                    .lookup(bucket, wanted)
                    .onSuccess(found -> addLive(grants, found.recorded()))));
    return Future.join(lookups).transform(done -> Future.succeededFuture(grants));
  }

  private static void addLive(Map<OrderToken, Command> grants, Map<OrderToken, Recorded> recorded) {
    recorded.forEach(
        (token, one) -> {
          if (one.live()) {
            grants.put(token, new Command.Reserve(one.grant(), null));
          }
        });
  }

  private static List<Command> inject(List<Command> commands, Map<OrderToken, Command> grants) {
    List<Command> injected = new ArrayList<>(commands.size() + grants.size());
    for (Command command : commands) {
      OrderToken token = command.token();
      Command grant = token == null ? null : grants.remove(token);
      if (grant != null) {
        injected.add(grant);
      }
      injected.add(command);
    }
    return injected;
  }
}
