package io.sluice.admin;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.sluice.admission.AdmissionLimits;
import io.sluice.admission.BannedBuyers;
import io.sluice.admission.blacklist.BlacklistKeeper;
import io.sluice.config.AdminConfig;
import io.sluice.config.AdmissionConfig;
import io.sluice.config.Config;
import io.sluice.config.HttpConfig;
import io.sluice.config.TlsFiles;
import io.sluice.ledger.Blacklist;
import io.sluice.ledger.InMemoryBlacklist;
import io.sluice.ledger.InMemoryLedger;
import io.sluice.metrics.Meters;
import io.sluice.orderlog.InMemoryEvents;
import io.sluice.web.HttpProbe;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** The management port on a free port of this host, with fakes behind it. */
public final class AdminPortFixture implements AutoCloseable {
  public static final Instant NOW = Instant.parse("2026-11-21T08:00:00Z");

  static final int PARTITIONS = 4;

  final Vertx vertx = Vertx.vertx();
  final Readiness readiness = new Readiness(List.of("mysql", "redis"));
  public final FakeLedger ledger = new FakeLedger();
  final InMemoryLedger owners = new InMemoryLedger(PARTITIONS, () -> NOW);
  final InMemoryBlacklist bans = new InMemoryBlacklist(NOW::toEpochMilli);
  public final FakeStock stock = new FakeStock();
  public final HttpProbe probe;
  Future<Long> logBegin = Future.succeededFuture(0L);
  volatile Future<Long> logEnd = Future.succeededFuture(0L);

  private final AdminVerticle verticle;

  public AdminPortFixture(String token) {
    this(new AdminConfig("127.0.0.1", 0, token, List.of(), TlsFiles.NONE));
  }

  AdminPortFixture(AdminConfig admin) {
    this(admin, Config.defaults().http());
  }

  AdminPortFixture(AdminConfig admin, HttpConfig http) {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    Config defaults = Config.defaults();
    Config config =
        new Config(
            http,
            admin,
            defaults.auth(),
            defaults.admission(),
            defaults.redis(),
            defaults.kafka(),
            defaults.mysql(),
            defaults.reservation(),
            defaults.reconcile());
    this.verticle = new AdminVerticle(config, readiness, new Meters(registry), registry::scrape);
    HttpProbe.await(vertx.deployVerticle(verticle));
    this.probe = new HttpProbe(verticle.port());
  }

  public AdminPortFixture serving() {
    HttpProbe.await(
        verticle.serve(
            () ->
                Future.succeededFuture(
                    new AdminVerticle.Backends(
                        ledger,
                        partition -> stock.store(),
                        new Partitions(
                            PARTITIONS, owners, partition -> logBegin, partition -> logEnd),
                        blacklist(),
                        () -> NOW))));
    return this;
  }

  private BlacklistKeeper blacklist() {
    AdmissionConfig admission = Config.defaults().admission();
    Meters meters = new Meters(new SimpleMeterRegistry());
    return new BlacklistKeeper(
        bans,
        new InMemoryEvents(),
        PARTITIONS,
        new AdmissionLimits(
            admission, List.of(), new BannedBuyers(System::nanoTime), System::nanoTime, meters),
        new Blacklist.Terms(
            Duration.ofSeconds(admission.banS()), Duration.ofSeconds(admission.secondLookS())),
        Runnable::run,
        System::nanoTime,
        meters);
  }

  /** A connection on which nothing is said. */
  Socket connection() throws IOException {
    return new Socket("127.0.0.1", verticle.port());
  }

  @Override
  public void close() {
    HttpProbe.await(vertx.close());
  }
}
