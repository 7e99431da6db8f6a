package io.sluice.chaos;

import io.sluice.chaos.buyer.Goods;
import io.sluice.chaos.buyer.Goods.Item;
import io.sluice.chaos.buyer.Listener;
import io.sluice.chaos.buyer.OrderStory;
import io.sluice.chaos.buyer.OrderStory.OrderRequest;
import io.sluice.chaos.buyer.Restocker;
import io.sluice.chaos.buyer.Seasons;
import io.sluice.chaos.buyer.Seasons.Season;
import io.sluice.chaos.check.BookedOrder;
import io.sluice.chaos.check.BookedOrder.Txn;
import io.sluice.chaos.check.CartCheck;
import io.sluice.chaos.check.EventCheck;
import io.sluice.chaos.check.History;
import io.sluice.chaos.check.HonestNo;
import io.sluice.chaos.check.LedgerReplay;
import io.sluice.chaos.check.SeasonBooks;
import io.sluice.chaos.check.SeasonCheck;
import io.sluice.chaos.check.StoryCheck;
import io.sluice.chaos.fault.ExpectedAlarms;
import io.sluice.chaos.fault.Rewinds;
import io.sluice.testkit.kafka.Topics.Entry;
import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Call;
import io.sluice.testkit.site.SaleSite;
import io.sluice.testkit.site.SluiceProcess;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/** Checks the state that a run left behind, once everything has settled. */
final class InvariantChecker {
  /**
   * Logged by frameworks, not by Sluice: when a process continues after SIGSTOP (its clock has
   * jumped), and when a connection is opened or closed while SIGTERM ends the event loops.
   */
  private static final String NOT_OURS =
      ".*(BlockedThreadChecker: Thread|rejectedExecution: Failed to submit) .*";

  private static final int STORIES_WITH_MOVES = 5_000;

  private static final Duration TAKEN_WITHIN = Duration.ofMinutes(4);
  private static final Duration LOOK_EVERY = Duration.ofSeconds(3);

  private final SaleSite site;
  private final Goods goods;
  private final List<OrderStory> stories;
  private final List<Txn> txns;

  /** Each line of a cart for itself. */
  private final Map<String, BookedOrder> orders;

  /** As callers know them. */
  private final Map<String, BookedOrder> wholes;

  /** A request that was repeated in the next sale of its SKU has a story for each. */
  private final SeasonBooks seasonal;

  private final EventCheck events;

  /** The events of topics that were deleted, which are not sent to targets any more. */
  private final List<Entry> formerEvents;

  private final Rewinds rewinds;
  private final ExpectedAlarms alarms;

  InvariantChecker(
      SaleSite site,
      Goods goods,
      List<OrderStory> stories,
      List<Entry> formerEvents,
      Rewinds rewinds,
      ExpectedAlarms alarms) {
    this.site = site;
    this.goods = goods;
    this.seasonal = SeasonBooks.of(site.ledger(), goods.seasonal().skuId());
    this.stories = stories.stream().flatMap(seasonal::parts).toList();
    this.txns = BookedOrder.txns(site.ledger());
    this.orders = BookedOrder.all(site.ledger(), txns);
    this.wholes = CartCheck.wholes(orders);
    this.rewinds = rewinds;
    this.alarms = alarms;
    this.formerEvents = formerEvents;
    this.events =
        new EventCheck(
            Stream.concat(formerEvents.stream(), site.topics().all(site.eventsTopic()).stream())
                .toList(),
            rewinds,
            this::isPlacedAnew);
  }

  void judge(Verdict verdict, Restocker restocker) {
    verdict.add(
        "Every yes has its order, none was rejected, and the answers agree with the orders",
        stories.size() + " requested orders, every answer about them",
        answers());
    verdict.add(
        "Orders whose answers were lost had been requested, and ended by themselves",
        wholes.size() + " orders",
        untold());
    verdict.add(
        "A cart is one order: its lines are booked, paid, ended and told together, or none",
        wholes.values().stream().filter(BookedOrder::isLine).count() + " carts",
        CartCheck.breaches(orders, remembered()));
    verdict.add(
        "Never oversold, at any moment; no buyer over the limit",
        txns.size() + " ledger rows replayed",
        LedgerReplay.breaches(txns, rewinds.remembered(orders), this::limitOf));
    verdict.add(
        "One history per bucket: no unit granted twice, a yes held once, no status revoked",
        orders.size() + " orders by epoch and seq, and their status changes",
        History.breaches(orders, txns, remembered(), told -> !rewinds.mayDeny(told)));
    long moved = movedUnits();
    verdict.add(
        "Units move to where buyers ask",
        moved + " units moved between buckets",
        // A restored ledger forgets moves, and gets so much room for its orders that none are
        // needed. Few buyers empty no bucket.
        moved > 0 || rewinds.isAny() || stories.size() < STORIES_WITH_MOVES
            ? List.of()
            : List.of("none has moved"));
    verdict.add(
        "Nobody hears sold-out while a unit is free in any bucket",
        goods.givenAway().stream().map(Item::name).toList() + ", of which no unit comes back",
        dishonestNos(restocker));
    Map<Long, Long> totals = restocker.totals();
    verdict.add("Totals equal the sum of the answered restocks", totals.toString(), totals(totals));
    verdict.add(
        "Events complete, and in the order of versions",
        "every version of every order",
        events(events));
    verdict.find(
        "Redis = ledger: reconciliation finds no drift, and corrected only what half a script has"
            + " left",
        "POST /admin/reconcile, GET /admin/drift",
        this::drift);
    verdict.find(
        "No answer 500, no stack trace, no error but the alarms that the faults must raise",
        "the logs of all instances",
        this::stackTraces);
  }

