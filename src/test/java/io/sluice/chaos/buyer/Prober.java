package io.sluice.chaos.buyer;

import io.sluice.chaos.buyer.Goods.Item;
import io.sluice.chaos.buyer.OrderStory.Ask;
import io.sluice.chaos.buyer.OrderStory.OrderRequest;
import io.sluice.chaos.fault.Targets;
import io.sluice.testkit.mysql.LedgerReader;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;

/**
 * Places an order at each instance for each partition twice a second during the whole run. Which of
 * them were granted and booked, and when, measures the time to recover.
 */
public final class Prober {
  /** A probe that got its yes. */
  record Probe(int instance, int partition, long sentMs, String token) {}

  /** The same, with the time at which the ledger had it. */
  public record Booked(int instance, int partition, long sentMs, long bookedMs) {}

  /** The probes have a SKU of their own, which is small. */
  private static final String LATELY_BOOKED =
      """
      SELECT order_token, created_at
      FROM stock_txn
      WHERE sku_id = ? AND action = 'HOLD'""";

  private static final int EVERY_MS = 500;
  private static final int CANDIDATES = 64;
  private static final Duration LIMIT = Duration.ofSeconds(2);
  private static final Duration LEARN_LIMIT = Duration.ofSeconds(30);

  private final Client client;
  private final Item item;
  private final LedgerReader ledger;
  private final AtomicLong number = new AtomicLong();
  private final Queue<Probe> probes = new ConcurrentLinkedQueue<>();
  private final Map<Integer, String> userOf = new TreeMap<>();
  private volatile boolean coming;

  public Prober(Client client, Item item, LedgerReader ledger) {
    this.client = client;
    this.item = item;
    this.ledger = ledger;
  }

  /**
   * Finds a buyer for each partition: the buyer determines the bucket, the bucket the partition.
   */
  public void learn(int partitions) {
    for (int i = 0; i < CANDIDATES; i++) {
      probe(0, -1, "prober-" + i);
    }
    Awaitility.await()
        .atMost(LEARN_LIMIT)
        .until(
            () -> {
              ledger
                  .query(
                      "SELECT partition_id, MIN(user_id) FROM orders WHERE sku_id = ?"
                          + " GROUP BY partition_id",
                      row -> Map.entry(row.getInteger(0), row.getString(1)),
                      item.skuId())
                  .forEach(found -> userOf.put(found.getKey(), found.getValue()));
              return userOf.size() == partitions;
            });
  }

  public void come(Vertx vertx) {
    coming = true;
    vertx.setPeriodic(
        EVERY_MS,
        timer -> {
          if (!coming) {
            vertx.cancelTimer(timer);
            return;
          }
          for (int instance = 0; instance < Targets.INSTANCES; instance++) {
            int at = instance;
            userOf.forEach((partition, user) -> probe(at, partition, user));
          }
        });
  }

  public void stopComing() {
    coming = false;
  }

  /** The probes sent since then that got their yes and are in the ledger. */
  public List<Booked> booked(long sinceMs) {
    Map<String, Long> bookedMs =
        ledger
            .query(LATELY_BOOKED, row -> Map.entry(row.getString(0), row.getLong(1)), item.skuId())
            .stream()
            .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    var booked = new ArrayList<Booked>();
    for (Probe probe : probes) {
      Long atMs = bookedMs.get(probe.token());
      if (atMs != null && probe.partition() >= 0 && probe.sentMs() >= sinceMs) {
        booked.add(new Booked(probe.instance(), probe.partition(), probe.sentMs(), atMs));
      }
    }
    return booked;
  }

  private void probe(int instance, int partition, String user) {
    long sentMs = System.currentTimeMillis();
    OrderStory story =
        client.begin(new OrderRequest(item.skuId(), user, "probe-" + number.incrementAndGet(), 1));
    client
        .askAt(instance, story, Ask.PLACE, "", LIMIT)
        .onSuccess(
            told -> {
              if (told.isYes()) {
                probes.add(new Probe(instance, partition, sentMs, told.token()));
              }
            });
  }
}
