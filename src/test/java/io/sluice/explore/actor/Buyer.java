package io.sluice.explore.actor;

import io.sluice.explore.run.Sale;
import io.sluice.explore.run.World;
import io.sluice.grant.PlacedOrder;
import io.sluice.model.Command.RefundPart;
import io.sluice.model.OrderToken;
import io.sluice.model.Refusal;
import io.sluice.order.CommandAnswer;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Function;

/**
 * A buyer who repeats a request with the same key until there is an answer, then pays, cancels,
 * does both at once, or leaves; may also look at the order, repeat the request, or ask for a
 * refund. The shop of some names the payments, gives more time to pay, and refunds in parts.
 */
public final class Buyer {
  /**
   * A request for an order.
   *
   * @param qty units of each SKU
   * @param skuIds in order; of several where it is a cart
   */
  public record OrderRequest(String user, String key, int qty, List<Long> skuIds) {
    /** The last SKU; of a cart the one of which a part is refunded. */
    long lastSku() {
      return skuIds.get(skuIds.size() - 1);
    }

    boolean isCart() {
      return skuIds.size() > 1;
    }

    @Override
    public String toString() {
      String of = skuIds.equals(List.of(Sale.SKU)) ? "" : " of " + skuIds;
      return user + "/" + key + "(" + qty + of + ")";
    }
  }

  private enum Step {
    CONFIRM,
    PAY,
    PAY_AGAIN,
    EXTEND,
    CANCEL,
    REFUND,
    REQUEST_PART,
    REQUEST_MORE,
    COMPLETE_PART,
    REJECT_PART,
    LOOK,
    ASK_AGAIN;

    /** Whether only an order that is paid has it. */
    boolean isRefund() {
      return compareTo(REFUND) >= 0 && compareTo(REJECT_PART) <= 0;
    }
  }

  private static final String PAYMENT = "p1";
  private static final String OTHER_PAYMENT = "p2";
  private static final String PART = "r1";
  private static final String FURTHER_PART = "r2";
  private static final int EXTENSION_S_MAX = 4;

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
  private final int extensionS;
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
    this.extensionS = 1 + world.chance().of(name, "extension", 0).nextInt(EXTENSION_S_MAX);
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
      // Where only other buckets have units, these come after a while.
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
      later(() -> meanwhile(api -> api.cancel(token)));
      steps.addAll(List.of(Step.CONFIRM, Step.LOOK));
    } else if (kind < 85) {
      steps.addAll(List.of(Step.LOOK, Step.ASK_AGAIN, Step.CONFIRM));
    } else {
      steps.addAll(List.of(Step.LOOK, Step.ASK_AGAIN));
    }
    SplittableRandom shop = world.chance().of(wanted.toString(), "shop", 0);
    if (shop.nextInt(100) < 60) {
      planFor(shop);
    }
  }

  private void planFor(SplittableRandom shop) {
    List<Step> plain = List.copyOf(steps);
    steps.clear();
    if (shop.nextInt(3) == 0) {
      steps.add(Step.EXTEND);
    }
    for (Step step : plain) {
      steps.add(step == Step.CONFIRM ? Step.PAY : step);
      if (step == Step.CONFIRM) {
        steps.addAll(afterPayment(shop));
      }
    }
    if (shop.nextInt(6) == 0) {
      later(() -> meanwhile(api -> api.pay(token, OTHER_PAYMENT)));
    }
  }

  private List<Step> afterPayment(SplittableRandom shop) {
    return switch (shop.nextInt(6)) {
      case 0 -> List.of(Step.PAY_AGAIN);
      case 1 -> List.of(Step.REQUEST_PART, Step.COMPLETE_PART);
      case 2 -> List.of(Step.REQUEST_PART, Step.REQUEST_MORE, Step.COMPLETE_PART, Step.ASK_AGAIN);
      case 3 -> List.of(Step.REQUEST_PART, Step.REJECT_PART, Step.REQUEST_MORE);
      case 4 -> List.of(Step.REQUEST_PART);
      default -> List.of();
    };
  }

  private void next() {
    Step step = steps.poll();
    if (step == null) {
      onEnd.run();
      return;
    }
    switch (step) {
      case LOOK -> look();
      case ASK_AGAIN ->
          front.<PlacedOrder>ask(
              wanted.toString(), ++asked, api -> api.place(wanted), any -> later(this::next));
      default -> {
        if (!step.isRefund() || (paid && world.scenario().refunds())) {
          command(step);
        } else {
          next();
        }
      }
    }
  }

  private Future<CommandAnswer> commanded(ApiNode api, Step step) {
    return switch (step) {
      case CONFIRM -> api.confirm(token);
      case PAY -> api.pay(token, PAYMENT);
      case PAY_AGAIN -> api.pay(token, OTHER_PAYMENT);
      case EXTEND -> api.extend(token, extensionS);
      case CANCEL -> api.cancel(token);
      case REFUND -> api.refund(token, restocks());
      case REQUEST_PART -> api.refund(request(PART, 1));
      case REQUEST_MORE -> api.refund(request(FURTHER_PART, wanted.qty()));
      case COMPLETE_PART ->
          api.refund(new RefundPart(token, PART, 0, RefundPart.Step.COMPLETE, 0, restocks()));
      case REJECT_PART -> api.refund(new RefundPart(token, PART, 0, RefundPart.Step.REJECT));
      case LOOK, ASK_AGAIN -> throw new IllegalArgumentException("Expected a command: " + step);
    };
  }

  /** A repeated refund may say another thing than the first one. */
  private boolean restocks() {
    return world.chance().of(wanted.toString(), "restock", asked).nextInt(2) == 0;
  }

  private RefundPart request(String id, int qty) {
    long skuId = wanted.isCart() ? wanted.lastSku() : 0;
    return new RefundPart(token, id, qty, RefundPart.Step.REQUEST, skuId);
  }

  private void look() {
    Duration wait = Duration.ofMillis(draws.nextInt(2) * draws.nextLong(2_000));
    front.ask(wanted.toString(), ++asked, api -> api.find(token, wait), any -> later(this::next));
  }

  /**
   * Repeats the command until it is decided (200 or 409); a 202 is followed up by repeating it,
   * too.
   */
  private void command(Step step) {
    front.<CommandAnswer>ask(
        wanted.toString(),
        ++asked,
        api -> commanded(api, step),
        answer -> {
          boolean done = answer.isPresent() && answer.get() instanceof CommandAnswer.Done;
          boolean lost = answer.isPresent() && answer.get() instanceof CommandAnswer.Conflict;
          paid |= done && (step == Step.CONFIRM || step == Step.PAY);
          if (done || lost) {
            later(this::next);
          } else if (world.restored().hasForgotten(token)) {
            onEnd.run();
          } else {
            later(() -> command(step));
          }
        });
  }

  private void meanwhile(Function<ApiNode, Future<CommandAnswer>> what) {
    front.ask(wanted.toString(), ++asked, what, any -> {});
  }

  private void later(Runnable what) {
    int times = draws.nextInt(10) == 0 ? 20 : 1;
    world.scheduler().after(draws.nextLong(times * PAUSE_US), what);
  }
}
