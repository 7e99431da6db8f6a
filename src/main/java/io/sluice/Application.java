package io.sluice;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.sluice.admin.AdminVerticle;
import io.sluice.admission.BlacklistKeeper;
import io.sluice.async.AsyncLoop;
import io.sluice.async.ContextDispatcher;
import io.sluice.async.LoopContext.Timers;
import io.sluice.async.TimeLimit;
import io.sluice.auth.JwtVerifier;
import io.sluice.auth.KeyRing;
import io.sluice.config.AdminConfig;
import io.sluice.config.Cidr;
import io.sluice.config.Config;
import io.sluice.config.InvalidConfigException;
import io.sluice.config.TlsFiles;
import io.sluice.db.Migrations;
import io.sluice.http.PublicPort;
import io.sluice.ledger.IdentityMismatchException;
import io.sluice.metrics.Meters;
import io.sluice.metrics.ProcessMeters;
import io.sluice.monitor.HeartbeatMonitor;
import io.sluice.monitor.Part;
import io.sluice.monitor.Readiness;
import io.sluice.monitor.ReadinessMonitor;
import io.sluice.orderlog.Event;
import io.sluice.orderlog.EventListener;
import io.sluice.stock.redis.RedisConnector;
import io.sluice.tracing.OtlpSink;
import io.sluice.tracing.OtlpTraces;
import io.sluice.tracing.Traces;
import io.sluice.web.RequestTraces;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One instance. It opens its ports first, then connects to its dependencies, each retried until it
 * succeeds.
 *
 * <p>Parts are closed in the reverse order of opening. No new connections are accepted and {@code
 * /readyz} answers 503, and the public port drains. Then the owners finish work in flight and hand
 * their partitions over, and then the connections are closed.
 */
public final class Application {
  static final Duration DRAIN_MAX = Duration.ofSeconds(4);

  /** How long a shutdown waits until the last spans are sent. */
  private static final Duration TRACES_CLOSE_MAX = Duration.ofSeconds(1);

  /** The exit code if the start failed for another reason than those of {@link #WRONG}. */
  static final int FAILED = 1;

  /** That if arguments, configuration or the ledger's foundation are wrong; one line says why. */
  static final int WRONG = 2;

  private static final Logger log = LoggerFactory.getLogger(Application.class);

  /** Functions of the process that the instance uses. */
  public interface Hooks {
    /** Ends the process; called from any thread. */
    void exit(int code, String why);

    /** Stops accepting connections on a port; existing connections stay open. */
    default Future<Void> stopListening(int port) {
      return Future.succeededFuture();
    }

    /** Notified of the management port's address as soon as it listens. */
    default void adminListens(AdminConfig config, int port) {}
  }

  private final Vertx vertx;
  private final Config config;
  private final PortDecorator decorator;
  private final PrometheusMeterRegistry registry;
  private final Meters meters;
  private final Traces traces;
  private final Hooks hooks;
  private final Readiness readiness;
  private final Opening.Retry retry;
  private final @Nullable KeyRing keys;
  private final Deque<Supplier<Future<Void>>> closers = new ArrayDeque<>();
  private Supplier<Future<Void>> stopListening = Future::succeededFuture;
  private Opening.@Nullable AdoptedFrom adoptLog;
  private boolean closing;

