package io.sluice.explore.mutant;

import io.sluice.explore.run.World;
import io.sluice.explore.store.Intercept;
import io.sluice.ledger.Ledger;
import io.sluice.ledger.Ledger.Batch;
import io.sluice.model.BucketId;
import io.sluice.model.Cart;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.Grants;
import io.sluice.model.OrderToken;
import io.sluice.stock.BucketCode;
import io.sluice.stock.GrantOutcome;
import io.sluice.stock.Recorded;
import io.sluice.stock.ReserveReply;
import io.sluice.stock.StockStore;
import io.sluice.stock.StockStore.Release;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Mistakes about orders of several SKUs. */
final class CartDefects {
  private CartDefects() {}

  /** Of a cart the lead alone is booked, on each way or where it is swept. */
  static Defect bookedAsItsLead(boolean sweptOnly) {
    return Defect.ofLedgerBelow(
        "apply",
        (ledger, world, call) -> {
          List<Batch> round = call.argument(0);
          return ledger.apply(
              round.stream()
                  .map(
                      batch ->
                          sweptOnly && batch.step().advances()
                              ? batch
                              : StaleGrantDefects.of(batch, CartDefects::ofLead))
                  .toList());
        });
  }

  private static Command ofLead(Command command) {
    if (!(command instanceof Command.Reserve reserve) || reserve.grant().cart() == null) {
      return command;
    }
    Grant grant = reserve.grant();
    return new Command.Reserve(
        new Grant(grant.token(), grant.userId(), grant.units(), grant.reference(), null),
        reserve.run(),
        reserve.trace());
  }

  /** Each bucket of a sale with carts is rebuilt for itself. */
  static class RebuiltAlone implements Defect {
    @Override
    public Ledger ledgerAbove(Ledger wired, StockStore stock) {
      return Intercept.of(
          Ledger.class, wired, "ofSameSale", call -> Future.succeededFuture(List.<BucketId>of()));
    }
  }

  /** The same, and a cart of which a line is gone is taken for one that was granted before. */
  static final class TornAsGranted extends RebuiltAlone {
    @Override
    public StockStore stockBelow(StockStore store, World world) {
      return Intercept.of(
          StockStore.class,
          store,
          "reserveCarts",
          call -> {
            List<StockStore.Request> carts = call.argument(0);
            return call.go((ReserveReply reply) -> already(store, carts, reply));
          });
    }

    private static ReserveReply already(
        StockStore store, List<StockStore.Request> carts, ReserveReply reply) {
      List<GrantOutcome> outcomes = new ArrayList<>();
      for (int i = 0; i < carts.size(); i++) {
        GrantOutcome outcome = reply.outcomes().get(i);
        outcomes.add(
            outcome instanceof GrantOutcome.Torn
                ? recorded(store, carts.get(i))
                    .<GrantOutcome>map(lead -> new GrantOutcome.Already(lead, true))
                    .orElse(outcome)
                : outcome);
      }
      return ReserveReply.ofCarts(outcomes, reply.buckets(), reply.run());
    }

    /** The grant of the lead, as any line has it. */
    private static Optional<Grant> recorded(StockStore store, StockStore.Request request) {
      for (StockStore.Line line : request.lines()) {
        OrderToken token = request.token().in(line.bucket());
        Recorded known = store.lookup(line.bucket(), List.of(token)).result().recorded().get(token);
        Cart cart = known == null ? null : known.grant().cart();
        if (cart != null) {
          Grant grant = known.grant();
          return Optional.of(
              Grants.ofLead(
                  cart,
                  cart.tokens(token).get(0),
                  grant.userId(),
                  grant.grantedAtMs(),
                  grant.payBeforeMs(),
                  grant.reference()));
        }
      }
      return Optional.empty();
    }
  }

  /** The units of each line behind the first come back twice. */
  static Defect linesReleasedTwice() {
    return Defect.ofStockBelow(
        "release",
        (store, world, call) -> {
          BucketId id = call.argument(0);
          List<Release> releases = call.argument(2);
          List<OrderToken> tokens = releases.stream().map(Release::token).toList();
          var before = store.lookup(id, tokens).result().recorded();
          return call.go(
              (BucketCode code) -> {
                long again = unitsOfLines(before, store.lookup(id, tokens).result().recorded());
                if (again > 0) {
                  world.redis().stock().plant(id, 0, 0, again, 0);
                }
                return code;
              });
        });
  }

  private static long unitsOfLines(
      Map<OrderToken, Recorded> before, Map<OrderToken, Recorded> after) {
    return before.entrySet().stream()
        .filter(known -> isFollower(known.getValue().grant()))
        .mapToLong(known -> known.getValue().left() - left(after.get(known.getKey())))
        .sum();
  }

  private static int left(Recorded known) {
    return known == null ? 0 : known.left();
  }

  private static boolean isFollower(Grant grant) {
    return grant.cart() != null && !grant.cart().lead().bucket().equals(grant.token().bucketId());
  }
}
