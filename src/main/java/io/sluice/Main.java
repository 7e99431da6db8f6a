package io.sluice;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.sluice.config.AdminConfig;
import io.sluice.config.Config;
import io.sluice.config.ConfigLines;
import io.sluice.config.ConfigLoader;
import io.sluice.config.UnsafeDefaults;
import io.sluice.config.value.InvalidConfigException;
import io.sluice.log.LogOutput;
import io.sluice.metrics.MeterHelp;
import io.sluice.metrics.ProcessMeters;
import io.sluice.orderlog.kafka.PropertyCheck;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.dns.AddressResolverOptions;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.micrometer.MetricsDomain;
import io.vertx.micrometer.MicrometerMetricsFactory;
import io.vertx.micrometer.MicrometerMetricsOptions;
import java.nio.file.Path;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;
import org.slf4j.MarkerFactory;

/**
 * Starts an instance: {@code java -jar sluice.jar [--config FILE] [--address-file FILE]
 * [--adopt-log[=begin]]}.
 *
 * <p>Exit codes: 0 after SIGTERM or SIGINT, 1 if it could not start for another reason, 2 if
 * arguments, configuration or the ledger's foundation are wrong. Then one line says why.
 */
public final class Main {
  /** As the JVM keeps the names that Kafka's clients look up. */
  static final int NAMES_KEPT_S = 30;

  /** As short as can be: Vert.x takes it for nanoseconds. */
  private static final int HOSTS_READ_EVERY = 1;

  private static final int CLOSE_MAX_S = 9;
  private static final Logger log = LoggerFactory.getLogger(Main.class);

  /** The names of events whose text is not fixed. */
  private static final Marker SETTING = MarkerFactory.getMarker("setting");

  private static final Marker VARIABLE = MarkerFactory.getMarker("unknown-variable");

  private Main() {}

  public static void main(String[] args) {
    run(args, PortDecorator.NONE);
  }

  /** Runs an instance whose ports of the stores are wrapped. */
  public static void run(String[] args, PortDecorator decorator) {
    try {
      Arguments arguments = Arguments.of(args);
      ConfigLoader.Loaded loaded =
          ConfigLoader.load(arguments.config(), System.getenv())
              .toCompletionStage()
              .toCompletableFuture()
              .join();
      checkStores(loaded.config());
      PropertyCheck.check(loaded.config().kafka().properties());
      if (loaded.config().log().isJson()) {
        LogOutput.json();
      }
      loaded.warnings().forEach(warning -> log.warn(VARIABLE, warning));
      ConfigLines.of(loaded.config()).forEach(line -> log.info(SETTING, line));
      UnsafeDefaults.of(loaded.config()).forEach(Main::warn);
      run(loaded.config(), arguments, decorator);
    } catch (CompletionException wrapped) {
      refuse(wrapped.getCause());
    } catch (InvalidConfigException | IllegalArgumentException wrong) {
      refuse(wrong);
    }
  }

  private static void checkStores(Config config) {
    config.stores().check(config.mysql(), config.redis(), config.kafka());
  }

  private static void warn(UnsafeDefaults.Left left) {
    log.atWarn()
        .addKeyValue("key", left.key())
        .addKeyValue("why", left.why())
        .log("unsafe default in use");
  }

  private static void refuse(@Nullable Throwable cause) {
    System.err.println("sluice: " + (cause == null ? "cannot start" : cause.getMessage()));
    System.exit(
        cause instanceof InvalidConfigException || cause instanceof IllegalArgumentException
            ? ExitCode.WRONG
            : ExitCode.FAILED);
  }