  /**
   * Reads the keys of tokens, so it may block.
   *
   * @throws InvalidConfigException if these cannot be used
   */
  public Application(
      Vertx vertx,
      Config config,
      PortDecorator decorator,
      PrometheusMeterRegistry registry,
      Hooks hooks) {
    this.vertx = vertx;
    this.config = config;
    this.decorator = decorator;
    this.registry = registry;
    this.meters = new Meters(registry);
    this.traces =
        config.tracing().isOn()
            ? new OtlpTraces(
                config.tracing(),
                () ->
                    new OtlpSink(
                        config.tracing(),
                        UUID.randomUUID().toString(),
                        InstantSource.system(),
                        System::nanoTime),
                meters,
                System::nanoTime)
            : Traces.OFF;
    closers.push(() -> TimeLimit.of(TRACES_CLOSE_MAX.toMillis(), traces.close()));
    this.readiness =
        config.isLedgerAlone()
            ? ReadinessMonitor.readinessOfLedger()
            : ReadinessMonitor.readiness(config.reservation().directPerS() > 0);
    this.hooks = hooks;
    this.keys = KeyRing.open(config.auth(), System::nanoTime);
    this.retry =
        new Opening.Retry(
            Timers.of(vertx),
            (part, fault) -> readiness.report(part, false, fault.text()),
            cause ->
                cause instanceof IdentityMismatchException
                    || cause instanceof Migrations.BlockedException
                    || cause instanceof Migrations.TooOldException);
  }

  /**
   * Before the start: where to read a new order log from that a ledger adopts whose own one is
   * lost; null if it adopts none.
   */
  void adoptLog(Opening.@Nullable AdoptedFrom from) {
    adoptLog = from;
  }

  /**
   * Opens the ports, then retries until all dependencies are connected; the management port shows
   * which are missing. If the start is impossible, ends the process.
   */
  public Future<Void> start() {
    return ContextDispatcher.on(vertx.getOrCreateContext(), this::open)
        .onSuccess(open -> log.info("serving"))
        .onFailure(
            cause -> {
              if (!closing) {
                hooks.exit(isWrong(cause) ? WRONG : FAILED, String.valueOf(cause.getMessage()));
              }
            });
  }

  private static String scheme(TlsFiles tls) {
    return tls.isOn() ? "https" : "http";
  }

  /** Whether configuration or foundation are wrong, so that a restart would not help. */
  private static boolean isWrong(Throwable cause) {
    return cause instanceof IdentityMismatchException
        || cause instanceof InvalidConfigException
        || cause instanceof Migrations.TooOldException;
  }

  private Future<Void> open() {
    watchKeys();
    AdminVerticle admin = new AdminVerticle(config, readiness, meters, registry::scrape, traces);
    return deploy(admin, () -> hooks.stopListening(admin.port()))
        .onSuccess(listening -> hooks.adminListens(config.admin(), admin.port()))
        .compose(
            listening ->
                PublicPort.open(vertx, config.http(), config.auth(), meters, requestTraces()))
        .compose(
            port -> {
              stopListening = () -> hooks.stopListening(port.port());
              log.atInfo()
                  .addKeyValue(scheme(config.http().tls()), port.port())
                  .addKeyValue("admin", admin.port())
                  .addKeyValue("adminScheme", scheme(config.admin().tls()))
                  .log("listening");
              return Connections.open(opening(), why -> hooks.exit(WRONG, why))
                  .compose(connections -> serve(connections, admin, port));
            });
  }

  /** The proxies in front of buyers may ask for more. */
  private RequestTraces requestTraces() {
    return new RequestTraces(
        traces, address -> Cidr.anyContains(config.auth().trustedProxies(), address));
  }

  private void watchKeys() {
    if (keys != null) {
      Runnable unwatch = keys.watch(vertx, KeyRing.READ_EVERY);
      closers.push(
          () -> {
            unwatch.run();
            return Future.succeededFuture();
          });
    }
  }

  private @Nullable JwtVerifier verifier() {
    return keys == null
        ? null
        : new JwtVerifier(keys, config.auth().userClaim(), InstantSource.system());
  }

  private Opening opening() {
    RedisConnector redis =
        config.isLedgerAlone() ? null : new RedisConnector(vertx, config.redis());
    return new Opening(vertx, config, redis, meters, decorator, retry, readiness, adoptLog);
  }

