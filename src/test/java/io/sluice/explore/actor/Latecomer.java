package io.sluice.explore.actor;

import io.sluice.explore.run.World;
import io.sluice.grant.PlacedOrder;
import io.sluice.model.OrderToken;
import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Repeats the request of a buyer, whatever the answers are, also after the sale has ended and in
 * the next one, and looks at the order that it gets.
 */
public final class Latecomer {
  private static final int TIMES_MAX = 5;
  private static final long PAUSE_US = 2_500_000;

  private final World world;
  private final Front front;
  private final String name;
  private final Buyer.OrderRequest wanted;
  private final SplittableRandom draws;
  private final Runnable onEnd;
  private int asked;
  private int left;

  public Latecomer(
      World world, Front front, String name, Buyer.OrderRequest wanted, Runnable onEnd) {
    this.world = world;
    this.front = front;
    this.name = name;
    this.wanted = wanted;
    this.onEnd = onEnd;
    this.draws = world.chance().of(name, "latecomer", 0);
    this.left = 1 + draws.nextInt(TIMES_MAX);
  }

  public void place() {
    front.<PlacedOrder>ask(name, ++asked, api -> api.place(wanted), this::placed);
  }

  private void placed(Optional<PlacedOrder> answer) {
    if (answer.isPresent() && answer.get() instanceof PlacedOrder.Accepted accepted) {
      OrderToken token = accepted.order().token();
      front.ask(name, ++asked, api -> api.find(token, Duration.ZERO), any -> next());
    } else {
      next();
    }
  }

  private void next() {
    if (--left <= 0) {
      onEnd.run();
    } else {
      world.scheduler().after(draws.nextLong(PAUSE_US), this::place);
    }
  }
}
