package io.sluice.bench;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.sluice.bench.site.Site;
import io.sluice.testkit.process.ProgressBar;
import io.sluice.testkit.process.Screen;
import io.sluice.testkit.server.Backend;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Measures the rows one after the other, writes {@code target/bench/report.md} with a chart and
 * prints a summary.
 *
 * <p>Exit code 0: every audit is clean, whatever the figures. 1: an audit is not clean, or
 * something failed.
 */
public final class Bench {
  private static final Path FOLDER = Path.of("target", "bench");

  private final Screen screen = Screen.ofStandardOutput();
  private final Plan plan = Plan.ofProperties();

  private Bench() {}

  /** Takes its options from system properties: see {@link Plan}. */
  public static void main(String[] args) {
    // The clients of this JVM would write into the progress bar.
    ((Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME)).setLevel(Level.OFF);
    System.exit(new Bench().run());
  }

  private int run() {
    screen.line("  starting Redis, Kafka, a database and the service");
    try (Site site = Site.open(plan);
        Site baseline = plan.isBesideBaseline() ? Site.ofBaseline(plan) : null) {
      boolean isMysql = site.backends().mysql().describe().startsWith("MySQL");
      Report report = new Report(setting(site), Goals.read(isMysql));
      for (Row row : plan.rows()) {
        measure(row, site, row.isBesideBaseline(plan) ? baseline : null, report);
        report.notes(row).forEach(note -> screen.line("     %s", note));
        write(report);
      }
      screen.line("");
      new Summary(report).text(kept(), plan.kept()).forEach(line -> screen.line("%s", line));
      return 0;
    } catch (BenchException | AssertionError e) {
      screen.line("  The benchmark failed: %s", e.getMessage());
      return 1;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void write(Report report) throws IOException {
    Files.createDirectories(FOLDER);
    String name = plan.quick() ? "quick" : "report";
    Files.writeString(FOLDER.resolve(name + ".md"), report.markdown());
    Optional<String> svg = new Chart(report.byRow()).svg();
    if (svg.isPresent()) {
      Files.writeString(FOLDER.resolve(name + ".svg"), svg.get());
    }
  }

  private Optional<String> kept() throws IOException {
    Path kept = Path.of(plan.kept());
    return Files.exists(kept) ? Optional.of(Files.readString(kept)) : Optional.empty();
  }

  /** Every other run starts with the older build, so that drift of the machine cancels out. */
  @SuppressWarnings("try") // The bar is a resource that is only closed.
  private void measure(Row row, Site site, @Nullable Site baseline, Report report) {
    AtomicReference<String> step = new AtomicReference<>("preparing");
    AtomicInteger done = new AtomicInteger();
    Result now = new Result();
    Result before = baseline == null ? null : new Result();
    int runs = row.runs(plan);
    try (var bar = ProgressBar.show(screen, row.word(), runs, done::get, step::get);
        Measurement unit = row.maker().on(site, plan, step::set);
        Measurement older =
            baseline == null
                ? null
                : row.maker().on(baseline, plan, at -> step.set("baseline: " + at))) {
      for (int run = 0; run < runs; run++) {
        if (older != null && run % 2 == 0) {
          older.run(before);
        }
        unit.run(now);
        if (older != null && run % 2 == 1) {
          older.run(before);
        }
        done.incrementAndGet();
      }
      step.set("auditing");
      audit(site, now);
      if (older != null) {
        audit(baseline, before);
      }
    }
    report.add(row, now, before);
  }

  private static void audit(Site site, Result result) {
    site.drain();
    result.note(site.books().audit());
  }

  private String setting(Site site) {
    return "%d processors for everything: generator (%s), service, %s. %d runs; JVMs %s %s."
        .formatted(
            Runtime.getRuntime().availableProcessors(),
            site.generator(),
            site.backends().all().stream().map(Backend::describe).collect(Collectors.joining(", ")),
            plan.runs(),
            plan.jvm(),
            plan.serviceJvm());
  }
}
