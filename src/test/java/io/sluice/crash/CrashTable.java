package io.sluice.crash;

import static io.sluice.crash.Scene.*;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;

/** All steps at which an instance is killed, each with the scene that leads there. */
final class CrashTable {
  /** A step such as {@code stock.reserve:after}. */
  record Point(String step, Scene scene) {
    /** The call that the step belongs to. */
    String call() {
      return step.split("[:/]")[0];
    }

    boolean isInTransaction() {
      return step.contains("/");
    }

    @Override
    public String toString() {
      return step;
    }
  }

  /** Calls at which no instance is killed, and why. */
  static final Map<String, String> WITHOUT = new TreeMap<>();

  static {
    without("called by an operator, one statement; repeated, it returns the state", "ledger.reset");
    without(
        "called by an operator, one transaction; repeated, it returns the state",
        "ledger.skipLost");
    without("one transaction, before a request that is repeated", "direct.gather");
    without("one statement under a lock; repeated by anybody", "direct.keepReading");
    without("the transaction of ledger.crossMarks", "direct.crossMarks");
    without("two transactions, each repeated by anybody", "direct.endBucket");
    without("called only where there is no order log", "direct.numberEvents", "direct.purgeEvents");
    without(
        "writes nothing",
        "direct.events",
        "direct.eventNumbers",
        "ledger.rehearse",
        "blacklist.find",
        "history.story",
        "history.page",
        "history.pageOfSale",
        "history.lookUp",
        "history.granted",
        "history.ended",
        "history.intervals",
        "history.incidents",
        "webhooks.webhooks",
        "webhooks.counts",
        "webhooks.deliveries",
        "webhooks.parkedOf",
        "webhooks.due",
        "sales.sale",
        "sales.sales",
        "sales.job",
        "sales.jobs",
        "sales.totals",
        "sales.members",
        "stock.answers");
    without("writes nothing, and is called only after an outage", "ledger.longestWindowMs");
    without("writes nothing; called by owners that lag, and by rebuilds", "log.beginOffset");
    without("one transaction, asked for again by the next command that needs it", "ledger.raise");
    without("writes nothing; called before grants that are made after it", "log.room");
    without(
        "called only after an inconsistency, and an operator has to resolve it",
        "ledger.freezeSku");
    without(
        "one transaction, called only while a bucket is shut; without it all is sent again",
        "ledger.keepRest");
    without("writes nothing; called by rebuilds after a restore", "ledger.bucketsOf");
    without("the transaction of skus.change, a minute later once more", "ledger.endClosed");
    without("writes nothing; asked again a second later", "ledger.markedStocks");
    without("writes nothing; asked again by the next owner", "stock.hasAny");
    without(
        "ArchiveKillsIT kills the one owner that calls it",
        "ledger.archiveNext",
        "ledger.forgetNext");
    without(
        "of a job, whose page is done again, which changes nothing; its lease ends",
        "sales.takeJob",
        "sales.saveJob");
    without(
        "called by an operator, one transaction; repeated, the same",
        "sales.startJob",
        "sales.stopJob",
        "skus.archive",
        "skus.forget",
        "blacklist.put",
        "blacklist.lift");
    without(
        "WebhookIT kills the instance that sends; a page is sent again, under the same ids",
        "webhooks.lease",
        "webhooks.release",
        "webhooks.advance",
        "webhooks.settle",
        "webhooks.stop");
    without(
        "called by an operator, one transaction, or steps; repeated, the same",
        "skus.delete",
        "sales.delete",
        "webhooks.put",
        "webhooks.delete",
        "webhooks.replay");
    without("one statement; repeated by anybody", "webhooks.purge");
    without("writes nothing, and its sums die with the process", "ledger.mark", "ledger.sum");
    without(
        "one transaction; the buyer who killed it begins with an empty window, as after any start",
        "blacklist.ban");
    without("counters for people; those of the last seconds may be lost", "history.keep");
    without("for people; those of the last seconds may be lost", "history.keepIncidents");
    without("two statements, which delete what is old; repeated", "history.forget");
    without("the transaction of sales.change, seconds later once more", "sales.endClosed");
    without(
        "writes nothing, and its copy dies with the process", "blacklist.changes", "stock.tokens");
    without("one statement, which deletes what has no effect", "blacklist.purge");
    without("reads a clock", "stock.nowMs");
    without("reads clocks", "stock.clocks");
    without("writes nothing; called only where grants were dropped", "stock.history");
    without("writes nothing; called only by an instance that is cut off", "consumer.hasOthers");
    without("writes nothing; called only by an instance that starts", "consumer.settledShare");
    without("kill -9 has the same effect", "stock.close");
    without("writes nothing; called only while somebody watches the live page", "stock.memory");
    without(
        "has no effect that outlives the process",
        "stock.start",
        "stock.startFor",
        "consumer.assignedAfterNextPoll");
  }

