package io.sluice.explore.actor;

import io.sluice.explore.run.NodeStores;
import io.sluice.explore.run.Sale;
import io.sluice.explore.run.World;
import io.sluice.ledger.SaleLedger;
import io.sluice.ledger.SkuLedger;
import io.sluice.ledger.SkuLedger.StateChange;
import io.sluice.model.IfMatch;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * An operator who ends a SKU, or all of a sale, while they sell, and mostly puts what has ended
 * into its next sale; each step is repeated until it is known to be done.
 */
public final class Ending {
  /** Its name among the actors. */
  public static final String ACTOR = "end";

  private static final long PAUSE_US = 300_000;
  private static final long REST_MAX_US = 2_000_000;

  private final World world;
  private final Operator operator;
  private final SkuLedger skus;
  private final SaleLedger sales;
  private final SplittableRandom draws;
  private final List<Runnable> followers = new ArrayList<>();
  private List<Long> skuIds = List.of();
  private boolean over;

  public Ending(World world, Operator operator) {
    this.world = world;
    this.operator = operator;
    NodeStores stores = world.storesOf(new Node(World.OPERATOR, world.scheduler(), world.chance()));
    this.skus = stores.skus();
    this.sales = stores.sales();
    this.draws = world.chance().of(ACTOR, "draws", 0);
  }

  public void play(Runnable onEnd) {
    List<Long> all = Sale.skus(world.scenario());
    boolean whole = all.size() > 1 && draws.nextBoolean();
    skuIds = whole ? all : List.of(all.get(draws.nextInt(all.size())));
    if (whole) {
      endSale(onEnd);
    } else {
      endSku(onEnd);
    }
  }

  /** Runs this once the next sale has begun, or there is none. */
  public void afterwards(Runnable follower) {
    if (over) {
      follower.run();
    } else {
      followers.add(follower);
    }
  }

  private void endSku(Runnable onEnd) {
    skus.change(skuIds.get(0), StateChange.END, IfMatch.NOTHING)
        .onComplete(
            answer -> {
              boolean ended =
                  answer.result() instanceof SkuLedger.ChangeResult.Done done
                      && done.sku().state().isEnded();
              goOn(ended, () -> endSku(onEnd), onEnd);
            });
  }

  /** Takes the steps of the sale to its SKUs as well, as any instance does. */
  private void endSale(Runnable onEnd) {
    sales
        .change(Sale.CARTS, StateChange.END, IfMatch.NOTHING)
        .onComplete(
            answer -> {
              boolean ended =
                  answer.result() instanceof SaleLedger.ChangeResult.Done done
                      && done.sale().state().isEnded();
              goOn(
                  ended,
                  () -> sales.takeOver(Sale.CARTS).onComplete(taken -> endSale(onEnd)),
                  onEnd);
            });
  }

  private void goOn(boolean ended, Runnable again, Runnable onEnd) {
    if (!ended) {
      later(again);
      return;
    }
    world.say(() -> "*** the sale of " + skuIds + " has ended");
    if (draws.nextInt(3) == 0) {
      isOver(onEnd);
    } else {
      world
          .scheduler()
          .after(draws.nextLong(REST_MAX_US), () -> operator.holdRestocks(() -> openNext(onEnd)));
    }
  }

  private void openNext(Runnable onEnd) {
    sales
        .put(Sale.next(world.scenario(), skuIds))
        .onComplete(
            answer -> {
              if (answer.result() instanceof SaleLedger.PutResult.Done) {
                world.sights().saw("a next sale");
                operator.allowRestocks();
                isOver(onEnd);
              } else {
                later(() -> openNext(onEnd));
              }
            });
  }

  private void isOver(Runnable onEnd) {
    over = true;
    followers.forEach(Runnable::run);
    onEnd.run();
  }

  private void later(Runnable what) {
    world.scheduler().after(PAUSE_US, what);
  }
}