  /** Owners are deployed before the ports serve: a SKU that is created needs them. */
  private Future<Void> serve(Connections connections, AdminVerticle admin, PublicPort port) {
    closers.push(connections::close);
    Assembly assembly = new Assembly(vertx, config, meters, traces, connections, verifier());
    closers.push(assembly::close);
    Assembly.Background background = assembly.background();
    HeartbeatMonitor heartbeats =
        new HeartbeatMonitor(
            connections.partitions(),
            () -> connections.isLogUp() && !Part.isAnyAway(),
            System::nanoTime);
    measure(connections, background, heartbeats);
    BlacklistKeeper blacklist = assembly.blacklist();
    return connections
        .listenTo(listener(assembly, heartbeats))
        .compose(listening -> retry.until("mysql", blacklist::load))
        .compose(
            loaded -> {
              long timer =
                  vertx.setPeriodic(BlacklistKeeper.TICK.toMillis(), tick -> blacklist.tick());
              closers.push(
                  () -> {
                    vertx.cancelTimer(timer);
                    return blacklist.close();
                  });
              return deploy(background.verticle(), Future::succeededFuture);
            })
        .compose(deployed -> sendWebhooks(assembly))
        .compose(deployed -> admin.serve(assembly::operators))
        .compose(serving -> port.serve(assembly::routes))
        .onSuccess(
            serving -> {
              closers.push(() -> port.drain(DRAIN_MAX));
              watch(connections, assembly, background, heartbeats);
            });
  }

  private Future<Void> sendWebhooks(Assembly assembly) {
    return assembly
        .webhookSender()
        .map(sender -> deploy(sender, Future::succeededFuture))
        .orElseGet(Future::succeededFuture);
  }

  /** A change of the blacklist is of no use to anybody else. */
  private static EventListener listener(Assembly assembly, HeartbeatMonitor heartbeats) {
    return new EventListener() {
      @Override
      public void heard(int partition, Event event) {
        assembly.heard(partition, event);
        if (!assembly.blacklist().hear(event)) {
          heartbeats.heard(partition);
          assembly.orderCache().heard(partition, event);
        }
      }

      @Override
      public void missed(int partition) {
        assembly.orderCache().missed(partition);
      }
    };
  }

  private void measure(
      Connections connections, Assembly.Background background, HeartbeatMonitor heartbeats) {
    ProcessMeters.parts(
        registry, connections.hasLog() ? List.of(Part.values()) : List.of(Part.LEDGER));
    ProcessMeters.ownedPartitions(registry, background.owned()::getAsInt);
    for (int each = 0; each < connections.partitions(); each++) {
      int partition = each;
      ProcessMeters.ownerSilence(registry, partition, () -> heartbeats.silentSeconds(partition));
    }
  }

  private Future<Void> deploy(VerticleBase verticle, Supplier<Future<Void>> beforeItGoes) {
    return vertx
        .deployVerticle(verticle)
        .onSuccess(
            id -> closers.push(() -> beforeItGoes.get().transform(stopped -> vertx.undeploy(id))))
        .mapEmpty();
  }

  private void watch(
      Connections connections,
      Assembly assembly,
      Assembly.Background background,
      HeartbeatMonitor heartbeats) {
    ReadinessMonitor.Stores stores =
        connections.hasLog()
            ? new ReadinessMonitor.Stores(
                assembly.stocks()::areUp,
                assembly.stocks()::outage,
                connections::isLogUp,
                connections::logPartitionsOut,
                connections.logWeaknesses(),
                background.settled())
            : null;
    ReadinessMonitor watch =
        new ReadinessMonitor(vertx, readiness, stores, assembly.clocks(), heartbeats);
    watch.start();
    closers.push(watch::stop);
  }

  /** Closes everything in the reverse order of opening; completes when all of it is closed. */
  public Future<Void> close() {
    return ContextDispatcher.on(
        vertx.getOrCreateContext(),
        () -> {
          closing = true;
          retry.stop();
          return stopListening.get().transform(stopped -> AsyncLoop.whileTrue(this::closeNext));
        });
  }

  private Future<Boolean> closeNext() {
    Supplier<Future<Void>> closer = closers.poll();
    return closer == null
        ? Future.succeededFuture(false)
        : closer.get().transform(closed -> Future.succeededFuture(true));
  }
}
