package io.sluice.chaos;

import io.sluice.testkit.Backend;
import io.sluice.testkit.Backends;
import io.sluice.testkit.FaultProxy;
import io.sluice.testkit.SaleSite;
import io.sluice.testkit.SluiceProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What can be broken: two instances, three servers, and the connections between them. The servers'
 * proxies are one for each instance; a broker knows one proxy only, so that the way of instance 1
 * to it leads through that and the way of instance 0 does not: a fault there is instance 1's.
 */
final class Targets implements AutoCloseable {
  static final int INSTANCES = 2;
  static final String REDIS = "Redis";
  static final String KAFKA = "Kafka";
  static final String DATABASE = "database";
  static final List<String> SERVERS = List.of(REDIS, KAFKA, DATABASE);

  private static final int PROXIED_BROKER = 1;
  private static final Duration SLOW = Duration.ofMillis(400);

  private final Backends backends;
  private final SaleSite site;
  private final Map<String, FaultProxy> links = new TreeMap<>();

  Targets(SaleSite site) {
    this.site = site;
    this.backends = site.backends();
    for (int i = 0; i < INSTANCES; i++) {
      site.newInstance(throughProxies(i));
    }
  }

  static String instance(int number) {
    return "instance " + number;
  }

  static String link(int instance, String server) {
    int from = server.equals(KAFKA) ? PROXIED_BROKER : instance;
    return instance(from) + " to " + server;
  }

  /** Breaks; returns when the fault is in place. */
  void strike(Fault fault) {
    switch (fault.kind()) {
      case INSTANCE_KILLED -> instanceOf(fault).kill();
      case INSTANCE_TERMINATED -> instanceOf(fault).terminate();
      case INSTANCE_PAUSED -> instanceOf(fault).pause();
      case REDIS_PAUSED, KAFKA_PAUSED, DATABASE_PAUSED -> serverOf(fault).pause();
      case REDIS_AGED -> {}
      case REDIS_KILLED, REDIS_EMPTIED, KAFKA_KILLED, DATABASE_KILLED -> serverOf(fault).kill();
      case LINK_STALLED -> links.get(fault.target()).stall();
      case LINK_DEAF -> links.get(fault.target()).swallowReplies();
      case LINK_SLOW -> links.get(fault.target()).delay(SLOW);
      case LINK_CUT -> {
        links.get(fault.target()).refuse();
        links.get(fault.target()).cut();
      }
    }
  }

  /** Mends; a server answers again when it returns, an instance has been started. */
  void lift(Fault fault) {
    switch (fault.kind()) {
      case INSTANCE_KILLED, INSTANCE_TERMINATED -> instanceOf(fault).start();
      case INSTANCE_PAUSED -> instanceOf(fault).resume();
      case REDIS_PAUSED, KAFKA_PAUSED, DATABASE_PAUSED -> serverOf(fault).resume();
      case REDIS_KILLED, KAFKA_KILLED, DATABASE_KILLED -> serverOf(fault).start();
      case REDIS_EMPTIED -> {
        backends.redis().wipe();
        backends.redis().start();
      }
      case REDIS_AGED -> {}
      case LINK_STALLED, LINK_DEAF, LINK_SLOW, LINK_CUT -> links.get(fault.target()).heal();
    }
  }

  /** Keeps the append-only file of now, for {@link #age}. */
  Path keepRedis() {
    return backends.redis().saveAppendOnlyFile();
  }

  /** Kills Redis and brings it back as it was when its file was kept. */
  void age(Path kept) {
    backends.redis().kill();
    backends.redis().restoreAppendOnlyFile(kept);
    backends.redis().start();
  }

  List<Backend> servers() {
    return backends.all();
  }

  @Override
  public void close() {
    links.values().forEach(FaultProxy::close);
  }

  private SluiceProcess instanceOf(Fault fault) {
    return site.instance(fault.target().endsWith("0") ? 0 : 1);
  }

  private Backend serverOf(Fault fault) {
    return servers().get(SERVERS.indexOf(fault.target()));
  }

  private Map<String, String> throughProxies(int instance) {
    var settings = new TreeMap<String, String>();
    FaultProxy redis = FaultProxy.inFrontOf(backends.redis().uri());
    FaultProxy database = FaultProxy.inFrontOf(site.setting("SLUICE_MYSQL_URI"));
    links.put(link(instance, REDIS), redis);
    links.put(link(instance, DATABASE), database);
    settings.put("SLUICE_REDIS_URI", redis.uri());
    settings.put("SLUICE_MYSQL_URI", database.uri());
    if (instance == PROXIED_BROKER) {
      FaultProxy broker = FaultProxy.inFrontOf(backends.kafka());
      links.put(link(instance, KAFKA), broker);
      settings.put("SLUICE_KAFKA_BOOTSTRAP_SERVERS", broker.address());
    }
    return settings;
  }
}
