package io.sluice.testkit.site;

import io.sluice.model.BucketId;
import io.sluice.testkit.mysql.LedgerReader.Stock;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/** Waits until nothing is in flight at a site, then checks the {@link Promises}. */
final class PromiseCheck {
  private static final Duration POLL = Duration.ofMillis(50);

  /** The books are read one after the other, so no order may time out while they are read. */
  private static final Duration READING_MAX = Duration.ofSeconds(8);

  private static final int TRIES_MAX = 3;
  private static final int READERS = 8;

  private final SaleSite site;
  private final Duration settleLimit;
  private List<String> unsettled = List.of("not checked yet");

  PromiseCheck(SaleSite site, Duration settleLimit) {
    this.site = site;
    this.settleLimit = settleLimit;
  }

  void run() {
    site.stock().forgetPlaces();
    List<String> breaches = new ArrayList<>();
    List<JsonObject> uneven = List.of();
    // A rebuild may begin after its bucket was seen at rest. It must complete, too.
    for (int tries = 0; tries < TRIES_MAX && !isDecided(tries, uneven); tries++) {
      awaitSettled();
      breaches = new ArrayList<>();
      breaches.addAll(Promises.breaches(Books.of(site.ledger(), site.stock(), site.yeses())));
      uneven = shown().stream().filter(bucket -> !isEven(bucket)).toList();
    }
    for (JsonObject bucket : uneven) {
      breaches.add("P6: Redis and ledger of a bucket differ: " + bucket);
    }
    if (!breaches.isEmpty()) {
      throw new AssertionError("Promises were broken:\n  " + String.join("\n  ", breaches));
    }
  }

  private static boolean isDecided(int tries, List<JsonObject> uneven) {
    return tries > 0 && uneven.stream().allMatch(PromiseCheck::isOpen);
  }

  /**
   * All buckets that have not ended, as the management port shows them: Redis and ledger side by
   * side.
   */
  private List<JsonObject> shown() {
    List<Long> skus = site.ledger().view().stream().map(Stock::skuId).toList();
    if (skus.isEmpty()) {
      return List.of();
    }
    List<Answer> answers = site.crowd(READERS).send(skus.stream().map(this::reading).toList());
    List<JsonObject> all =
        IntStream.range(0, skus.size())
            .boxed()
            .flatMap(n -> shown(skus.get(n), answers.get(n)))
            .toList();
    // Read last: what has ended meanwhile may be shown as it was.
    Set<BucketId> ended =
        site.ledger().ended().stream()
            .map(bucket -> new BucketId(bucket.skuId(), bucket.bucket()))
            .collect(Collectors.toSet());
    return all.stream().filter(bucket -> !ended.contains(idOf(bucket))).toList();
  }

  private static BucketId idOf(JsonObject bucket) {
    return new BucketId(bucket.getLong("sku_id"), bucket.getInteger("bucket", -1));
  }

  private Supplier<Future<Answer>> reading(long skuId) {
    Call call = Call.get(site.next().adminUrl() + "/admin/skus/" + skuId);
    return () -> site.http().send(call);
  }

  private static Stream<JsonObject> shown(long skuId, Answer answer) {
    return answer.status() == 200
        ? answer.json().getJsonArray("per_bucket").stream()
            .map(JsonObject.class::cast)
            .map(bucket -> bucket.put("sku_id", skuId))
        : Stream.of(new JsonObject().put("sku_id", skuId).put("answer", answer.brief()));
  }

  /** Of a bucket that is in the ledger alone. */
  private static boolean isDirect(JsonObject bucket) {
    return bucket.containsKey("partition") && bucket.getValue("partition") == null;
  }

  private static boolean isOpen(JsonObject bucket) {
    return isDirect(bucket)
        || "OK".equals(bucket.getJsonObject("redis", new JsonObject()).getString("code"));
  }

  private static boolean isEven(JsonObject bucket) {
    if (!isOpen(bucket)) {
      return false; // and of an answer that is not 200 nothing is known
    }
    if (isDirect(bucket)) {
      return Long.valueOf(0).equals(bucket.getLong("drift"));
    }
    Long inRedis = bucket.getJsonObject("redis").getLong("available");
    return inRedis != null
        && inRedis.equals(bucket.getJsonObject("ledger").getLong("available"))
        && Long.valueOf(0).equals(bucket.getLong("in_flight"))
        && Long.valueOf(0).equals(bucket.getLong("drift"));
  }

  private void awaitSettled() {
    try {
      Awaitility.await()
          .atMost(settleLimit)
          .pollInterval(POLL)
          .until(
              () -> {
                unsettled = unsettled();
                return unsettled.isEmpty();
              });
    } catch (ConditionTimeoutException e) {
      throw new AssertionError(
          "P3: still in flight after %s:%n  %s"
              .formatted(settleLimit, String.join("\n  ", unsettled)),
          e);
    }
  }

  private List<String> unsettled() {
    var reasons = new ArrayList<String>();
    // Read first: the effects of all time-outs before this moment are then visible in the reads
    // below.
    addIfAny(reasons, site.ledger().holdsEnding(READING_MAX), "holds have ended, or end soon");
    if (!site.setting("SLUICE_REDIS_URI").isEmpty()) {
      addIfNotBooked(reasons);
    }
    addIfAny(reasons, site.ledger().outboxPending(), "outbox rows are PENDING");
    for (Stock bucket : site.ledger().counters()) {
      long unbooked = site.stock().unbooked(bucket.skuId(), bucket.bucket());
      addIfAny(reasons, unbooked, "grants are unbooked in " + bucket);
    }
    if (reasons.isEmpty()) {
      shown().stream()
          .filter(bucket -> !isOpen(bucket))
          .forEach(shut -> reasons.add("not open: " + shut));
    }
    return reasons;
  }

  private void addIfNotBooked(List<String> reasons) {
    Map<Integer, Long> booked = site.ledger().nextOffsets();
    Map<Integer, Long> ends = site.topics().endOffsets(site.ordersTopic());
    if (ends.size() != site.partitions() || !booked.equals(ends)) {
      reasons.add("the log ends at %s, but is booked up to %s".formatted(ends, booked));
    }
  }

  private static void addIfAny(List<String> reasons, long count, String what) {
    if (count != 0) {
      reasons.add(count + " " + what);
    }
  }
}
