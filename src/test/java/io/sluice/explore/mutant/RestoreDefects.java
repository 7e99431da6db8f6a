package io.sluice.explore.mutant;

import io.sluice.explore.run.Routes;
import io.sluice.explore.run.Sale;
import io.sluice.explore.run.Scenario;
import io.sluice.explore.run.World;
import io.sluice.explore.store.Intercept;
import io.sluice.ledger.BucketRow;
import io.sluice.ledger.Ledger;
import io.sluice.ledger.Ledger.Batch;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.OrderToken;
import io.sluice.stock.StockStore;
import io.sluice.stock.StockStore.Snapshot;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Mistakes about a ledger that was put back to a backup, and has lost moves of units. */
final class RestoreDefects {
  private RestoreDefects() {}

  /** Between gathering and booking, so that others may come between. */
  private static final int STEPS = 20;

  /** All orders by the log, and no restocks: nothing that a yes may be lost in. */
  static Scenario tuned(Scenario scenario) {
    return scenario.ofRestore().ofMoves().ofOneRedis().with(Routes.LOG_ALONE);
  }

  /** How units are gathered for the grants of a slice, instead of in its transaction. */
  private record Rule(boolean countsCopies, boolean sparesDonors) {
    Map<BucketId, Long> needs(Ledger ledger, List<Command> commands) {
      Map<BucketId, Long> needs = new TreeMap<>();
      Set<OrderToken> counted = new HashSet<>();
      for (Command command : commands) {
        if (command instanceof Command.Reserve reserve) {
          Grant grant = reserve.grant();
          boolean isNew =
              counted.add(grant.token())
                  && ledger.orders(List.of(grant.token())).result().isEmpty();
          if (countsCopies || isNew) {
            needs.merge(grant.token().bucketId(), (long) grant.qty(), Long::sum);
          }
        }
      }
      return needs;
    }

    /** From the richest bucket on, as much as it has, or can spare. */
    void gather(World world, List<BucketRow> seen, Map<BucketId, Long> needs) {
      Map<BucketId, Long> free = new TreeMap<>();
      seen.forEach(row -> free.put(row.id(), row.free()));
      needs.forEach(
          (target, wanted) -> {
            List<BucketId> donors = new ArrayList<>(free.keySet());
            donors.sort(Comparator.comparingLong(id -> -free.get(id)));
            for (BucketId donor : donors) {
              long kept = sparesDonors ? needs.getOrDefault(donor, 0L) : 0;
              long units = Math.min(free.get(donor) - kept, wanted - free.get(target));
              if (!donor.equals(target) && units > 0) {
                world.ledger().plantMove(donor, target, units);
                free.merge(donor, -units, Long::sum);
                free.merge(target, units, Long::sum);
              }
            }
          });
    }
  }

  /** Where a bucket has no room, nothing is gathered. */
  static Defect gathersNothing() {
    return new Defect() {
      @Override
      public Ledger ledgerBelow(Ledger ledger, World world) {
        world.ledger().plantNoGathering();
        return ledger;
      }
    };
  }

  /** Repeated records count as units, so that more is gathered than the grants take. */
  static Defect gathersForCopies() {
    return gathers(new Rule(true, true));
  }

  /** The richest bucket gives units that grants of the same slice take there. */
  static Defect gathersWhatTheDonorNeeds() {
    return gathers(new Rule(false, false));
  }

  private static Defect gathers(Rule rule) {
    return new Defect() {
      @Override
      public Ledger ledgerBelow(Ledger ledger, World world) {
        world.ledger().plantNoGathering();
        return Intercept.of(
            Ledger.class,
            ledger,
            "apply",
            call -> {
              if (world.restored().isOver()) {
                rule.gather(world, rows(world), rule.needs(ledger, commands(call.argument(0))));
              }
              return call.go(result -> result);
            });
      }
    };
  }

  private static List<Command> commands(List<Batch> round) {
    return round.stream().flatMap(batch -> batch.commands().stream()).toList();
  }

  private static List<BucketRow> rows(World world) {
    return Sale.buckets(world.scenario()).stream()
        .map(id -> world.ledger().bucket(id).result().orElseThrow())
        .toList();
  }

  /** What the buckets have is read, units are gathered, and the grants booked, one by one. */
  static Defect gathersOutsideTheTransaction() {
    return new Defect() {
      private final Rule rule = new Rule(false, true);
      private World world;

      @Override
      public Ledger ledgerBelow(Ledger ledger, World where) {
        world = where;
        where.ledger().plantNoGathering();
        return ledger;
      }

      @Override
      public Ledger ledgerAbove(Ledger wired, StockStore stock) {
        return Intercept.of(
            Ledger.class,
            wired,
            "apply",
            call -> {
              if (!world.restored().isOver()) {
                return call.go(result -> result);
              }
              Map<BucketId, Long> needs = rule.needs(world.ledger(), commands(call.argument(0)));
              List<BucketRow> seen = rows(world);
              return wired
                  .nowMs()
                  .onSuccess(later -> rule.gather(world, seen, needs))
                  .compose(gathered -> later(wired, STEPS))
                  .compose(later -> call.go(result -> result));
            });
      }
    };
  }

  private static Future<Long> later(Ledger wired, int steps) {
    return wired
        .nowMs()
        .compose(now -> steps == 1 ? Future.succeededFuture(now) : later(wired, steps - 1));
  }

  /** Buckets open whatever the logs of other partitions have. */
  static Defect opensBeforeItsSiblings() {
    return Defect.ofLedgerAbove(
        "bucketsOf", call -> Future.succeededFuture(Map.<Long, List<BucketRow>>of()));
  }

  /** Nobody sees that Redis has a later epoch or version than the ledger. */
  static Defect trustsLaterVersions() {
    return Defect.ofStockBelow(
        "snapshot",
        (store, world, call) -> {
          BucketRow row = world.ledger().bucket(call.argument(0)).result().orElseThrow();
          return call.go((Snapshot seen) -> asOf(row, seen));
        });
  }

  private static Snapshot asOf(BucketRow row, Snapshot seen) {
    return Defect.counting(
        seen,
        seen.total(),
        seen.claimed(),
        seen.released(),
        Math.min(seen.epoch(), row.epoch()),
        Math.min(seen.version(), row.version()));
  }
}
