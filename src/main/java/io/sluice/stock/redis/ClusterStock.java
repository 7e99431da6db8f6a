package io.sluice.stock.redis;

import io.sluice.metrics.Meters;
import io.sluice.monitor.ConnectFault;
import io.sluice.monitor.ConnectFault.ConnectFailure;
import io.sluice.stock.StockConnection;
import io.sluice.stock.StockStore;
import io.sluice.stock.StockUnavailableException;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The stock in a Redis Cluster, over a connection to each primary. If a primary is lost, the calls
 * of its partitions fail, and no others. One that takes its place, or the slot, is another process:
 * a bucket there answers LOST, or ABSENT.
 */
public final class ClusterStock implements StockConnection {
  private static final Logger log = LoggerFactory.getLogger(ClusterStock.class);

  private static final StockUnavailableException NOT_CONNECTED =
      new StockUnavailableException("No primary of the cluster is connected", null);

  private final Vertx vertx;
  private final RedisConnector connector;
  private final ClusterTopology topology;
  private final Meters meters;

  /** Changed on one context, read on any. */
  private final Map<RedisAddress, RedisNode> nodes = new ConcurrentHashMap<>();

  private final Map<Integer, StockStore> stores = new ConcurrentHashMap<>();

  /** Of the owner that has this connection. A term is that of one owner. */
  private final AtomicLong freezes = new AtomicLong();

  /** The slot of the owner that has this connection; empty if all primaries are called. */
  private OptionalInt own = OptionalInt.empty();

  /** The slots that an owner calls: its own, and those of buckets to which units move. */
  private final Set<Integer> called = ConcurrentHashMap.newKeySet();

  private @Nullable ClusterMap map;
  private long followTimer = -1;
  private boolean closed;

  ClusterStock(Vertx vertx, RedisConnector connector, Meters meters) {
    this.vertx = vertx;
    this.connector = connector;
    this.topology = connector.cluster().orElseThrow();
    this.meters = meters;
  }

  @Override
  public StockStore at(int partition) {
    return stores.computeIfAbsent(partition, this::store);
  }

  private StockStore store(int partition) {
    int slot = StockKeys.slot(partition);
    return new RedisStockStore(() -> primary(partition, slot), freezes, partition);
  }

  /** The calls to the primary that has the slot by the map of now; null if none has. */
  private RedisNode.@Nullable Lane primary(int partition, int slot) {
    if (own.isPresent() && called.add(slot)) {
      map = null;
    }
    follow();
    RedisNode node = nodeOf(slot);
    return node == null ? null : node.of(partition);
  }

  private @Nullable RedisNode nodeOf(int slot) {
    ClusterMap now = map;
    RedisAddress address = now == null ? null : now.primaryOf(slot);
    return address == null ? null : nodes.get(address);
  }

  /** Takes over the map if another one was read, or another slot is called. */
  private void follow() {
    ClusterMap now = topology.map();
    if (now != null && now != map && !closed) {
      map = now;
      connectTo(own.isEmpty() ? now.primaries() : primaries(now, called));
    }
  }

  private static Collection<RedisAddress> primaries(ClusterMap map, Set<Integer> slots) {
    return slots.stream()
        .flatMap(slot -> Stream.ofNullable(map.primaryOf(slot)))
        .collect(Collectors.toSet());
  }

  private void connectTo(Collection<RedisAddress> primaries) {
    for (RedisAddress address : primaries) {
      if (!nodes.containsKey(address)) {
        RedisNode node = new RedisNode(vertx, connector.at(address), meters);
        nodes.put(address, node);
        node.start();
      }
    }
    for (Map.Entry<RedisAddress, RedisNode> known : List.copyOf(nodes.entrySet())) {
      if (!primaries.contains(known.getKey())) {
        nodes.remove(known.getKey());
        known.getValue().close();
      }
    }
  }

  @Override
  public Future<Void> startFor(int partition) {
    int slot = StockKeys.slot(partition);
    own = OptionalInt.of(slot);
    called.add(slot);
    return start();
  }

  /** Fails if a primary cannot be used at first; it is tried again all the same. */
  @Override
  public Future<Void> start() {
    Context context = vertx.getOrCreateContext();
    Promise<Void> started = Promise.promise();
    context.runOnContext(
        now -> {
          followTimer =
              vertx.setPeriodic(
                  ClusterTopology.AT_MOST_EVERY_MS,
                  tick -> {
                    topology.follow();
                    follow();
                  });
          connect().onComplete(started);
        });
    return started.future();
  }

  private Future<Void> connect() {
    return topology
        .read()
        .compose(
            read -> {
              follow();
              return Future.join(nodes.values().stream().map(RedisNode::started).toList())
                  .mapEmpty();
            });
  }

