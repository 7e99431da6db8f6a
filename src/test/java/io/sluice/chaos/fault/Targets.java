package io.sluice.chaos.fault;

import io.sluice.testkit.fault.FaultProxy;
import io.sluice.testkit.redis.RedisTrio;
import io.sluice.testkit.server.Backend;
import io.sluice.testkit.server.Backends;
import io.sluice.testkit.site.SaleSite;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

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

  private static final int PROXIED_BROKER = 1;
  private static final Duration SLOW = Duration.ofMillis(400);

  private final Backends backends;
  private final SaleSite site;
  private final RedisTrio trio;
  private final Map<String, FaultProxy> links = new TreeMap<>();
  private final InstanceBlows instances;
  private final RedisBlows redis;
  private final LogBlows log;
  private final DatabaseBlows database;

  public Targets(SaleSite site, Rewinds rewinds) {
    this.site = site;
    this.backends = site.backends();
    this.trio = RedisTrio.of(backends.redis());
    for (int i = 0; i < INSTANCES; i++) {
      SteppedClock.readBy(site.newInstance(throughProxies(i)));
    }
    this.instances = new InstanceBlows(site);
    this.redis = new RedisBlows(trio, this::leadToPrimary);
    this.log = new LogBlows(site);
    this.database = new DatabaseBlows(backends.mysql(), rewinds);
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
      case INSTANCE, INSTANCES -> instances.of(fault);
      case STORE -> instances.before(fault, server(fault.aim().server()));
      case REDIS -> redis.of(fault);
      case KAFKA, LOG -> log.of(fault);
      case DATABASE -> database.of(fault);
      case LINK -> ofLink(fault.kind(), links.get(fault.aim().name()));
    };
  }

  public List<Backend> servers() {
    return backends.all();
  }

  @Override
  public void close() {
    try (trio;
        log) {
      links.values().forEach(FaultProxy::close);
    }
  }

  private Backend server(String name) {
    return name.equals(REDIS) ? trio.primary() : servers().get(SERVERS.indexOf(name));
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
    settings.put("SLUICE_REDIS_URI", toRedis.uri());
    settings.put("SLUICE_MYSQL_URI", toDatabase.uri());
    if (instance == PROXIED_BROKER) {
      FaultProxy broker = FaultProxy.inFrontOf(backends.kafka());
      links.put(link(instance, KAFKA), broker);
      settings.put("SLUICE_KAFKA_BOOTSTRAP_SERVERS", broker.address());
    }
    return settings;
  }
}
