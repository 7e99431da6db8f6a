package io.sluice.explore.check;

import io.sluice.explore.actor.Buyer;
import io.sluice.explore.run.World;
import io.sluice.grant.PlacedOrder;
import io.sluice.model.Order;
import io.sluice.model.OrderToken;
import io.sluice.model.Refusal;
import io.sluice.order.CommandAnswer;
import io.sluice.order.OrderAnswer;
import io.sluice.stock.StockStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** The answers to buyers and payers, from the moment an instance gives them, received or not. */
public final class AnswerLog {

  /** A 2xx to a request for an order. */
  record Yes(Buyer.OrderRequest wanted, Order order, boolean fresh, long atUs) {}

  /** An answer to a command, which is named with the payment or refund that it is about. */
  record Outcome(String command, OrderToken token, CommandAnswer answer, long atUs) {
    String verb() {
      return command.split(" ")[0];
    }

    /** The payment or refund; where there is none, empty. */
    String subject() {
      return command.substring(verb().length()).trim();
    }
  }

  /** An order that was shown. */
  record Shown(Order order, long atUs) {}

  /** A unit that returns while its bucket is sold out counts as free when that lease is over. */
  private static final long RETURNING_US = StockStore.SOLD_OUT_MAX_MS * 1_000L;

  private final Map<Asked.InSale, List<Yes>> yeses = new LinkedHashMap<>();
  private final Map<OrderToken, Buyer.OrderRequest> known = new LinkedHashMap<>();
  private final Map<OrderToken, Long> freshSinceUs = new LinkedHashMap<>();
  private final Map<OrderToken, Long> payableUntilUs = new HashMap<>();
  private final List<Outcome> outcomes = new ArrayList<>();
  private final List<Shown> shown = new ArrayList<>();
  private int refusals;

  /** Called when an instance gets this request. */
  public Asked asked(Buyer.OrderRequest wanted, World world) {
    boolean toldYes = yeses.containsKey(Asked.InSale.now(wanted, world));
    return new Asked(wanted, world.scheduler().nowUs(), Asked.skus(wanted, world), toldYes);
  }

  public void placed(Asked asked, PlacedOrder answer, World world) {
    Buyer.OrderRequest wanted = asked.wanted();
    EndedSkus.check(asked, answer, world);
    if (!(answer instanceof PlacedOrder.Accepted accepted)) {
      refusals++;
      checkNo(asked, (PlacedOrder.Refused) answer, world);
      return;
    }
    Yes yes = new Yes(wanted, accepted.order(), accepted.fresh(), world.scheduler().nowUs());
    List<Yes> before =
        yeses.computeIfAbsent(Asked.InSale.of(wanted, yes.order()), first -> new ArrayList<>());
    before.add(yes);
    known.put(yes.order().token(), wanted);
    if (yes.fresh()) {
      freshSinceUs.putIfAbsent(yes.order().token(), asked.atUs());
    }
    Yes first = before.get(0);
    if (!isSame(first.order(), yes.order()) && !isExcused(first, world)) {
      world.breach(
          "P4 one answer per request key",
          "Expected " + first.order() + " again, but " + wanted + " was answered " + yes.order());
    }
  }

  private static boolean isExcused(Yes yes, World world) {
    return world.restored().excuses(yes.order().token(), yes.atUs());
  }

  private void checkNo(Asked asked, PlacedOrder.Refused no, World world) {
    Buyer.OrderRequest wanted = asked.wanted();
    boolean mayBeNew = world.scenario().ends() && world.invariants().areNew(asked);
    boolean isExcused =
        yeses.getOrDefault(Asked.InSale.now(wanted, world), List.of()).stream()
            .anyMatch(yes -> isExcused(yes, world));
    if (asked.toldYes() && asked.isOfNow(world) && !mayBeNew && !isExcused) {
      checkNoAgain(wanted, no, world);
    }
    if (no.refusal() != Refusal.SOLD_OUT) {
      return;
    }
    long skuId = no.skuId() == 0 ? wanted.skuIds().get(0) : no.skuId();
    FreeUnits free = world.invariants().freeUnits();
    Supplier<String> detail = () -> "Expected units for " + wanted + ", but got " + no;
    if (free.wereInABucketSince(skuId, wanted.qty(), asked.atUs() - RETURNING_US)) {
      world.breach("P7 a no is honest", detail.get());
    }
    if (wanted.qty() == 1 && free.wereSomewhereSince(skuId, asked.atUs(), RETURNING_US)) {
      world.breach("P9 any unit reaches any buyer", detail.get());
    }
  }

  /** Orders granted by their first request, with the earliest time of the grant. */
  Map<OrderToken, Long> freshSinceUs() {
    return freshSinceUs;
  }

  /** An instance has told that there is time to pay until then, at least. */
  public void extended(OrderToken token, long untilUs) {
    payableUntilUs.merge(token, untilUs, Math::max);
  }

  /** Until when there is time to pay an order whose time was extended; 0 for others. */
  long payableUntilUs(OrderToken token) {
    return payableUntilUs.getOrDefault(token, 0L);
  }

  /** Checks a refusal of a request that was sent after a yes to the same one. */
  private static void checkNoAgain(Buyer.OrderRequest wanted, PlacedOrder.Refused no, World world) {
    if (no.refusal() != Refusal.UNAVAILABLE
        && no.refusal() != Refusal.BUSY
        && no.refusal() != Refusal.ORDER_ENDED) {
      world.breach(
          "P4 a repeated request gets its order",
          "Expected the order of " + wanted + ", but it was answered " + no);
    }
  }

  private static boolean isSame(Order one, Order other) {
    return one.token().equals(other.token())
        && one.qty() == other.qty()
        && one.seq() == other.seq()
        && one.epoch() == other.epoch()
        && linesOf(one).equals(linesOf(other));
  }

  /** What was granted of several SKUs; empty where it is one. */
  static String linesOf(Order order) {
    return order.cart() == null ? "" : order.cart().text();
  }

  public void commanded(
      String command, OrderToken token, CommandAnswer answer, long askedUs, World world) {
    Outcome outcome = new Outcome(command, token, answer, world.scheduler().nowUs());
    outcomes.add(outcome);
    Promises.checkTold(outcome, world);
    world.sights().saw(command + " is told " + answer.getClass().getSimpleName());
    if (answer instanceof CommandAnswer.Unknown) {
      forgot(token, askedUs, world);
    }
  }

  public void shown(OrderToken token, OrderAnswer answer, long askedUs, World world) {
    if (answer instanceof OrderAnswer.Unknown) {
      forgot(token, askedUs, world);
    } else if (answer instanceof OrderAnswer.Known found) {
      shown.add(new Shown(found.order(), world.scheduler().nowUs()));
    }
  }

  private void forgot(OrderToken token, long askedUs, World world) {
    if (known.containsKey(token) && !world.restored().mayForget(token, askedUs)) {
      world.breach(
          "P2 a yes is durable", "Expected to know " + token + ", but it was answered 404");
    }
  }

  boolean hasYes(OrderToken token) {
    return known.containsKey(token);
  }

  List<Yes> yeses() {
    return yeses.values().stream().flatMap(List::stream).toList();
  }

  public int wishesGranted() {
    return yeses.size();
  }

  public int refusals() {
    return refusals;
  }

  List<Outcome> outcomes() {
    return outcomes;
  }

  List<Shown> shown() {
    return shown;
  }
}
