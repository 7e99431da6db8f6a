package io.sluice.stock.redis;

import io.sluice.async.ContextDispatcher;
import io.sluice.async.SharedQuestion;
import io.sluice.monitor.ConnectFault;
import io.sluice.monitor.ConnectFault.ConnectFailure;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The map of a cluster, shared by all connections of an instance. All known nodes are asked: one
 * that was cut off still believes in the map of before, so the one with the highest epoch counts.
 *
 * <p>Read each second while it is followed, and at once when a call shows that it may be wrong, but
 * not more than once in {@link #AT_MOST_EVERY_MS}. May be called from any context.
 */
final class ClusterTopology {
  static final int AT_MOST_EVERY_MS = 200;

  /** If reading fails again and again. */
  static final int BACK_OFF_MAX_MS = 1_000;

  static final int FOLLOW_EVERY_MS = 1_000;

  /** After the first useful answer: one that hangs is not waited for. */
  static final int OTHERS_MS = 100;

  /** Beside the seeds. */
  static final int NODES_MAX = 64;

  private static final int GATHER_MS = 2;
  private static final Logger log = LoggerFactory.getLogger(ClusterTopology.class);

  private final Vertx vertx;
  private final RedisClients clients;
  private final Collection<RedisAddress> seeds;
  private final SharedQuestion<String, ClusterMap> question;
  private final AtomicBoolean doubted = new AtomicBoolean();
  private volatile @Nullable View known;
  private volatile long readNanos;
  private final Map<RedisAddress, KeptQuestion<View>> nodes = new LinkedHashMap<>();
  private int failures;

  /** Belongs to the context that creates it. */
  ClusterTopology(Vertx vertx, Collection<RedisAddress> seeds, RedisClients clients) {
    this.vertx = vertx;
    this.clients = clients;
    this.seeds = List.copyOf(seeds);
    ContextDispatcher home = ContextDispatcher.here(vertx);
    this.question =
        new SharedQuestion<>(SharedQuestion.same(() -> home.call(this::readInTurn)), GATHER_MS);
    this.readNanos = System.nanoTime() - TimeUnit.MILLISECONDS.toNanos(FOLLOW_EVERY_MS);
    askFrom(Set.of());
  }

  /** As it was read last; null before. */
  @Nullable ClusterMap map() {
    View view = known;
    return view == null ? null : view.map();
  }

  /** Reads the map. Fails if no node answers, with the most telling of their reasons. */
  Future<ClusterMap> read() {
    return question.ask("map");
  }

  /** A call has shown that the map may be wrong. */
  void doubt() {
    if (!doubted.getAndSet(true)) {
      read();
    }
  }

  /** Reads the map if it was not read for a second. */
  void follow() {
    if (System.nanoTime() - readNanos >= TimeUnit.MILLISECONDS.toNanos(FOLLOW_EVERY_MS)) {
      doubt();
    }
  }

  private Future<ClusterMap> readInTurn() {
    long restMs = Math.min(BACK_OFF_MAX_MS, (long) AT_MOST_EVERY_MS << Math.min(failures, 3));
    long sinceMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - readNanos);
    return sinceMs >= restMs
        ? readNow()
        : vertx.timer(restMs - sinceMs, TimeUnit.MILLISECONDS).compose(rested -> readNow());
  }

  private Future<ClusterMap> readNow() {
    doubted.set(false);
    readNanos = System.nanoTime();
    Census census = new Census(nodes.size());
    List.copyOf(nodes.values()).forEach(node -> node.ask().onComplete(census::count));
    return census
        .outcome
        .future()
        .map(this::adopt)
        .onSuccess(read -> failures = 0)
        .onFailure(cause -> failures++);
  }

  private ClusterMap adopt(Census census) {
    View best = census.best();
    View last = known;
    if (last != null && isStale(best, last, census)) {
      return last.map();
    }
    ClusterMap map = last != null && last.map().agreesWith(best.map()) ? last.map() : best.map();
    known = new View(map, best.serves(), best.epoch());
    if (last == null || !last.map().primaries().equals(best.map().primaries())) {
      log.atInfo()
          .addKeyValue("primaries", best.map().primaries())
          .addKeyValue("holes", best.map().holes())
          .addKeyValue("epoch", best.epoch())
          .log("cluster has these primaries");
    }
    askFrom(best.map().nodes());
    return map;
  }

  /** A lower epoch is believed only if no node is left that could know of a higher one. */
  private static boolean isStale(View best, View last, Census census) {
    return !best.serves() || (best.epoch() < last.epoch() && !census.isComplete());
  }

  private void askFrom(Collection<RedisAddress> told) {
    Set<RedisAddress> wanted = new LinkedHashSet<>(seeds);
    told.stream().limit(NODES_MAX).forEach(wanted::add);
    for (RedisAddress gone : new ArrayList<>(nodes.keySet())) {
      if (!wanted.contains(gone)) {
        nodes.remove(gone).close();
      }
    }
    wanted.forEach(address -> nodes.computeIfAbsent(address, this::questionTo));
  }

  private KeptQuestion<View> questionTo(RedisAddress address) {
    return new KeptQuestion<>(
        new KeptQuestion.Asked("node", address.toString(), () -> clients.client(address)),
        2 * clients.config().timeoutMs(),
        connection -> View.ask(connection, address));
  }

  /** The answers of all nodes, as far as they came in time. */
  private final class Census {
    private final Promise<Census> outcome = Promise.promise();
    private final List<View> views = new ArrayList<>();
    private final List<ConnectFailure> failed = new ArrayList<>();
    private final int expected;
    private boolean soonOver;

    Census(int expected) {
      this.expected = expected;
    }

    void count(@Nullable View view, @Nullable Throwable failure) {
      if (view != null) {
        views.add(view);
      } else if (failure != null) {
        failed.add(RedisFailures.classified(failure));
      }
      if (views.size() + failed.size() == expected) {
        decide();
      } else if (view != null && view.serves() && !soonOver) {
        soonOver = true;
        vertx.timer(OTHERS_MS, TimeUnit.MILLISECONDS).onComplete(late -> decide());
      }
    }

    private void decide() {
      if (views.isEmpty()) {
        outcome.tryFail(
            failed.stream()
                .filter(each -> each.connectFault() != ConnectFault.UNREACHABLE)
                .findFirst()
                .orElseGet(() -> failed.get(0)));
      } else {
        outcome.tryComplete(this);
      }
    }

    View best() {
      return views.stream().max(View.BY_NEWS).orElseThrow();
    }

    boolean isComplete() {
      return views.size() == expected;
    }
  }

  /**
   * The view of one node on its cluster.
   *
   * @param serves whether this node finds that the cluster serves: one that is cut off from most of
   *     the others does not
   * @param epoch the highest that it knows; it rises with each fail-over and each slot that moves
   */
  record View(ClusterMap map, boolean serves, long epoch) {
    private static final Pattern EPOCH = Pattern.compile("cluster_current_epoch:(\\d{1,18})");
    private static final String SERVES = "cluster_state:ok";
    private static final String NO_CLUSTER = "cluster support disabled";

    /** The last in this order knows best. */
    static final Comparator<View> BY_NEWS =
        Comparator.comparing(View::serves)
            .thenComparingLong(View::epoch)
            .thenComparing(view -> view.map().holes(), Comparator.reverseOrder());

    /** Asks a node; fails if it is none, or answers what makes no sense. */
    static Future<View> ask(RedisConnection connection, RedisAddress asked) {
      Future<Response> info = connection.send(Request.cmd(Command.CLUSTER, "INFO"));
      Future<Response> slots = connection.send(Request.cmd(Command.CLUSTER, "SLOTS"));
      return Future.all(info, slots)
          .map(both -> parse(info.result().toString(), slots.result(), asked))
          .recover(cause -> Future.failedFuture(explained(cause)));
    }

    private static View parse(String info, Response slots, RedisAddress asked) {
      Matcher epoch = EPOCH.matcher(info);
      if (!epoch.find()) {
        throw new IllegalArgumentException("Expected cluster_current_epoch, but it is not there");
      }
      return new View(
          ClusterMap.parse(slots, asked), info.contains(SERVES), Long.parseLong(epoch.group(1)));
    }

    private static Throwable explained(Throwable cause) {
      return RedisFailures.isErrorReply(cause, NO_CLUSTER)
          ? new UnfitRedisException(RedisSettings.NOT_A_NODE)
          : cause;
    }
  }
}
