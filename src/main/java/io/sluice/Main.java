package io.sluice;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.netty.util.NetUtil;
import io.sluice.cli.AdminCommand;
import io.sluice.cli.Streams;
import io.sluice.config.AdminConfig;
import io.sluice.config.Config;
import io.sluice.config.ConfigLoader;
import io.sluice.config.InvalidConfigException;
import io.sluice.config.UnsafeDefaults;
import io.sluice.log.JsonLines;
import io.sluice.metrics.ProcessMeters;
import io.sluice.metrics.ProcessMeters.MeterHelp;
import io.sluice.orderlog.kafka.PropertyCheck;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.dns.AddressResolverOptions;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.micrometer.MetricsDomain;
import io.vertx.micrometer.MicrometerMetricsFactory;
import io.vertx.micrometer.MicrometerMetricsOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
 * <p>{@code java -jar sluice.jar admin} is the command line of operators instead.
 *
 * <p>Exit codes: 0 after SIGTERM or SIGINT, 1 if it could not start for another reason, 2 if
 * arguments, configuration or the ledger's foundation are wrong. Then one line says why.
 */
public final class Main {
  /** As the JVM keeps the names that Kafka's clients look up. */
  static final int NAMES_KEPT_S = 30;

  /** As short as can be: Vert.x takes it for nanoseconds. */
  private static final int HOSTS_READ_EVERY = 1;

  /** The command line of operators, which starts no instance. */
  private static final String ADMIN = "admin";

  private static final int CLOSE_MAX_S = 9;
  private static final String LOOPBACK = "127.0.0.1";

  /** Made for the first line: a command of an operator logs none, and starts without a logger. */
  private static final class Lines {
    static final Logger log = LoggerFactory.getLogger(Main.class);

    /** The names of events whose text is not fixed. */
    static final Marker SETTING = MarkerFactory.getMarker("setting");

    static final Marker VARIABLE = MarkerFactory.getMarker("unknown-variable");
  }

  private Main() {}

  public static void main(String[] args) {
    if (args.length > 0 && args[0].equals(ADMIN)) {
      List<String> words = List.of(args).subList(1, args.length);
      Streams streams = new Streams(System.in, System.out, System.err);
      System.exit(AdminCommand.run(words, System.getenv(), streams));
    }
    run(args, PortDecorator.NONE);
  }

  /** Runs an instance whose ports of the stores are wrapped. */
  public static void run(String[] args, PortDecorator decorator) {
    try {
      Arguments arguments = Arguments.of(args);
      ConfigLoader.Loaded loaded = ConfigLoader.load(arguments.config(), System.getenv());
      UnsafeDefaults.refuse(loaded.config());
      PropertyCheck.check(loaded.config().kafka().properties());
      if (loaded.config().log().isJson()) {
        JsonLines.useForAll();
      }
      loaded.warnings().forEach(warning -> Lines.log.warn(Lines.VARIABLE, warning));
      loaded.config().lines().forEach(line -> Lines.log.info(Lines.SETTING, line));
      UnsafeDefaults.of(loaded.config()).forEach(Main::warn);
      run(loaded.config(), arguments, decorator);
    } catch (InvalidConfigException | IllegalArgumentException wrong) {
      System.err.println("sluice: " + wrong.getMessage());
      System.exit(Application.WRONG);
    }
  }

  private static void warn(UnsafeDefaults.Left left) {
    Lines.log
        .atWarn()
        .addKeyValue("key", left.key())
        .addKeyValue("why", left.why())
        .log("unsafe default in use");
  }

  private static void run(Config config, Arguments arguments, PortDecorator decorator) {
    PrometheusMeterRegistry registry = MeterHelp.registry();
    registry.config().meterFilter(MeterFilter.deny(Main::isPoolOfOneConnection));
    ProcessMeters.jvm(registry);
    ListeningTransport transport = ListeningTransport.ofThisMachine();
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
        writeAddress(addressFile, admin.host(), port, admin.tls().isOn());
      }
    }
  }

  /**
   * Writes the management port's address as {@code HOST PORT}, followed by {@code https} if it
   * speaks TLS. It is for a health check on the same machine: the port may be set in the file, in
   * the environment, or be any free one. Replaces the file of an earlier run. A failure is only
   * logged; the service continues.
   */
  static void writeAddress(Path file, String host, int port, boolean tls) {
    Path unfinished = file.resolveSibling(file.getFileName() + ".new");
    try {
      Files.writeString(unfinished, reachable(host) + " " + port + (tls ? " https\n" : "\n"));
      Files.move(
          unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException failure) {
      Lines.log
          .atWarn()
          .addKeyValue("file", file)
          .addKeyValue("cause", failure)
          .log("address file cannot be written; health checks that read it will fail");
    }
  }

  /** The wildcard address cannot be connected to, so it is replaced by the loopback address. */
  private static String reachable(String host) {
    byte[] address = NetUtil.createByteArrayFromIpAddressString(host);
    try {
      return address != null && InetAddress.getByAddress(address).isAnyLocalAddress()
          ? LOOPBACK
          : host;
    } catch (UnknownHostException impossible) {
      throw new IllegalStateException(impossible);
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
        .withTransport(transport.forVertx())
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
        Lines.log
            .atWarn()
            .addKeyValue("seconds", CLOSE_MAX_S)
            .log("shutdown incomplete; exiting anyway");
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    Runtime.getRuntime().halt(exitCode.get());
  }

  /**
   * The command line.
   *
   * @param config the configuration file, or null for the defaults and the environment
   * @param addressFile where to write the management port's address once it listens, or null
   * @param adoptLog where to read a new order log from that a ledger adopts whose own one is lost;
   *     null if it adopts none
   */
  record Arguments(
      @Nullable Path config, @Nullable Path addressFile, Opening.@Nullable AdoptedFrom adoptLog) {
    private static final Map<String, Opening.AdoptedFrom> ADOPT_LOG =
        Map.of(
            "--adopt-log", Opening.AdoptedFrom.END, "--adopt-log=begin", Opening.AdoptedFrom.BEGIN);
    private static final String USAGE =
        "usage: java -jar sluice.jar [--config FILE] [--address-file FILE] [--adopt-log[=begin]]"
            + ", or java -jar sluice.jar admin --help";

    /** Fails with the usage if the arguments are wrong. */
    static Arguments of(String... words) {
      Path config = null;
      Path addressFile = null;
      List<String> named = new ArrayList<>(List.of(words));
      Opening.AdoptedFrom adoptLog = null;
      for (Map.Entry<String, Opening.AdoptedFrom> word : ADOPT_LOG.entrySet()) {
        if (adoptLog == null && named.remove(word.getKey())) {
          adoptLog = word.getValue();
        }
      }
      for (List<String> rest = named; !rest.isEmpty(); rest = rest.subList(2, rest.size())) {
        if (rest.size() >= 2 && rest.get(0).equals("--config") && config == null) {
          config = Path.of(rest.get(1));
        } else if (rest.size() >= 2
            && rest.get(0).equals("--address-file")
            && addressFile == null) {
          addressFile = Path.of(rest.get(1));
        } else {
          throw new IllegalArgumentException(USAGE);
        }
      }
      return new Arguments(config, addressFile, adoptLog);
    }
  }
}
