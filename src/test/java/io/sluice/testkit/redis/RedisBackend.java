package io.sluice.testkit.redis;

import io.sluice.testkit.fault.FaultProxy;
import io.sluice.testkit.process.DataFiles;
import io.sluice.testkit.server.Server;
import io.sluice.testkit.server.ServerBackend;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A real Redis: append-only file on, synced every second, no eviction. */
public final class RedisBackend extends ServerBackend {
  /** Starts further servers of the same program. */
  interface Kin {
    /** A Redis with the same settings. */
    RedisBackend another();

    /** Whether it has sentinels as well. */
    default boolean hasSentinels() {
      return false;
    }

    default RedisSentinel sentinel(RedisSentinel.Watch watch) {
      throw new UnsupportedOperationException("no sentinels of this kind can be started");
    }

    /** Whether it can be a node of a cluster as well. */
    default boolean hasClusters() {
      return false;
    }

    default RedisBackend node(Map<String, String> settings) {
      throw new UnsupportedOperationException("no cluster of this kind can be started");
    }
  }

  /** The key that names the ledger whose stock is in a Redis that is no cluster. */
  public static final String LEDGER = "stock:{p0}:ledger";

  private static final int DATABASES = 16;

  private static final Pattern GOOD_REPLICAS = Pattern.compile("min_slaves_good_slaves:(\\d+)");
  private static final Pattern OFFSET = Pattern.compile("master_repl_offset:(\\d+)");

  private final String uri;
  private final DataFiles files;
  private final Optional<Kin> kin;
  private final AtomicInteger databases = new AtomicInteger();

  /** A Redis that cannot be given a replica. */
  public RedisBackend(Server server, String uri, DataFiles files) {
    this(server, uri, files, Optional.empty());
  }

  RedisBackend(Server server, String uri, DataFiles files, Optional<Kin> kin) {
    super(RedisFactory.NAME, server);
    this.uri = uri;
    this.files = files;
    this.kin = kin;
  }

  /** Its address, such as {@code redis://127.0.0.1:20123}. */
  public String uri() {
    return uri;
  }

  /** The address of another database of it, which is empty; one of the 15 beside its first. */
  public String newDatabase() {
    int number = 1 + databases.getAndIncrement() % (DATABASES - 1);
    URI another = URI.create(uri).resolve("/" + number);
    new RedisProbe(another).told(describe(), "FLUSHDB");
    return another.toString();
  }

  /** Deletes all data, so that Redis restarts empty. Only while it is stopped. */
  public void wipe() {
    requireStopped("wipe()");
    files.wipe();
  }

  /** Copies the append-only file, for {@link #restoreAppendOnlyFile}. Redis may be running. */
  public Path saveAppendOnlyFile() {
    return files.save();
  }

  /**
   * Restores an older append-only file, so that Redis restarts in an earlier state. Only while it
   * is stopped.
   */
  public void restoreAppendOnlyFile(Path copy) {
    requireStopped("restoreAppendOnlyFile()");
    files.restore(copy);
  }

  /** Whether {@link #startAnother} and {@link #startReplica} work. */
  public boolean replicable() {
    return kin.isPresent();
  }

  /**
   * Starts a replica of this Redis, reached at {@code masterUri}: a {@link FaultProxy} may be in
   * between. The caller closes it.
   */
  public RedisBackend startReplica(String masterUri) {
    RedisBackend replica = startAnother();
    replica.follow(masterUri);
    return replica;
  }

  /** Starts another Redis with the same settings, an empty master. The caller closes it. */
  public RedisBackend startAnother() {
    return kin.orElseThrow().another();
  }

  /** Whether {@link #startSentinel} works. */
  public boolean watchable() {
    return kin.filter(Kin::hasSentinels).isPresent();
  }

  /** Starts a sentinel that watches this Redis. The caller closes it. */
  public RedisSentinel startSentinel(String master, int quorum) {
    return startSentinel(master, quorum, "");
  }

  /** The same with a password, which its callers must know. */
  public RedisSentinel startSentinel(String master, int quorum, String password) {
    int port = URI.create(uri).getPort();
    return kin.orElseThrow().sentinel(new RedisSentinel.Watch(master, port, quorum, password));
  }

  /** Whether {@link RedisCluster#of} works. */
  public boolean clusterable() {
    return kin.filter(Kin::hasClusters).isPresent();
  }

  /** Starts a node of a cluster, with these settings beside its own. The caller closes it. */
  RedisBackend startNode(Map<String, String> settings) {
    return kin.orElseThrow().node(settings);
  }

  /**
   * Whether it has copied all data that its master had when it connected, and is still connected.
   */
  public boolean follows() {
    return tell("INFO replication").contains("master_link_status:up");
  }

  /** Makes a replica a master that takes writes; does nothing to a master. */
  public void promote() {
    tell("REPLICAOF NO ONE");
  }

  /** Makes it a replica of the Redis at this URI; its own data is dropped. */
  void follow(String masterUri) {
    URI master = URI.create(masterUri);
    tell("REPLICAOF " + master.getHost() + " " + master.getPort());
  }

  /** Changes a setting until the next restart. */
  public void configure(String setting, String value) {
    tell("CONFIG SET " + setting + " " + value);
  }

  /**
   * Runs a command of an administrator, such as one of ACL; fails where it is refused. Of an array
   * only its length is returned, such as {@code *0}.
   */
  public String administer(String command) {
    return tell(command);
  }

  /** The keys that match, such as {@code stock:*}, sorted. */
  public List<String> keys(String pattern) {
    return list("KEYS " + pattern).stream().sorted().toList();
  }

  /** Writes a key; the value must not contain spaces. */
  public void set(String key, String value) {
    tell("SET " + key + " " + value);
  }

  /** The number of replicas within the maximum lag; also 0 where no replicas are required. */
  public int goodReplicas() {
    return (int) replication(GOOD_REPLICAS);
  }

  /** Its replication offset in bytes. */
  long offset() {
    return replication(OFFSET);
  }

  private long replication(Pattern number) {
    Matcher found = number.matcher(tell("INFO replication"));
    return found.find() ? Long.parseLong(found.group(1)) : 0;
  }

  /** A line of what it says about itself, such as {@code run_id:...} of {@code server}. */
  String info(String section, String name) {
    return tell("INFO " + section)
        .lines()
        .filter(line -> line.startsWith(name + ":"))
        .findFirst()
        .orElseThrow();
  }

  /** Sends one command and returns its answer, an array of strings. */
  public List<String> list(String command) {
    return new RedisProbe(URI.create(uri)).listed(describe(), command);
  }

  /** Sends one command and returns its answer. */
  String tell(String command) {
    return new RedisProbe(URI.create(uri)).told(describe(), command);
  }
}
