package io.sluice.owner;

import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.OrderToken;
import io.sluice.stock.Recorded;
import io.sluice.stock.StockStore;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashMap;
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
record MissingGrants(StockStore stock) {

  /**
   * Returns the commands with the grants of these orders inserted before them, if Redis has any.
   */
  Future<List<Command>> addTo(List<Command> commands, Set<OrderToken> missing) {
    return grantsOf(missing).map(grants -> grants.isEmpty() ? commands : inject(commands, grants));
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
