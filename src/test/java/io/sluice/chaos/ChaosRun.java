package io.sluice.chaos;

import io.sluice.chaos.buyer.Buyers;
import io.sluice.chaos.buyer.Client;
import io.sluice.chaos.buyer.Goods;
import io.sluice.chaos.buyer.Goods.Item;
import io.sluice.chaos.buyer.Listener;
import io.sluice.chaos.buyer.OrderStory;
import io.sluice.chaos.buyer.Prober;
import io.sluice.chaos.buyer.Restocker;
import io.sluice.chaos.buyer.Seasons;
import io.sluice.chaos.check.SeasonCheck;
import io.sluice.chaos.fault.ChaosPlan;
import io.sluice.chaos.fault.ExpectedAlarms;
import io.sluice.chaos.fault.FaultInjector;
import io.sluice.chaos.fault.Recoveries;
import io.sluice.chaos.fault.Rewinds;
import io.sluice.chaos.fault.Scene;
import io.sluice.chaos.fault.Targets;
import io.sluice.testkit.mysql.LedgerReader.Stock;
import io.sluice.testkit.server.Backend;
import io.sluice.testkit.site.SaleSite;
import io.sluice.testkit.site.SluiceProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/** One run: traffic, faults, settling, checks, report. */
final class ChaosRun implements AutoCloseable {
  private static final int BUYERS_PER_S = 50;

  /**
   * Units added to each bucket before a backup of the ledger is taken: as many as buyers may take
   * from it until the backup is restored.
   */
  private static final int ROOM = 150;

  private static final Duration SETTLE_LIMIT = Duration.ofSeconds(90);
  private static final Duration TELL_EVERY = Duration.ofSeconds(5);
  private static final int SHOWN_MAX = 10;
  private static final Path REPORT = Path.of("target", "chaos-report.md");

  private final ChaosPlan plan;
  private final SaleSite site;
  private final Targets targets;
  private final Rewinds rewinds;
  private final FaultInjector striker;
  private final Client client;
  private final Verdict verdict = new Verdict();
  private final long startNs = System.nanoTime();
  private Goods goods;
  private Buyers buyers;
  private Restocker restocker;
  private Seasons seasons;
  private Prober prober;
  private Listener listener;
  private Recoveries recoveries;

  ChaosRun(ChaosPlan plan, SaleSite site, Targets targets, Rewinds rewinds) {
    this.plan = plan;
    this.site = site;
    this.targets = targets;
    this.rewinds = rewinds;
    this.striker = new FaultInjector(targets, this::tell);
    this.client = new Client(site);
  }

  /** Runs the plan; the verdict is printed and written to {@code target/chaos-report.md}. */
  Verdict run() throws InterruptedException {
    tell(
        "seed %d: %d faults in %d scenes"
            .formatted(plan.seed(), plan.faults().size(), plan.scenes().size()));
    site.instances().forEach(instance -> instance.start());
    site.awaitReady();
    listener = new Listener(site);
    goods = Goods.open(site);
    buyers = new Buyers(site.vertx(), client, goods, BUYERS_PER_S);
    restocker = new Restocker(site, client, goods.restocked());
    seasons = new Seasons(site, client, goods.seasonal());
    prober = new Prober(client, goods.probed(), site.ledger());
    recoveries = new Recoveries(prober, site.partitions(), this::tell);
    targets.aroundRestore(this::rest, this::goOn);
    rewinds.readLog(() -> site.topics().all(site.ordersTopic()));
    prober.learn(site.partitions());
    long timer = site.vertx().setPeriodic(TELL_EVERY.toMillis(), t -> tell(progress()));
    prober.come(site.vertx());
    buyers.come();
    restocker.come();
    seasons.come();
    listener.come();
    for (Scene scene : plan.scenes()) {
      recoveries.await(striker.run(scene));
    }
    tell("all faults have ended");
    verdict.run(
        "The target of webhooks has each trouble while buyers come, however soon the faults end",
        "all troubles",
        this::awaitTroubles);
    settle();
    site.vertx().cancelTimer(timer);
    judge();
    report();
    return verdict;
  }

  /** Does not close the targets: their instances and connections belong to the site. */
  @Override
  public void close() {
    striker.close();
    if (listener != null) {
      listener.close();
    }
  }

  private void rest() {
    restocker.rest(ROOM);
    seasons.rest(ROOM);
  }

  private void goOn() {
    seasons.goOn();
    restocker.goOn();
  }

  private void awaitTroubles() {
    Awaitility.await().atMost(SETTLE_LIMIT).until(listener::hadAll);
  }