  private static void without(String reason, String... calls) {
    Stream.of(calls).forEach(call -> WITHOUT.put(call, reason));
  }

  private static final List<String> MOMENTS = List.of(":before", ":sent", ":after");

  /** Whether all points are used instead of a choice. */
  static final boolean WHOLE = "all".equals(System.getProperty("sluice.crash"));

  /** The seed of the choice. */
  static final long SEED = Long.getLong("sluice.seed", System.nanoTime());

  /** The names of the scenes that are played; empty for a choice. */
  private static final String SCENES = System.getProperty("sluice.scenes", "");

  /** How many points of a scene are chosen: the instances that one round kills. */
  static final int CHOSEN_MAX = 2;

  static final List<Point> ALL = all();

  private CrashTable() {}

  /** Says in the output what repeats this choice. */
  static void printSeed() {
    System.out.println("crash points: sluice.seed=" + SEED);
  }

  private static List<Point> all() {
    List<Point> points = new ArrayList<>();
    calls(points, IDLE, "ledger.glance", "ledger.nowMs", "ledger.due", "ledger.buckets");
    calls(points, IDLE, "ledger.openRequests", "log.endOffset", "stock.snapshot");
    calls(points, IDLE, "stock.stamp", "sales.behind");
    // Not called while nothing happens.
    calls(points, ORDER, "ledger.longestSettings", "stock.areQuiet", "ledger.pending");
    calls(points, IDLE, "ledger.purge", "ledger.purgeRequests", "ledger.audit");
    calls(points, ORDER, "ledger.noteSent");
    within(points, ORDER, "ledger.noteSent", "insert_lookups", "delete_outbox");
    calls(points, START, "consumer.start", "ledger.takeOver", "consumer.startAt");
    within(points, START, "ledger.takeOver", "raise_term", "commit");
    calls(points, START, "ledger.reading");
    calls(points, REBUILD, "ledger.hasLost");
    calls(points, IDLE, "ledger.keepReading");
    within(points, IDLE, "ledger.keepReading", "lock_fence", "keep_reading", "commit");
    calls(points, ORDER, "skus.skus", "stock.reserve", "log.append", "ledger.apply", "stock.book");
    calls(points, ORDER, "events.publish", "ledger.sent", "ledger.fences");
    within(points, ORDER, "ledger.apply", "lock_fences", "advance_fences", "lock_buckets");
    within(points, ORDER, "ledger.apply", "insert_holds", "update_counters");
    within(points, ORDER, "ledger.apply", "insert_outbox", "commit");
    calls(points, PAST_LOG, "ledger.book");
    within(points, PAST_LOG, "ledger.book", "insert_holds", "update_counters", "commit");
    calls(points, SWEEP, "stock.overdue");
    calls(points, STATUS, "stock.lookup", "ledger.orders");
    calls(points, COMMANDS, "stock.release");
    // New orders are not looked for: a batch of grants alone may never take the first step.
    within(points, COMMANDS, "ledger.apply", "read_orders", "insert_moves");
    within(points, COMMANDS, "ledger.apply", "read_notes", "insert_notes");
    within(points, TIMEOUT, "ledger.apply", "lock_fences");
    calls(points, RESTOCK, "skus.restock", "stock.restock");
    within(points, RESTOCK, "skus.restock", "insert_restock", "change_allotment", "commit");
    calls(points, TAKE_BACK, "stock.take", "ledger.finishTake");
    within(points, TAKE_BACK, "skus.restock", "insert_restock_parts");
    within(points, TAKE_BACK, "ledger.finishTake", "change_allotment", "mark_sent", "commit");
    calls(points, TAKE_TOO_MUCH, "ledger.refuseTake");
    within(points, TAKE_TOO_MUCH, "ledger.refuseTake", "end_restock_part", "commit");
    calls(points, MOVE, "skus.borrow", "ledger.lend", "stock.soldOut");
    within(points, MOVE, "skus.borrow", "insert_requests", "commit");
    within(points, MOVE, "ledger.lend", "serve_request", "insert_outbox", "commit");
    within(points, MOVE, "ledger.finishTake", "change_allotment", "close_served", "commit");
    calls(points, CREATE, "skus.put", "skus.bucketsOf");
    within(points, CREATE, "skus.put", "insert_skus", "insert_buckets", "insert_restock_rows");
    within(points, CREATE, "skus.put", "insert_requests", "commit");
    within(points, OTHER_TOTAL, "skus.put", "update_skus", "insert_restock_parts", "commit");
    within(points, OTHER_TOTAL, "skus.put", "change_allotment");
    within(points, OTHER_TOTAL, "ledger.finishTake", "update_skus");
    calls(points, CREATE_SALE, "sales.put", "sales.skusOf");
    within(points, CREATE_SALE, "sales.put", "insert_sale", "insert_skus", "insert_requests");
    within(points, CREATE_SALE, "sales.put", "commit");
    calls(points, CHANGE_SALE, "sales.change", "sales.takeOver");
    within(points, CHANGE_SALE, "sales.change", "update_sale", "commit");
    within(points, CHANGE_SALE, "sales.takeOver", "update_skus", "insert_outbox", "commit");
    calls(points, CHANGE_STATE, "skus.change");
    within(points, CHANGE_STATE, "skus.change", "update_skus", "raise_versions", "commit");
    calls(points, REBUILD, "skus.sku", "skus.request", "ledger.bucket", "stock.freeze");
    calls(points, REBUILD, "ledger.raiseEpoch");
    calls(points, REBUILD, "stock.replicaLag");
    calls(points, REBUILD, "stock.load", "ledger.loadRows", "stock.loadPage", "stock.open");
    calls(points, REBUILD, "ledger.answerRequests", "skus.answer");
    within(points, REBUILD, "ledger.raiseEpoch", "raise_epoch", "commit");
    within(points, REBUILD, "skus.request", "insert_requests");
    calls(points, RECONCILE, "skus.requestReconcile", "ledger.compare", "ledger.reported");
    calls(points, RECONCILE, "skus.reports", "ledger.corrections");
    within(points, RECONCILE, "ledger.compare", "lock_fence", "commit");
    calls(points, DRIFT, "ledger.correct");
    within(points, DRIFT, "ledger.correct", "insert_correction", "commit");
    calls(points, START, "ledger.goneBuckets");
    calls(points, END_OF_SKU, "stock.unload");
    within(points, END_OF_SKU, "ledger.raiseEpoch", "end_bucket", "count_unended", "update_skus");
    within(points, END_OF_SKU, "ledger.raiseEpoch", "commit");
    within(points, END_OF_SKU, "skus.change", "find_restocking");
    calls(points, END_OF_SALE, "sales.change", "sales.takeOver", "sales.archive");
    within(points, END_OF_SALE, "sales.change", "update_sale");
    // Its SKUs close, then they end, then it has ended, then they are archived, then it is.
    within(points, END_OF_SALE, "sales.takeOver", "update_skus", "raise_versions");
    within(points, END_OF_SALE, "sales.takeOver", "insert_outbox", "list_skus_to_end");
    within(points, END_OF_SALE, "sales.takeOver", "count_skus_ahead");
    within(points, END_OF_SALE, "sales.takeOver", "note_taken_over", "ask_archive", "commit");
    within(points, END_OF_SALE, "sales.archive", "commit");
    calls(points, NEXT_SALE, "sales.put");
    within(points, NEXT_SALE, "sales.put", "lock_ended_buckets", "rejoin_skus", "rejoin_buckets");
    within(points, NEXT_SALE, "sales.put", "insert_restock_rows", "insert_restock");
    within(points, NEXT_SALE, "sales.put", "insert_requests", "commit");
    calls(points, NEXT_SALE, "stock.freeze", "stock.load", "stock.open", "ledger.answerRequests");
    calls(points, END_OF_CARTS, "sales.takeOver", "stock.freeze", "stock.unload");
    within(points, END_OF_CARTS, "ledger.raiseEpoch", "end_bucket", "update_skus", "commit");
    calls(points, NEXT_CARTS, "sales.put", "stock.open");
    within(points, NEXT_CARTS, "sales.put", "rejoin_buckets", "insert_requests", "commit");
    within(points, LATE_REFUND, "ledger.apply", "list_rejoined_skus", "insert_restock_rows");
    within(points, LATE_REFUND, "ledger.apply", "lower_total");
    calls(points, CROSSING, "ledger.crossMarks");
    within(points, CROSSING, "ledger.crossMarks", "keep_watermarks", "insert_outbox", "commit");
    calls(points, CARTS, "stock.reserveCarts", "log.append", "ledger.apply", "stock.release");
    within(points, CARTS, "ledger.apply", "lock_buckets", "insert_holds", "insert_moves");
    within(points, CARTS, "ledger.apply", "insert_notes", "update_counters", "insert_outbox");
    within(points, CARTS, "ledger.apply", "commit");
    calls(points, CART_PAST_LOG, "ledger.book");
    within(points, CART_PAST_LOG, "ledger.book", "insert_holds", "update_counters", "commit");
    calls(points, CART_SWEEP, "stock.overdue");
    calls(points, CART_REBUILD, "ledger.ofSameSale", "stock.freeze", "ledger.raiseEpoch");
    calls(points, CART_REBUILD, "stock.open");
    within(points, CART_REBUILD, "ledger.raiseEpoch", "commit");
    calls(points, LEDGER_ALONE, "direct.place", "direct.apply");
    within(points, LEDGER_ALONE, "direct.place", "lock_buckets", "insert_holds", "update_counters");
    within(points, LEDGER_ALONE, "direct.place", "insert_outbox", "insert_direct_holds", "commit");
    within(points, LEDGER_ALONE, "direct.apply", "insert_moves", "update_counters", "commit");
    calls(points, LOOK, "skus.audit");
    calls(points, POISON, "events.deadLetter");
    points.add(new Point("consumer.close:before", END));
    points.add(new Point("consumer.close:after", END));
    return List.copyOf(points);
  }

