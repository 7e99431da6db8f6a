package io.sluice.chaos.fault;

import io.sluice.testkit.fault.FaultProxy;
import io.sluice.testkit.kafka.Topics.Entry;
import io.sluice.testkit.redis.RedisCluster;
import io.sluice.testkit.redis.RedisTrio;
import io.sluice.testkit.server.Backend;
import io.sluice.testkit.server.Backends;
import io.sluice.testkit.site.SaleSite;
import io.sluice.testkit.site.SluiceProcess;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What can be broken: two instances, three servers, and the connections between them. Each instance
 * has its own proxy in front of each server, except that a broker knows one proxy only: instance 1
 * reaches it through the proxy and instance 0 directly, so a fault of that connection is instance
 * 1's.
 */
public final class Targets implements AutoCloseable {
  public static final int INSTANCES = 2;
  static final String REDIS = "Redis";
  static final String KAFKA = "Kafka";
  static final String DATABASE = "database";
  static final List<String> SERVERS = List.of(REDIS, KAFKA, DATABASE);

  private static final int PRIMARIES = 3;
  private static final int PROXIED_BROKER = 1;
  private static final Duration SLOW = Duration.ofMillis(400);

  private final Backends backends;
  private final SaleSite site;
  private final @Nullable RedisTrio trio;
  private final @Nullable RedisCluster cluster;
  private final Map<String, FaultProxy> links = new TreeMap<>();
  private final InstanceBlows instances;
  private final Function<Fault, Blow> redis;
  private final LogBlows log;
  private final DatabaseBlows database;

  public Targets(SaleSite site, Rewinds rewinds) {
    this.site = site;
    this.backends = site.backends();
    this.cluster = ofCluster() ? RedisCluster.of(backends.redis(), PRIMARIES, 1) : null;
    this.trio = ofCluster() ? null : RedisTrio.of(backends.redis());
    for (int i = 0; i < INSTANCES; i++) {
      SluiceProcess instance = site.newInstance(throughProxies(i));
      if (cluster == null) {
        SteppedClock.readBy(instance);
      }
    }
    this.instances = new InstanceBlows(site, cluster == null ? Map.of() : cluster.settings());
    this.redis = redisBlows();
    this.log = new LogBlows(site);
    this.database = new DatabaseBlows(backends.mysql(), rewinds);
  }

  private Function<Fault, Blow> redisBlows() {
    if (cluster == null) {
      return new RedisBlows(trio, this::leadToPrimary)::of;
    }
    site.stock().readFrom(partition -> cluster.primaryOf(partition).uri());
    return new ClusterBlows(cluster, site.partitions())::of;
  }

  /** Whether the run is one with {@code -Dredis=cluster}. */
  private static boolean ofCluster() {
    return "cluster".equals(System.getProperty("redis"));
  }

  static String instance(int number) {
    return "instance " + number;
  }

  static String link(int instance, String server) {
    int from = server.equals(KAFKA) ? PROXIED_BROKER : instance;
    return instance(from) + " to " + server;
  }

  /** The kinds of faults that are possible with these servers. */
  public static Set<FaultKind> possible(Backends backends) {
    Set<FaultKind> possible = EnumSet.allOf(FaultKind.class);
    if (ofCluster()) {
      possible.removeAll(ClusterBlows.IMPOSSIBLE);
    } else {
      possible.remove(FaultKind.SLOT_MOVED);
    }
    if (!backends.mysql().restorable()) {
      possible.remove(FaultKind.DATABASE_RESTORED);
    }
    if (!backends.kafka().extensible()) {
      possible.remove(FaultKind.PARTITION_LEADERLESS);
    }
    return possible;
  }

  /**
   * Sets what runs around a restoration of the ledger, when nothing may be in flight that is not in
   * the log.
   */
  public void aroundRestore(Runnable before, Runnable after) {
    database.aroundRestore(before, after);
  }

  Blow blow(Fault fault) {
    return switch (fault.kind().part()) {
      case INSTANCE, INSTANCES, SERVERS -> instances.of(fault);
      case STORE -> instances.before(fault, server(fault.aim().server()));
      case REDIS -> redis.apply(fault);
      case KAFKA, LOG -> log.of(fault);
      case DATABASE -> database.of(fault);
      case LINK -> ofLink(fault.kind(), links.get(fault.aim().name()));
    };
  }

  /** The events of topics that were deleted meanwhile. */
  public List<Entry> formerEvents() {
    return log.formerEvents();
  }

  public List<Backend> servers() {
    return backends.all();
  }

  @Override
  public void close() {
    try (trio;
        cluster;
        log) {
      links.values().forEach(FaultProxy::close);
    }
  }

  private Backend server(String name) {
    if (!name.equals(REDIS)) {
      return servers().get(SERVERS.indexOf(name));
    }
    return cluster == null ? trio.primary() : cluster.primaryOf(0);
  }

  private static Blow ofLink(FaultKind kind, FaultProxy link) {
    Runnable strike =
        switch (kind) {
          case LINK_STALLED -> link::stall;
          case LINK_DEAF -> link::swallowReplies;
          case LINK_SLOW -> () -> link.delay(SLOW);
          default ->
              () -> {
                link.refuse();
                link.cut();
              };
        };
    return Blow.of(strike, link::heal);
  }

  /** Redirects all callers to the current primary, except those of one instance. */
  private void leadToPrimary(int butInstance) {
    String primary = trio.primary().uri();
    site.redisProxy().aimAt(primary);
    for (int i = 0; i < INSTANCES; i++) {
      if (i != butInstance) {
        links.get(link(i, REDIS)).aimAt(primary);
      }
    }
  }

  private Map<String, String> throughProxies(int instance) {
    var settings = new TreeMap<String, String>();
    FaultProxy toRedis = FaultProxy.inFrontOf(backends.redis().uri());
    FaultProxy toDatabase = FaultProxy.inFrontOf(site.setting("SLUICE_MYSQL_URI"));
    links.put(link(instance, REDIS), toRedis);
    links.put(link(instance, DATABASE), toDatabase);
    settings.putAll(
        cluster == null ? Map.of("SLUICE_REDIS_URI", toRedis.uri()) : cluster.settings());
    settings.put("SLUICE_MYSQL_URI", toDatabase.uri());
    if (instance == PROXIED_BROKER) {
      FaultProxy broker = FaultProxy.inFrontOf(backends.kafka());
      links.put(link(instance, KAFKA), broker);
      settings.put("SLUICE_KAFKA_BOOTSTRAP_SERVERS", broker.address());
    }
    return settings;
  }
}
