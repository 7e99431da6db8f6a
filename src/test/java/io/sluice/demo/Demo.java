package io.sluice.demo;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.sluice.testkit.mysql.LedgerReader;
import io.sluice.testkit.process.ProgressBar;
import io.sluice.testkit.process.Screen;
import io.sluice.testkit.redis.StockReader;
import io.sluice.testkit.site.HttpCaller;
import io.sluice.testkit.site.SluiceProcess;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.LoggerFactory;

/**
 * Sells a sale of 1,000 units in four SKUs to 20,000 buyers on this machine, prints the result, and
 * ends the sale.
 *
 * <p>Exit code 0: the audit is clean. 1: it is not, or something failed. 2: it could not start.
 */
public final class Demo {
  private static final int UNITS = 1_000;
  private static final int BUYERS = 20_000;
  private static final Duration PAYMENT_WINDOW = Duration.ofSeconds(8);
  private static final List<Long> WARM_UP_SKUS = List.of(1L, 2L, 3L, 4L);

  /** Long enough to type the commands that are shown at the end. */
  private static final Duration VISITORS_WINDOW = Duration.ofMinutes(10);

  private static final Duration SETTLE_LIMIT = PAYMENT_WINDOW.plusSeconds(20);
  private static final int POLL_MS = 200;
  private static final int EXIT_UNCLEAN = 1;
  private static final int EXIT_NOT_STARTED = 2;

  private final Screen screen;
  private final DemoServers servers;
  private final boolean stay;
  private final AtomicBoolean stopping = new AtomicBoolean();
  private final CountDownLatch stopped = new CountDownLatch(1);

  private Demo(Screen screen, boolean stay) {
    this.screen = screen;
    this.servers = new DemoServers(screen);
    this.stay = stay;
  }

  /** {@code -Dstay=false}: ends after the audit. */
  public static void main(String[] args) {
    // The clients of this JVM would write into the progress bar; the tables show failed requests
    // anyway.
    ((Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME)).setLevel(Level.OFF);
    boolean stay = Boolean.parseBoolean(System.getProperty("stay", "true"));
    int code = new Demo(Screen.ofStandardOutput(), stay).run();
    System.exit(code);
  }

  private int run() {
    try {
      servers.requireEverything();
    } catch (DemoException e) {
      screen.line("  The demo cannot start: %s.", e.getMessage());
      return EXIT_NOT_STARTED;
    }
    Runtime.getRuntime().addShutdownHook(new Thread(this::stop, "demo-stop"));
    // Ctrl-C reaches both, but a Maven that is killed would leave the demo behind.
    ProcessHandle.current()
        .parent()
        .ifPresent(maven -> maven.onExit().thenRun(() -> System.exit(EXIT_UNCLEAN)));
    Vertx vertx = Vertx.vertx(new VertxOptions().setUseDaemonThread(true));
    try {
      return sell(vertx, new HttpCaller(vertx));
    } catch (Exception | AssertionError e) {
      // Exception: await rethrows the cause of a failed Future, which may be checked.
      if (!stopping.get()) {
        screen.line("  The demo failed: %s", e.getMessage());
      }
      return EXIT_UNCLEAN;
    } finally {
      stop();
    }
  }

  private int sell(Vertx vertx, HttpCaller caller) {
    screen.line("");
    screen.line(
        "  Sluice: a sale of %,d units in %d SKUs, %,d buyers", UNITS, Shop.SKUS.size(), BUYERS);
    if (stay) {
      screen.line("  Watch it at %s as soon as the servers are up.", Audience.page());
    }
    screen.line("");
    servers.startBackends();
    SluiceProcess service = servers.startService(caller);
    screen.line(
        "    sluice on :%d, management on :%d, log in %s",
        DemoServers.HTTP_PORT, DemoServers.ADMIN_PORT, service.logFile());
    try (var ledger = new LedgerReader(vertx, servers.database());
        var redis = new StockReader(vertx, servers.redis(), ledger::partition)) {
      warmUp(vertx, new Shop(service, caller, "warm-up", WARM_UP_SKUS));
      var shop = new Shop(service, caller, Shop.SALE, Shop.SKUS);
      shop.put(UNITS, PAYMENT_WINDOW);
      new FirstCart(service, caller, this::pause).sell(screen, ledger);
      if (stay) {
        new Audience(screen, service, caller).await(this::pause);
      }
      var tally = new Tally(2 * BUYERS);
      Duration took = stampede("stampede", vertx, shop, tally);
      awaitTimeouts(ledger, redis);
      Audit audit = Audit.of(ledger, redis, tally.tokens());
      new Report(screen).print(tally, audit, took);
      boolean clean = audit.isClean() && tally.contradictions() == 0;
      screen.line(clean ? "  The audit is clean." : "  THE AUDIT IS NOT CLEAN.");
      screen.line("  Report: %s", new SaleReportFile(shop).write(tally.granted(), this::pause));
      screen.line("  Next: README.md has the API, docs/deploy.md how to run it in production.");
      screen.line("");
      if (stay) {
        shop.put(UNITS, VISITORS_WINDOW);
        new Report(screen).printNextSteps(audit.ledger().available());
        awaitEnd(service);
        return clean ? 0 : EXIT_UNCLEAN;
      }
      return endSale(shop, redis) && clean ? 0 : EXIT_UNCLEAN;
    }
  }