  /** The SKU that was sold in one sale after the other. */
  void judge(Verdict verdict, Seasons seasons) {
    long ended = seasons.seasons().stream().filter(Season::isOver).count();
    List<String> breaches =
        new ArrayList<>(SeasonCheck.breaches(seasonal, orders, txns, seasons.seasons()));
    breaches.addAll(
        SeasonCheck.refusals(seasonal, orders, stories, told -> !rewinds.mayDeny(told)));
    breaches.addAll(SeasonCheck.strange(seasons.heard()));
    if (ended < Seasons.SALES_MIN) {
      breaches.add("only %d have ended".formatted(ended));
    }
    verdict.add(
        "The sales of a SKU are apart: each has its orders, all are over before the next one",
        ended + " sales of one SKU, each ended for good before the next one",
        breaches);
  }

  /** The target of webhooks, which accepts all by now. */
  void judge(Verdict verdict, Listener listener) {
    List<String> breaches = untaken(listener);
    breaches.addAll(listener.faults());
    breaches.addAll(twice(listener.events()));
    verdict.add(
        "A target that refuses, hangs and is away takes each event of each order, once if it keeps"
            + " ids, in order",
        listener.toString(),
        breaches);
  }

  /** What it has not taken, or not in order, once it had the time. */
  private List<String> untaken(Listener listener) {
    var breaches = new ArrayList<String>();
    try {
      Awaitility.await()
          .atMost(TAKEN_WITHIN)
          .pollInterval(LOOK_EVERY)
          .until(
              () -> {
                listener.replay();
                breaches.clear();
                breaches.addAll(events(taken(listener)));
                return breaches.isEmpty();
              });
    } catch (ConditionTimeoutException e) {
      breaches.add("not within " + TAKEN_WITHIN);
    }
    return breaches;
  }

  /**
   * What it has taken, as a further partition of the topic. Where its events may have come from
   * several partitions each has one for itself, which says nothing of their order. A ledger that
   * was put back has forgotten what waited.
   */
  private EventCheck taken(Listener listener) {
    Stream<JsonObject> taken = listener.events().stream();
    Stream<JsonObject> ordered =
        rewinds.isAny() ? taken.sorted(Comparator.comparing(InvariantChecker::version)) : taken;
    return new EventCheck(
        Stream.concat(
                formerEvents.stream(),
                ordered.map(
                    event ->
                        new Entry(
                            isPlacedAnew(event.getLong("sku_id", 0L)) ? -1 - version(event) : -1,
                            0,
                            null,
                            event.encode())))
            .toList(),
        rewinds,
        skuId -> isPlacedAnew(skuId) || !formerEvents.isEmpty());
  }

  private static int version(JsonObject event) {
    return event.getInteger("version", 0);
  }

  private boolean isPlacedAnew(long skuId) {
    return skuId == goods.seasonal().skuId();
  }

  private static List<String> twice(List<JsonObject> taken) {
    return taken.stream()
        .filter(event -> event.containsKey("order_token"))
        .collect(
            Collectors.groupingBy(
                event ->
                    Stream.of("type", "order_token", "version", "line_sku_id")
                        .map(name -> name + " " + event.getValue(name))
                        .toList(),
                Collectors.counting()))
        .entrySet()
        .stream()
        .filter(event -> event.getValue() > 1)
        .map(event -> "under several ids: " + event)
        .toList();
  }

  private List<OrderStory> remembered() {
    return stories.stream().filter(story -> !rewinds.forgot(story)).toList();
  }

  private List<String> answers() {
    var breaches = new ArrayList<String>();
    for (OrderStory story : stories) {
      BookedOrder order = orderOf(story);
      int windowS = goods.of(story.wanted().skuId()).windowS();
      List<String> found = StoryCheck.breaches(story, order, windowS, rewinds);
      if (!found.isEmpty()) {
        breaches.add(found + "\n" + history(story, order));
      }
    }
    return breaches;
  }

  private BookedOrder orderOf(OrderStory story) {
    return story.tokens().isEmpty() ? null : wholes.get(story.tokens().get(0));
  }