  private static void calls(List<Point> points, Scene scene, String... calls) {
    Stream.of(calls)
        .flatMap(call -> MOMENTS.stream().map(moment -> new Point(call + moment, scene)))
        .forEach(points::add);
  }

  private static void within(List<Point> points, Scene scene, String call, String... statements) {
    Stream.of(statements)
        .map(statement -> new Point(call + "/" + statement, scene))
        .forEach(points::add);
  }

  /**
   * The scenes that are played: those of {@code -Dsluice.scenes=CARTS,MOVE}, all, or a third of
   * them.
   */
  static List<Scene> scenes(boolean all, Random chance) {
    if (!SCENES.isEmpty()) {
      return Stream.of(SCENES.split(",")).map(Scene::valueOf).toList();
    }
    List<Scene> scenes = new ArrayList<>(List.of(Scene.values()));
    if (all) {
      return scenes;
    }
    Collections.shuffle(scenes, chance);
    return scenes.subList(0, (scenes.size() + 2) / 3);
  }

  /** The points of a scene: all, or a few, of different calls or transactions. */
  static List<Point> of(Scene scene, boolean all, Random chance) {
    List<Point> points = new ArrayList<>(ALL.stream().filter(p -> p.scene() == scene).toList());
    if (all) {
      return points;
    }
    Collections.shuffle(points, chance);
    List<Point> chosen = new ArrayList<>();
    for (Point point : points) {
      boolean isNew =
          chosen.stream()
              .noneMatch(
                  other ->
                      other.call().equals(point.call())
                          && other.isInTransaction() == point.isInTransaction());
      if (isNew && chosen.size() < CHOSEN_MAX) {
        chosen.add(point);
      }
    }
    return chosen;
  }
}