  /** Whether the sale has ended, and Redis has nothing of it. */
  private boolean endSale(Shop shop, StockReader redis) {
    long endNs = System.nanoTime() + SETTLE_LIMIT.toNanos();
    boolean ended = shop.end();
    while (!ended && System.nanoTime() < endNs) {
      pause();
      ended = shop.end();
    }
    long keys = Shop.SKUS.stream().mapToLong(sku -> redis.keysOf(sku).size()).sum();
    screen.line(
        ended && keys == 0
            ? "  The sale has ended, and Redis holds nothing of it."
            : "  THE SALE HAS NOT ENDED: Redis holds %d keys of it.".formatted(keys));
    screen.line("");
    return ended && keys == 0;
  }

  /** Runs the same sale with another SKU first, so that the JVMs are warm when it counts. */
  private void warmUp(Vertx vertx, Shop shop) {
    shop.put(UNITS, PAYMENT_WINDOW);
    stampede("warm-up", vertx, shop, new Tally(2 * BUYERS));
  }

  @SuppressWarnings("try") // The bar is a resource that is only closed.
  private Duration stampede(String name, Vertx vertx, Shop shop, Tally tally) {
    var stampede = new Stampede(shop, tally, BUYERS);
    try (var bar =
        ProgressBar.show(
            screen,
            name,
            BUYERS,
            stampede::served,
            () ->
                "granted %,d, sold out %,d, other %,d"
                    .formatted(tally.granted(), tally.refused("sold-out"), tally.other()))) {
      return stampede.run(vertx);
    }
  }

  /** Waits until the orders that were not paid have timed out. */
  @SuppressWarnings("try") // The bar is a resource that is only closed.
  private void awaitTimeouts(LedgerReader ledger, StockReader redis) {
    long held = held(ledger);
    var open = new AtomicLong(held);
    try (var bar =
        ProgressBar.show(
            screen,
            "timeouts",
            held,
            () -> held - open.get(),
            () -> "%,d units held by unpaid orders".formatted(open.get()))) {
      long endNs = System.nanoTime() + SETTLE_LIMIT.toNanos();
      while (System.nanoTime() < endNs && !settled(ledger, redis, open)) {
        pause();
      }
    }
  }

  private static boolean settled(LedgerReader ledger, StockReader redis, AtomicLong open) {
    open.set(held(ledger));
    return open.get() == 0
        && Shop.SKUS.stream().allMatch(sku -> redis.unbooked(sku, 0) == 0)
        && ledger.outboxPending() == 0;
  }

  private static long held(LedgerReader ledger) {
    return Shop.SKUS.stream().mapToLong(sku -> Audit.view(ledger, sku).held()).sum();
  }

  private void awaitEnd(SluiceProcess service) {
    while (service.isAlive() && !stopping.get()) {
      pause();
    }
    if (!stopping.get()) {
      throw new DemoException("the service has ended; its log is " + service.logFile());
    }
  }

  /** Ends every process that was started; also called at Ctrl-C, at any moment. */
  private void stop() {
    if (stopping.getAndSet(true)) {
      return;
    }
    screen.line("  Stopping.");
    servers.close();
    stopped.countDown();
  }

  private void pause() {
    try {
      stopped.await(POLL_MS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new DemoException("interrupted");
    }
  }
}