  private static void run(Config config, Arguments arguments, PortDecorator decorator) {
    PrometheusMeterRegistry registry = MeterHelp.registry();
    registry.config().meterFilter(MeterFilter.deny(Main::isPoolOfOneConnection));
    ProcessMeters.jvm(registry);
    ListeningTransport transport = TransportChoice.ofThisMachine();
    Vertx vertx = vertx(config, registry, transport);
    ThisProcess process = new ThisProcess(transport, arguments.addressFile(), new AtomicInteger());
    Application application = new Application(vertx, config, decorator, registry, process);
    application.adoptLog(arguments.adoptLog());
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(() -> close(application, vertx, process.exitCode()), "sluice-shutdown"));
    application.start();
  }

  private static void end(int code, String why) {
    System.err.println("sluice: " + why);
    // Not on the event loop: exit waits for the shutdown hook, which waits for the event loops.
    new Thread(() -> System.exit(code), "sluice-exit").start();
  }

  private record ThisProcess(
      ListeningTransport transport, @Nullable Path addressFile, AtomicInteger exitCode)
      implements Application.Hooks {
    @Override
    public void exit(int code, String why) {
      exitCode.compareAndSet(0, code);
      end(code, why);
    }

    @Override
    public Future<Void> stopListening(int port) {
      return transport.stopListening(port);
    }

    @Override
    public void adminListens(AdminConfig admin, int port) {
      if (addressFile != null) {
        AddressFile.write(addressFile, admin.host(), port, admin.tls().isOn());
      }
    }
  }

  private static Vertx vertx(
      Config config, PrometheusMeterRegistry registry, ListeningTransport transport) {
    int loops =
        config.http().instances() == 0
            ? Runtime.getRuntime().availableProcessors()
            : config.http().instances();
    VertxOptions options =
        new VertxOptions()
            .setEventLoopPoolSize(loops)
            .setDisableTCCL(true)
            // Else Vert.x says from 5 s on only where a loop is blocked.
            .setWarningExceptionTime(VertxOptions.DEFAULT_MAX_EVENT_LOOP_EXECUTE_TIME)
            .setFileSystemOptions(
                new FileSystemOptions()
                    .setFileCachingEnabled(false)
                    .setClassPathResolvingEnabled(false))
            .setAddressResolverOptions(names())
            .setMetricsOptions(metrics());
    return Vertx.builder()
        .with(options)
        .withTransport(transport)
        .withMetrics(new MicrometerMetricsFactory(registry))
        .build();
  }

  /**
   * A name of a server is looked up again for each connection. The hosts file is read again as
   * well, which by default is done once. An answer of DNS is kept for its time to live, which may
   * be days, but for half a minute at most.
   */
  static AddressResolverOptions names() {
    return new AddressResolverOptions()
        .setHostsRefreshPeriod(HOSTS_READ_EVERY)
        .setCacheMaxTimeToLive(NAMES_KEPT_S);
  }

  /**
   * The service has its own metrics of requests; those of Vert.x would add cost to each request.
   */
  private static MicrometerMetricsOptions metrics() {
    MicrometerMetricsOptions options = new MicrometerMetricsOptions().setEnabled(true);
    for (MetricsDomain domain : MetricsDomain.values()) {
      if (domain != MetricsDomain.NAMED_POOLS) {
        options.addDisabledMetricsCategory(domain);
      }
    }
    // These clients have no domain of their own, and each connection would register the same gauge.
    return options.addDisabledMetricsCategory("sql").addDisabledMetricsCategory("redis");
  }

  /** Each connection to Redis is a pool with a random name, so its meters would accumulate. */
  private static boolean isPoolOfOneConnection(Meter.Id id) {
    return "redis".equals(id.getTag("pool_type"));
  }

  /**
   * Drains, and ends with code 0: a JVM that is ended by a signal would have the signal's exit
   * code.
   */
  private static void close(Application application, Vertx vertx, AtomicInteger exitCode) {
    CountDownLatch closed = new CountDownLatch(1);
    // Nested: a composed Future would be completed on an event loop that is closed by then.
    application.close().onComplete(done -> vertx.close().onComplete(gone -> closed.countDown()));
    try {
      if (!closed.await(CLOSE_MAX_S, TimeUnit.SECONDS)) {
        log.atWarn().addKeyValue("seconds", CLOSE_MAX_S).log("shutdown incomplete; exiting anyway");
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    Runtime.getRuntime().halt(exitCode.get());
  }
}
