package io.sluice.bench;

import static java.util.Map.entry;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.sluice.bench.row.Alternated;
import io.sluice.bench.row.BacklogMeasured;
import io.sluice.bench.row.BesideBaseline;
import io.sluice.bench.row.BucketsMeasured;
import io.sluice.bench.row.CartsMeasured;
import io.sluice.bench.row.ClusterMeasured;
import io.sluice.bench.row.DirectMeasured;
import io.sluice.bench.row.DrainMeasured;
import io.sluice.bench.row.GrantsMeasured;
import io.sluice.bench.row.HeldMeasured;
import io.sluice.bench.row.IdleMeasured;
import io.sluice.bench.row.LargeMeasured;
import io.sluice.bench.row.LatencyMeasured;
import io.sluice.bench.row.LivesMeasured;
import io.sluice.bench.row.Measurement;
import io.sluice.bench.row.MovesMeasured;
import io.sluice.bench.row.OneByOneMeasured;
import io.sluice.bench.row.OverloadMeasured;
import io.sluice.bench.row.RecoveryMeasured;
import io.sluice.bench.row.RefusalsMeasured;
import io.sluice.bench.row.SchemesMeasured;
import io.sluice.bench.row.SkusMeasured;
import io.sluice.bench.row.TimeoutsMeasured;
import io.sluice.bench.row.TokensMeasured;
import io.sluice.bench.row.TracingMeasured;
import io.sluice.bench.schemes.SchemeKind;
import io.sluice.bench.site.BooksCheck;
import io.sluice.bench.site.Site;
import io.sluice.testkit.process.ProgressBar;
import io.sluice.testkit.process.Screen;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Measures the rows one after the other and writes the report.
 *
 * <p>Exit code 0: every audit is clean, whatever the ratios. 1: an audit is not clean, or something
 * failed.
 */
public final class Bench {
  private static final Map<Row, Measurement> MEASUREMENTS =
      Map.ofEntries(
          entry(Row.REFUSALS, new RefusalsMeasured()),
          entry(Row.GRANTS, new GrantsMeasured()),
          entry(Row.DRAIN, new DrainMeasured()),
          entry(Row.ONE_BY_ONE, new OneByOneMeasured()),
          entry(Row.LATENCY, new LatencyMeasured()),
          entry(Row.SKUS, new SkusMeasured()),
          entry(Row.HELD, new HeldMeasured()),
          entry(Row.OVERLOAD, new OverloadMeasured()),
          entry(Row.TOKENS, new TokensMeasured()),
          entry(Row.IDLE, new IdleMeasured()),
          entry(Row.LIVES, new LivesMeasured()),
          entry(Row.LARGE, new LargeMeasured()),
          entry(Row.RECOVERY, new RecoveryMeasured()),
          entry(Row.TIMEOUTS, new TimeoutsMeasured()),
          entry(Row.TRACING, new TracingMeasured()),
          entry(Row.CLUSTER, new ClusterMeasured()),
          entry(Row.CARTS, new CartsMeasured()),
          entry(Row.BUCKETS, new BucketsMeasured()),
          entry(Row.MOVES, new MovesMeasured()),
          entry(Row.DIRECT, new DirectMeasured()));

  /** They run this build inside the bench; the goal is about the build itself. */
  private static final Set<Row> WITHOUT_BASELINE = EnumSet.of(Row.LARGE);

  private final Screen screen = Screen.ofStandardOutput();
  private final Plan plan = Plan.ofProperties();

  private Bench() {}

  /** Takes its options from system properties: see {@link Plan}. */
  public static void main(String[] args) {
    // The clients of this JVM would write into the progress bar; the table shows failed requests
    // anyway.
    ((Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME)).setLevel(Level.OFF);
    System.exit(new Bench().run());
  }

  private int run() {
    List<Result> results = new ArrayList<>();
    screen.line("  starting Redis, Kafka, MariaDB, the service and the bare server");
    try (Site site = Site.open(plan, Map.of());
        Site baseline = plan.baseline().isBlank() ? null : Site.ofBaseline(plan)) {
      Report report = new Report(screen, plan, site);
      for (Row row : plan.rows()) {
        Result result = measure(site, baseline, row);
        awaitBooked(site);
        result.note(new BooksCheck(site).run());
        results.add(result);
        report.show(result);
        report.write(results);
      }
      if (plan.schemes()) {
        report.showSchemes(compare(site));
        report.write(results);
      }
      return 0;
    } catch (BenchException | AssertionError e) {
      screen.line("  The benchmark failed: %s", e.getMessage());
      return 1;
    }
  }

  @SuppressWarnings("try") // The bar is a resource that is only closed.
  private List<SchemesMeasured.Outcome> compare(Site site) {
    AtomicReference<String> step = new AtomicReference<>("preparing");
    AtomicLong done = new AtomicLong();
    try (var bar =
        ProgressBar.show(
            screen, "schemes", SchemeKind.values().length + 1L, done::get, step::get)) {
      return new SchemesMeasured(site, plan)
          .measure(
              name -> {
                step.set(name);
                done.incrementAndGet();
              });
    }
  }

  @SuppressWarnings("try") // The bar is a resource that is only closed.
  private void awaitBooked(Site site) {
    long all = site.open();
    AtomicLong left = new AtomicLong(all);
    try (var bar =
        ProgressBar.show(
            screen, "booking", all, () -> all - left.get(), () -> "records of the log")) {
      site.drain(left::set);
    }
  }

  @SuppressWarnings("try") // The bar is a resource that is only closed.
  private Result measure(Site site, @Nullable Site baseline, Row row) {
    Measurement measurement = MEASUREMENTS.get(row);
    Result result = new Result(row);
    if (baseline != null && !WITHOUT_BASELINE.contains(row)) {
      measurement =
          switch (row) {
            case REFUSALS -> new Alternated("refusals/s", 1, baseline);
            case GRANTS -> new Alternated("durable grants/s", Alternated.PLENTY, baseline);
            case DRAIN -> new BesideBaseline(new BacklogMeasured(), baseline);
            default -> new BesideBaseline(measurement, baseline);
          };
      result.besideBaseline();
    }
    AtomicReference<String> step = new AtomicReference<>("preparing");
    int ratios = measurement.ratios(plan);
    try (var bar =
        ProgressBar.show(screen, row.word(), ratios, result::runs, () -> "run: " + step.get())) {
      measurement.measure(site, plan, result, step::set);
    }
    return result;
  }
}
