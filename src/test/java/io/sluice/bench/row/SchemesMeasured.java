package io.sluice.bench.row;

import io.sluice.bench.Plan;
import io.sluice.bench.load.Heard;
import io.sluice.bench.load.LoadSpec;
import io.sluice.bench.load.OwnGenerator;
import io.sluice.bench.schemes.SchemeKind;
import io.sluice.bench.site.Contender;
import io.sluice.bench.site.SchemeContender;
import io.sluice.bench.site.Site;
import io.sluice.bench.site.SluiceContender;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * The other known schemes and Sluice, each with the same sale: how fast it grants and refuses, the
 * effect of a restock in the middle, and what a kill between its steps loses.
 */
public final class SchemesMeasured {
  private static final int UNITS = 2_000;
  private static final int RESTOCKED = 500;
  private static final int VOLLEYS_MAX = 8;
  private static final Duration KILL_AFTER = Duration.ofMillis(1_500);

  /**
   * The result for one scheme.
   *
   * @param oversold yeses beyond the units on sale
   * @param stranded units that could not be bought although buyers went on asking
   * @param unitsLost after a kill: deducted units without an order
   * @param yesesLost after a kill: buyers who were told yes and have no order
   */
  public record Outcome(
      String name,
      double grantsPerS,
      double refusalsPerS,
      long p99Us,
      long oversold,
      long stranded,
      long unitsLost,
      long yesesLost,
      String loses) {}

  private final Site site;
  private final Plan plan;
  private final OwnGenerator generator = new OwnGenerator();

  public SchemesMeasured(Site site, Plan plan) {
    this.site = site;
    this.plan = plan;
  }

  public List<Outcome> measure(Consumer<String> step) {
    List<Outcome> outcomes = new ArrayList<>();
    for (SchemeKind kind : SchemeKind.values()) {
      step.accept(kind.title());
      try (Contender contender = new SchemeContender(site, plan, kind)) {
        outcomes.add(measure(contender, kind.loses()));
      }
    }
    step.accept("Sluice");
    outcomes.add(
        measure(
            new SluiceContender(site),
            "nothing: the unit is swept into the ledger or comes back, and no yes is lost"));
    return outcomes;
  }

  private Outcome measure(Contender contender, String loses) {
    long plenty = contender.newSku(GrantsMeasured.PLENTY);
    fire(contender, plenty, plan.warmUp());
    Heard grants = fire(contender, plenty, plan.length());
    contender.settle();
    long[] sale = sale(contender);
    Heard refusals = fire(contender, sale[0], plan.length());
    long total = UNITS + RESTOCKED;
    long granted = sale[1] + refusals.accepted();
    contender.settle();
    long[] lost = kill(contender);
    return new Outcome(
        contender.name(),
        grants.accepted() / grants.seconds(),
        refusals.refused() / refusals.seconds(),
        grants.p99Us(),
        Math.max(0, granted - total),
        Math.max(0, total - granted),
        lost[0],
        lost[1],
        loses);
  }

  /** Runs a sale with a restock in its middle until no request is granted any more. */
  private long[] sale(Contender contender) {
    long sku = contender.newSku(UNITS);
    CompletableFuture<Void> restock =
        CompletableFuture.runAsync(
            () -> {
              LockSupport.parkNanos(plan.length().toNanos() / 2);
              contender.restock(sku, RESTOCKED);
            });
    long granted = fire(contender, sku, plan.length()).accepted();
    restock.join();
    for (int i = 0; i < VOLLEYS_MAX; i++) {
      long more = fire(contender, sku, plan.length()).accepted();
      granted += more;
      if (more == 0) {
        break;
      }
    }
    return new long[] {sku, granted};
  }

  /** Kills the contender while it grants, restarts it, and counts what was lost. */
  private long[] kill(Contender contender) {
    long sku = contender.newSku(GrantsMeasured.PLENTY);
    CompletableFuture<Void> kill =
        CompletableFuture.runAsync(
            () -> {
              LockSupport.parkNanos(KILL_AFTER.toNanos());
              contender.kill();
            });
    long heard = fire(contender, sku, Duration.ofSeconds(2)).accepted();
    kill.join();
    contender.restart();
    contender.settle();
    Contender.Books books = contender.books(sku);
    return new long[] {
      Math.max(0, books.deducted() - books.recorded()), Math.max(0, heard - books.recorded())
    };
  }

  private Heard fire(Contender contender, long sku, Duration length) {
    LoadSpec volley = site.volley(contender.url(), length, sku, 1);
    return generator.fire(volley);
  }
}
