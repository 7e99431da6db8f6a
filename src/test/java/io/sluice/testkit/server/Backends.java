package io.sluice.testkit.server;

import io.sluice.testkit.kafka.KafkaBackend;
import io.sluice.testkit.kafka.KafkaFactory;
import io.sluice.testkit.mysql.MysqlBackend;
import io.sluice.testkit.mysql.MysqlFactory;
import io.sluice.testkit.process.RunFolder;
import io.sluice.testkit.process.StartContext;
import io.sluice.testkit.process.StartListener;
import io.sluice.testkit.process.Workspace;
import io.sluice.testkit.redis.RedisBackend;
import io.sluice.testkit.redis.RedisFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** One running set of the servers that Sluice needs: Redis, Kafka, and MySQL or MariaDB. */
public final class Backends implements AutoCloseable {
  private static Backends shared;
  private static RuntimeException sharedFailure;

  private final RunFolder folder;
  private final RedisBackend redis;
  private final KafkaBackend kafka;
  private final MysqlBackend mysql;

  private Backends(RunFolder folder, RedisBackend redis, KafkaBackend kafka, MysqlBackend mysql) {
    this.folder = folder;
    this.redis = redis;
    this.kafka = kafka;
    this.mysql = mysql;
  }

  /** The set that all tests of this JVM share. Started by the first call, ended with the JVM. */
  public static synchronized Backends shared() {
    if (sharedFailure != null) {
      throw sharedFailure;
    }
    if (shared == null) {
      try {
        shared = start(Workspace.root().resolve("run"), StartListener.SILENT);
        Runtime.getRuntime().addShutdownHook(new Thread(shared::close, "backends-close"));
      } catch (RuntimeException e) {
        sharedFailure = e;
        throw e;
      }
    }
    return shared;
  }

  /** A separate set beside the shared one. The caller closes it. */
  public static Backends startOwn(ServerOptions options) {
    return start(Workspace.root().resolve("own"), StartListener.SILENT, options);
  }

  /**
   * A separate set. Its files go to a new folder below {@code dir} that {@link #close()} deletes.
   */
  public static Backends start(Path dir, StartListener listener) {
    return start(dir, listener, ServerOptions.none());
  }

  /**
   * A separate set with further server settings; a server named in the environment ignores them.
   */
  public static Backends start(Path dir, StartListener listener, ServerOptions options) {
    RunFolder folder = Workspace.newRunFolder(dir.toAbsolutePath());
    var context = new StartContext(folder.path(), System.getenv(), options, listener);
    var redis = startAside(context, () -> new RedisFactory(context));
    var kafka = startAside(context, () -> new KafkaFactory(context));
    var mysql = startAside(context, () -> new MysqlFactory(context));
    try {
      CompletableFuture.allOf(redis, kafka, mysql).join();
      return new Backends(folder, redis.join(), kafka.join(), mysql.join());
    } catch (CompletionException e) {
      Stream.of(redis, kafka, mysql)
          .filter(started -> !started.isCompletedExceptionally())
          .forEach(started -> started.join().close());
      folder.close();
      throw e.getCause() instanceof RuntimeException cause ? cause : e;
    }
  }

  public RedisBackend redis() {
    return redis;
  }

  public KafkaBackend kafka() {
    return kafka;
  }

  public MysqlBackend mysql() {
    return mysql;
  }

  /** A new, empty database for a ledger, which Redis takes for the one whose stock it has. */
  public String newLedger() {
    if (!redis.keys(RedisBackend.LEDGER).isEmpty()) {
      redis.administer("DEL " + RedisBackend.LEDGER);
    }
    return mysql.newDatabase();
  }

  public List<Backend> all() {
    return List.of(redis, kafka, mysql);
  }

  /** Ends all servers started by the tests and deletes their data. */
  @Override
  public void close() {
    try (folder;
        redis;
        kafka;
        mysql) {
      // Closed from last to first, each even if another one fails.
    }
  }

  private static <B extends ServerBackend> CompletableFuture<B> startAside(
      StartContext context, Supplier<ServerFactory<B>> factory) {
    return CompletableFuture.supplyAsync(
        () -> new ServerChoice(context).start(factory.get()), work -> daemon(work).start());
  }

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "backend-start");
    thread.setDaemon(true);
    return thread;
  }
}