  @Override
  public Future<Void> close() {
    closed = true;
    vertx.cancelTimer(followTimer);
    List<Future<Void>> ended = nodes.values().stream().map(RedisNode::close).toList();
    nodes.clear();
    return Future.join(ended).mapEmpty();
  }

  /** Whether a primary can be called: its partitions can be granted from. Of an owner, its own. */
  @Override
  public boolean isUp() {
    if (own.isPresent()) {
      RedisNode node = nodeOf(own.getAsInt());
      return node != null && node.isUp();
    }
    return nodes.values().stream().anyMatch(RedisNode::isUp);
  }

  @Override
  public String outage() {
    ClusterMap now = topology.map();
    List<String> lacks = new ArrayList<>();
    String gone =
        nodes.entrySet().stream()
            .filter(node -> !node.getValue().isUp())
            .map(node -> node.getKey().toString())
            .sorted()
            .collect(Collectors.joining(", "));
    if (!gone.isEmpty()) {
      lacks.add("not connected to " + gone);
    }
    nodes.entrySet().stream()
        .filter(node -> node.getValue().isUp() && !node.getValue().outage().isEmpty())
        .map(node -> node.getKey() + ": " + node.getValue().outage())
        .sorted()
        .forEach(lacks::add);
    if (now != null && now.holes() > 0) {
      lacks.add("%d of %d slots have no primary".formatted(now.holes(), StockKeys.SLOTS));
    }
    return String.join("; ", lacks);
  }

  /** That of the primary whose memory is the fullest. */
  @Override
  public Future<Memory> memory() {
    return ofEach(node -> node.info().map(RedisInfo::memory))
        .map(
            all -> all.stream().max(Comparator.comparingDouble(ClusterStock::share)).orElseThrow());
  }

  private static double share(Memory memory) {
    return memory.maxBytes() > 0
        ? (double) memory.usedBytes() / memory.maxBytes()
        : memory.usedBytes() / (double) Long.MAX_VALUE;
  }

  @Override
  public Future<?> answers() {
    return clocks();
  }

  @Override
  public Future<List<Long>> clocks() {
    return ofEach(node -> node.send(Request.cmd(Command.TIME)).map(StockReplies::timeMs));
  }

  /** The answers of the primaries that answer; fails if none does. */
  private <T> Future<List<T>> ofEach(Function<RedisNode, Future<T>> question) {
    List<T> answers = new ArrayList<>();
    List<Future<T>> asked =
        nodes.values().stream()
            .filter(RedisNode::isUp)
            .map(node -> question.apply(node).onSuccess(answers::add))
            .toList();
    return Future.join(asked)
        .transform(
            all ->
                answers.isEmpty()
                    ? Future.failedFuture(NOT_CONNECTED)
                    : Future.succeededFuture(answers));
  }

  /**
   * Fails with a message for the operator if no primary can be reached, or one that can is not fit.
   * One that is lost must not keep an instance from starting: the others may have their sales.
   */
  static Future<Void> probe(RedisConnector connector) {
    return connector.cluster().orElseThrow().read().compose(map -> probe(connector, map));
  }

  private static Future<Void> probe(RedisConnector connector, ClusterMap map) {
    List<ConnectFailure> failures = new ArrayList<>();
    Collection<RedisAddress> primaries = map.primaries();
    List<Future<Void>> probes =
        primaries.stream()
            .map(
                address ->
                    RedisNode.probe(connector.at(address))
                        .onFailure(cause -> failures.add(named(address, cause))))
            .toList();
    return Future.join(probes).transform(all -> verdict(primaries.size(), failures));
  }

  static Future<Void> verdict(int primaries, List<ConnectFailure> failures) {
    if (primaries == 0) {
      return Future.failedFuture(
          new ConnectFailure(
              ConnectFault.UNFIT, "Expected a cluster with slots, but no primary has any"));
    }
    failures.forEach(
        failure ->
            log.atWarn()
                .addKeyValue("cause", failure.getMessage())
                .log("a primary of the cluster cannot be used"));
    return failures.stream()
        .filter(failure -> failure.connectFault() == ConnectFault.OTHER_LEDGER)
        .findFirst()
        .or(
            () ->
                failures.stream()
                    .filter(failure -> failure.connectFault() != ConnectFault.UNREACHABLE)
                    .findFirst())
        .or(() -> failures.stream().findFirst().filter(first -> failures.size() == primaries))
        .<Future<Void>>map(Future::failedFuture)
        .orElseGet(Future::succeededFuture);
  }

  private static ConnectFailure named(RedisAddress node, Throwable cause) {
    ConnectFailure failure = RedisFailures.classified(cause);
    return new ConnectFailure(
        failure.connectFault(), "node %s: %s".formatted(node, failure.getMessage()));
  }
}
