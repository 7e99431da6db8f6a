package io.sluice.explore.mutant;

import io.sluice.explore.run.Sale;
import io.sluice.explore.run.World;
import io.sluice.explore.store.Intercept;
import io.sluice.ledger.Buckets.BucketRow;
import io.sluice.ledger.Ledger;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.Grants;
import io.sluice.model.SkuState;
import io.sluice.orderlog.OrderLog;
import io.sluice.stock.BucketCode;
import io.sluice.stock.StockStore;
import io.sluice.stock.StockStore.Request;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;

/** Mistakes about SKUs that end, and about their next sale. */
final class EndDefects {
  private EndDefects() {}

  /** A bucket ends as soon as nothing of it is held, whatever Redis and the log have. */
  static Defect endsAtOnce() {
    return new Defect() {
      @Override
      public Ledger ledgerBelow(Ledger ledger, World world) {
        return Intercept.of(
            Ledger.class,
            ledger,
            "bucket",
            call -> {
              BucketId id = call.argument(0);
              BucketRow row = ledger.bucket(id).result().orElseThrow();
              if (row.state() == SkuState.ENDING && row.held() == 0) {
                ledger.fences().result().values().stream()
                    .filter(fence -> fence.partition() == row.partition())
                    .forEach(fence -> ledger.raiseEpoch(fence, id, 0));
              }
              return ledger.bucket(id);
            });
      }
    };
  }

  /** The end of a bucket does not wait until the log is booked. */
  static Defect endsWithoutTheLog() {
    return new Defect() {
      @Override
      public OrderLog logAbove(OrderLog wired, World world) {
        return new OrderLog() {
          @Override
          public Future<Long> append(int partition, List<Command> commands) {
            return wired.append(partition, commands);
          }

          @Override
          public Future<Long> endOffset(int partition) {
            return isEnding(world) ? Future.succeededFuture(0L) : wired.endOffset(partition);
          }

          @Override
          public Future<Long> beginOffset(int partition) {
            return wired.beginOffset(partition);
          }

          @Override
          public boolean takes(int partition) {
            return wired.takes(partition);
          }
        };
      }
    };
  }

  private static boolean isEnding(World world) {
    return Sale.skus(world.scenario()).stream()
        .map(skuId -> world.ledger().sku(skuId).result().orElseThrow())
        .anyMatch(sku -> sku.state() == SkuState.ENDING);
  }

  /** The end of a bucket does not raise its epoch. */
  static Defect keepsTheEpoch() {
    return new Defect() {
      @Override
      public Ledger ledgerBelow(Ledger ledger, World world) {
        return Intercept.of(
            Ledger.class,
            ledger,
            "raiseEpoch",
            call -> {
              long before = epochOf(ledger, call.argument(1));
              return call.go(
                  (Optional<BucketRow> raised) -> {
                    raised
                        .filter(row -> row.state().isEnded())
                        .ifPresent(row -> world.ledger().plantEpoch(row.id(), before));
                    return raised;
                  });
            });
      }
    };
  }

  private static long epochOf(Ledger ledger, BucketId id) {
    return ledger.bucket(id).result().orElseThrow().epoch();
  }

  /** A bucket ends although units of it are held. */
  static Defect endsWhileUnitsAreHeld() {
    return new Defect() {
      @Override
      public Ledger ledgerBelow(Ledger ledger, World world) {
        return Intercept.of(
            Ledger.class,
            ledger,
            "raiseEpoch",
            call ->
                call.go(
                    (Optional<BucketRow> raised) -> {
                      raised
                          .filter(row -> row.state() == SkuState.ENDING)
                          .ifPresent(row -> world.ledger().plantEnd(row.id()));
                      return raised.map(
                          row -> world.ledger().bucket(row.id()).result().orElseThrow());
                    }));
      }
    };
  }

  /** A late grant of the sale before counts in the next one. */
  static Defect booksTheSaleBefore() {
    return new Defect() {
      @Override
      public Ledger ledgerBelow(Ledger ledger, World world) {
        return Intercept.of(
            Ledger.class,
            ledger,
            "apply",
            call -> {
              List<Command> commands = call.argument(1);
              return ledger.apply(
                  call.argument(0),
                  commands.stream().map(command -> ofNow(ledger, command)).toList());
            });
      }
    };
  }

  private static Command ofNow(Ledger ledger, Command command) {
    if (!(command instanceof Command.Reserve reserve) || reserve.grant().cart() != null) {
      return command;
    }
    Grant grant = reserve.grant();
    BucketRow row = ledger.bucket(grant.token().bucketId()).result().orElseThrow();
    return row.isEarlier(grant.epoch())
        ? new Command.Reserve(Grants.inEpoch(grant, row.epoch()), null)
        : command;
  }

  /** What has ended is not deleted from Redis. */
  static Defect unloadsNothing() {
    return new Defect() {
      @Override
      public StockStore stockAbove(StockStore wired) {
        return Intercept.of(
            StockStore.class, wired, "unload", call -> Future.succeededFuture(BucketCode.OK));
      }
    };
  }

  /** Redis grants whichever sale of the SKU its caller knows. */
  static Defect grantsInAnySale() {
    return new Defect() {
      @Override
      public StockStore stockBelow(StockStore store, World world) {
        return Intercept.of(
            StockStore.class,
            store,
            "reserve",
            call -> {
              BucketId id = call.argument(0);
              List<Request> requests = call.argument(1);
              long saleNo = world.ledger().bucket(id).result().orElseThrow().saleNo();
              return call.with(
                  1, requests.stream().map(request -> inSale(request, saleNo)).toList());
            });
      }
    };
  }

  private static Request inSale(Request asked, long saleNo) {
    return new Request(asked.token(), asked.userId(), asked.qty(), asked.reference(), saleNo);
  }
}