  private void settle() {
    buyers.stopComing();
    restocker.stopComing();
    seasons.stopComing();
    prober.stopComing();
    verdict.run(
        "Every request gets a final answer",
        "%,d buyers".formatted(buyers.came()),
        this::awaitAnswers);
    verdict.run(
        "The end of a sale is answered, and leaves nothing in Redis and nothing held",
        "the last of %d sales of one SKU".formatted(seasons.seasons().size()),
        this::awaitLastEnd);
    verdict.run("No order stays PENDING after its time to pay", "all orders", this::awaitAllEnded);
    listener.stopComing();
    tell("settled");
  }

  /** Also of those whose bucket is empty: units of others come, or all are sold out. */
  private void awaitAnswers() {
    try {
      Awaitility.await()
          .atMost(SETTLE_LIMIT)
          .until(() -> restocker.open() == 0 && buyers.open().isEmpty());
    } catch (ConditionTimeoutException e) {
      throw new AssertionError(
          "Expected final answers, but %d buyers and %d restocks have none%s"
              .formatted(buyers.open().size(), restocker.open(), lastHeard(buyers.open())),
          e);
    }
  }

  private void awaitLastEnd() {
    try {
      Awaitility.await()
          .atMost(SETTLE_LIMIT)
          .until(() -> seasons.isOver() && leftOfLastSale().isEmpty());
    } catch (ConditionTimeoutException e) {
      throw new AssertionError(
          "Expected that %s is over, but %s".formatted(seasons.seasons(), leftOfLastSale()), e);
    }
  }

  private List<String> leftOfLastSale() {
    Item item = goods.seasonal();
    List<Stock> ended =
        site.ledger().ended().stream().filter(bucket -> bucket.skuId() == item.skuId()).toList();
    List<String> keys = site.stock().keysOf(item.skuId(), site.partitions());
    return SeasonCheck.left(keys, ended, item.buckets());
  }

  private static String lastHeard(List<OrderStory> stories) {
    return stories.stream().limit(SHOWN_MAX).map(OrderStory::end).collect(Collectors.joining());
  }

  private void awaitAllEnded() {
    String pending = "SELECT COUNT(*) FROM orders WHERE status = 'PENDING'";
    Awaitility.await().atMost(SETTLE_LIMIT).until(() -> site.ledger().count(pending) == 0);
  }

  private void judge() {
    verdict.run(
        "P1, P3, P5, P6: counters = rows = view = Redis, nothing in flight",
        "all buckets",
        () -> site.checkPromises(SETTLE_LIMIT));
    List<OrderStory> stories = new ArrayList<>(client.stories());
    var checker =
        new InvariantChecker(
            site,
            goods,
            stories,
            targets.formerEvents(),
            rewinds,
            new ExpectedAlarms(striker.strikes()));
    checker.judge(verdict, restocker);
    checker.judge(verdict, seasons);
    checker.judge(verdict, listener);
    var sellOut = new SellOut(site, goods);
    verdict.find(
        "Nothing stranded: every unit that the ledger shows as available could be sold, wherever"
            + " its buyers are, and nobody heard sold-out before",
        "every SKU",
        sellOut::breaches);
    verdict.add(
        "Recovered from every fault without help",
        "each instance granting, each partition booking",
        recoveries.unrecovered());
    verdict.add(
        "Recovered in time from every fault that was alone",
        Recoveries.limits(plan.length()),
        recoveries.tooLong(plan.length()));
    verdict.add(
        "Every planned fault was injected", plan.faults().size() + " planned", striker.failures());
  }

  private void report() {
    String servers =
        targets.servers().stream().map(Backend::describe).collect(Collectors.joining(", "));
    var report =
        new ChaosReport(
            plan,
            servers,
            buyers.came(),
            buyers.fewestAtOnce(),
            client.tally(),
            recoveries.all(),
            verdict);
    report.write(REPORT);
    System.out.println(report.text());
    keepLogs();
  }

  /** Copies the logs next to the report, since the folders of the instances are deleted. */
  private void keepLogs() {
    for (SluiceProcess instance : site.instances()) {
      try {
        Files.writeString(REPORT.resolveSibling(instance.name() + ".log"), instance.log());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private String progress() {
    Map<String, Long> tally = client.tally();
    long yes =
        tally.entrySet().stream()
            .filter(entry -> entry.getKey().startsWith("PLACE 20"))
            .mapToLong(Map.Entry::getValue)
            .sum();
    long all = tally.values().stream().mapToLong(Long::longValue).sum();
    return "%,d buyers (%d waiting), %,d requests, %,d granted, %d faults ended"
        .formatted(buyers.came(), buyers.open().size(), all, yes, striker.strikes().size());
  }

  private void tell(String what) {
    System.out.printf("chaos %4d s: %s%n", (System.nanoTime() - startNs) / 1_000_000_000, what);
  }
}