  /**
   * Orders that no buyer was told of: each must have been requested by a buyer who got no answer,
   * and must have ended by itself.
   */
  private List<String> untold() {
    var told = stories.stream().flatMap(s -> s.tokens().stream()).collect(Collectors.toSet());
    Map<String, Integer> wishes = new HashMap<>();
    stories.stream()
        .filter(story -> story.tokens().isEmpty())
        .forEach(
            story -> wishes.merge(wisher(story.wanted()), ordersOf(story.wanted()), Integer::sum));
    var breaches = new ArrayList<String>();
    for (BookedOrder order : wholes.values()) {
      if (told.contains(order.token())) {
        continue;
      }
      String wisher = "%d %s".formatted(order.skuId(), order.userId());
      if (wishes.merge(wisher, -1, Integer::sum) < 0) {
        breaches.add("no buyer requested " + history(order));
      } else if (!endedByItself(order)) {
        breaches.add("no buyer was told of it, and it did not end by itself: " + history(order));
      }
    }
    return breaches;
  }

  private static String wisher(OrderRequest wanted) {
    return "%d %s".formatted(wanted.skuId(), wanted.userId());
  }

  /** A request may be an order in each sale of its SKU. */
  private int ordersOf(OrderRequest wanted) {
    return wanted.skuId() == seasonal.skuId() ? seasonal.sales().size() : 1;
  }

  private boolean endedByItself(BookedOrder order) {
    return goods.of(order.skuId()).windowS() == 0
        ? order.status().equals("CONFIRMED")
        : order.status().equals("CANCELED") && order.reason().equals("TIMEOUT");
  }

  private long limitOf(long skuId) {
    return goods.all().stream().filter(item -> item.skuId() == skuId).mapToLong(Item::limit).sum();
  }

  private long movedUnits() {
    return txns.stream()
        .filter(txn -> txn.token().startsWith("!move-") && txn.qty() > 0)
        .mapToLong(Txn::qty)
        .sum();
  }

  private List<String> dishonestNos(Restocker restocker) {
    return goods.givenAway().stream()
        .flatMap(
            item ->
                HonestNo.breaches(item.skuId(), item.firstStock(), stories, restocker.decided())
                    .stream())
        .toList();
  }

  private List<String> totals(Map<Long, Long> totals) {
    Map<Long, Long> ledger = site.ledger().totals();
    return totals.entrySet().stream()
        .filter(total -> !total.getValue().equals(ledger.get(total.getKey())))
        .map(
            total ->
                "%s by the answers, %s in the ledger".formatted(total, ledger.get(total.getKey())))
        .toList();
  }

  private List<String> events(EventCheck told) {
    var breaches = new ArrayList<String>();
    for (BookedOrder order : wholes.values()) {
      List<String> found = told.breaches(order);
      if (!found.isEmpty()) {
        breaches.add(found + " " + order + ", events " + told.of(order.token()));
      }
    }
    told.strangers(wholes).forEach(token -> breaches.add("events of no order: " + token));
    return breaches;
  }

  private List<String> drift() {
    SluiceProcess instance = site.instance(0);
    Answer now = site.http().ask(Call.post(instance.adminUrl() + "/admin/reconcile"));
    Answer ever = site.http().ask(Call.get(instance.adminUrl() + "/admin/drift"));
    var breaches = new ArrayList<String>();
    JsonArray reports = now.json().getJsonArray("reports");
    int drift =
        IntStream.range(0, reports.size())
            .map(i -> reports.getJsonObject(i).getInteger("drift"))
            .sum();
    if (now.status() != 200 || reports.size() != site.partitions() || drift != 0) {
      breaches.add("reconcile: " + now);
    }
    ever.json().getJsonArray("corrections").stream()
        .map(JsonObject.class::cast)
        .filter(correction -> !alarms.mayCorrect(Instant.parse(correction.getString("at"))))
        .forEach(correction -> breaches.add("corrected: " + correction));
    return breaches;
  }

  private List<String> stackTraces() {
    return site.instances().stream().flatMap(this::stackTraces).toList();
  }

  private Stream<String> stackTraces(SluiceProcess instance) {
    List<String> lines = instance.log().lines().toList();
    return IntStream.range(0, lines.size())
        .filter(i -> lines.get(i).matches(".* ERROR .*|.*\\| at .*|\\tat .*"))
        .filter(i -> !lines.get(i).matches(NOT_OURS) && !alarms.has(lines.get(i)))
        .filter(i -> i == 0 || !lines.get(i - 1).startsWith("\tat "))
        .mapToObj(i -> instance.name() + ": " + lines.get(i));
  }

  private String history(OrderStory story, BookedOrder order) {
    return "    " + story + (order == null ? "" : "\n    " + history(order));
  }

  private String history(BookedOrder order) {
    return order + ", events " + events.of(order.token());
  }
}
