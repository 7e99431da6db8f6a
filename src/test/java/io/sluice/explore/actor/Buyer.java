package io.sluice.explore.actor;

import io.sluice.explore.run.World;
import io.sluice.model.OrderToken;
import io.sluice.model.Refusal;
import io.sluice.reservation.grant.PlacedOrder;
import io.sluice.reservation.order.CommandAnswer;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.BiFunction;

/**
 * A buyer who repeats a request with the same key until there is an answer, then pays, cancels,
 * does both at once, or leaves; may also look at the order, repeat the request, or ask for a
 * refund.
 */
public final class Buyer {
  /** A request for an order. */
  public record OrderRequest(String user, String key, int qty) {
    @Override
    public String toString() {
      return user + "/" + key + "(" + qty + ")";
    }
  }

  private enum Step {
    CONFIRM,
    CANCEL,
    REFUND,
    LOOK,
    ASK_AGAIN
  }

  /** The largest quantity that a buyer requests. */
  public static final int UNITS_MAX = 2;

  private static final long PAUSE_US = 250_000;
  private static final int REFUSALS_MAX = 4;
  private static final int BUSY_MAX = 40;

  private final World world;
  private final Front front;
  private final OrderRequest wanted;
  private final SplittableRandom draws;
  private final Deque<Step> steps = new ArrayDeque<>();
  private final Runnable onEnd;
  private OrderToken token;
  private boolean paid;
  private int asked;
  private int refused;
  private int busy;

  public Buyer(World world, Front front, String name, OrderRequest wanted, Runnable onEnd) {
    this.world = world;
    this.front = front;
    this.wanted = wanted;
    this.onEnd = onEnd;
    this.draws = world.chance().of(name, "buyer", 0);
  }

  /** Starts after this delay. */
  public void start(long afterUs) {
    world.scheduler().after(afterUs, this::place);
  }

  private void place() {
    front.<PlacedOrder>ask(wanted.toString(), ++asked, api -> api.place(wanted), this::placed);
  }

  private void placed(Optional<PlacedOrder> answer) {
    if (answer.isPresent() && answer.get() instanceof PlacedOrder.Accepted accepted) {
      token = accepted.order().token();
      plan();
      later(this::next);
    } else if (answer.isPresent() && isNo((PlacedOrder.Refused) answer.get())) {
      onEnd.run();
    } else if (draws.nextInt(8) == 0) {
      // Some buyers give up without learning the outcome of their request.
      onEnd.run();
    } else {
      later(this::place);
    }
  }

  /** Whether this is a final refusal. A refusal leaves no trace, so some buyers try again later. */
  private boolean isNo(PlacedOrder.Refused no) {
    if (no.refusal() == Refusal.UNAVAILABLE) {
      return false;
    }
    if (no.refusal() == Refusal.BUSY) {
      // Where only other buckets have units, the answer never changes.
      return ++busy > BUSY_MAX;
    }
    refused++;
    return refused >= REFUSALS_MAX || draws.nextInt(3) == 0;
  }

  private void plan() {
    int kind = draws.nextInt(100);
    if (kind < 35) {
      steps.addAll(List.of(Step.CONFIRM, Step.LOOK));
    } else if (kind < 50) {
      steps.addAll(List.of(Step.CONFIRM, Step.REFUND, Step.ASK_AGAIN));
    } else if (kind < 65) {
      steps.addAll(List.of(Step.CANCEL, Step.LOOK, Step.ASK_AGAIN));
    } else if (kind < 75) {
      later(this::cancelMeanwhile);
      steps.addAll(List.of(Step.CONFIRM, Step.LOOK));
    } else if (kind < 85) {
      steps.addAll(List.of(Step.LOOK, Step.ASK_AGAIN, Step.CONFIRM));
    } else {
      steps.addAll(List.of(Step.LOOK, Step.ASK_AGAIN));
    }
  }

  private void next() {
    Step step = steps.poll();
    if (step == null) {
      onEnd.run();
      return;
    }
    switch (step) {
      case CONFIRM -> command(ApiNode::confirm);
      case CANCEL -> command(ApiNode::cancel);
      case REFUND -> {
        if (paid) {
          command(ApiNode::refund);
        } else {
          next();
        }
      }
      case LOOK -> look();
      case ASK_AGAIN ->
          front.<PlacedOrder>ask(
              wanted.toString(), ++asked, api -> api.place(wanted), any -> later(this::next));
    }
  }

  private void look() {
    Duration wait = Duration.ofMillis(draws.nextInt(2) * draws.nextLong(2_000));
    front.ask(wanted.toString(), ++asked, api -> api.find(token, wait), any -> later(this::next));
  }

  /**
   * Repeats the command until it is decided (200 or 409); a 202 is followed up by repeating it,
   * too.
   */
  private void command(BiFunction<ApiNode, OrderToken, Future<CommandAnswer>> what) {
    front.<CommandAnswer>ask(
        wanted.toString(),
        ++asked,
        api -> what.apply(api, token),
        answer -> {
          boolean done = answer.isPresent() && answer.get() instanceof CommandAnswer.Done;
          boolean lost = answer.isPresent() && answer.get() instanceof CommandAnswer.Conflict;
          paid |= done;
          if (done || lost) {
            later(this::next);
          } else {
            later(() -> command(what));
          }
        });
  }

  private void cancelMeanwhile() {
    front.<CommandAnswer>ask(wanted.toString(), ++asked, api -> api.cancel(token), any -> {});
  }

  private void later(Runnable what) {
    int times = draws.nextInt(10) == 0 ? 20 : 1;
    world.scheduler().after(draws.nextLong(times * PAUSE_US), what);
  }
}
