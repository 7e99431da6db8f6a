package io.sluice.bench.site;

import io.sluice.bench.Figure;
import io.sluice.bench.Result;
import io.sluice.testkit.server.Backend;
import java.time.Duration;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * What some orders cost, from {@link #begin} on: processor time of the service and its servers, and
 * requests, which say more than a few percent of time can on a noisy machine. {@code
 * -Ddatabase.pid=PID} adds the database if the environment names it.
 */
public final class Spent {
  private static final List<Figure> BACKENDS = List.of(Figure.REDIS, Figure.KAFKA, Figure.DATABASE);

  private static final Pattern CALLS = Pattern.compile("cmdstat_(?:evalsha|fcall):calls=(\\d+)");

  private final Site site;
  private final Map<Figure, Double> before;
  private final long beganNs = System.nanoTime();

  private Spent(Site site) {
    this.site = site;
    this.before = read(site);
  }

  public static Spent begin(Site site) {
    return new Spent(site);
  }

  /** The processes whose time is counted, by figure. */
  static Map<Figure, Long> pids(Site site) {
    Map<Figure, Long> pids = new LinkedHashMap<>();
    pids.put(Figure.SERVICE, site.service().pid());
    List<Backend> backends = site.backends().all();
    for (int i = 0; i < backends.size(); i++) {
      if (backends.get(i).killable()) {
        pids.put(BACKENDS.get(i), backends.get(i).pid());
      }
    }
    long database = Long.getLong("database.pid", 0);
    if (database > 0) {
      pids.putIfAbsent(Figure.DATABASE, database);
    }
    return pids;
  }

  /**
   * Adds, for each of so many orders, what was spent until now.
   *
   * @return the processor time of all, in microseconds an order
   */
  public double on(long orders, Result result) {
    Map<Figure, Double> now = read(site);
    double all = 0;
    for (Map.Entry<Figure, Double> at : now.entrySet()) {
      double each = (at.getValue() - before.get(at.getKey())) / Math.max(1, orders);
      result.add(at.getKey(), each);
      all += at.getKey().isProcessorTime() ? each : 0;
    }
    result.add(Figure.ALL, all);
    return all;
  }

  /** Adds the part of one processor that the service took until now, in percent. */
  public void idle(Result result) {
    double us = (System.nanoTime() - beganNs) / 1e3;
    Map<Figure, Double> now = read(site);
    result.add(Figure.IDLE, 100 * (now.get(Figure.SERVICE) - before.get(Figure.SERVICE)) / us);
    BACKENDS.stream()
        .filter(now::containsKey)
        .forEach(
            part ->
                result.note(
                    "idle: %.1f %% of a processor for %s"
                        .formatted(
                            100 * (now.get(part) - before.get(part)) / us,
                            part.words().substring(3))));
  }

  private static Map<Figure, Double> read(Site site) {
    Map<Figure, Double> now = new EnumMap<>(Figure.class);
    pids(site).forEach((part, pid) -> now.put(part, processorUs(pid)));
    now.put(Figure.RECORDS, sum(site.topics().endOffsets(Site.ORDERS)));
    now.put(Figure.STATEMENTS, statements(site));
    now.put(Figure.SCRIPTS, scripts(site));
    return now;
  }

  /** Of one process, since its start. */
  public static double processorUs(long pid) {
    return ProcessHandle.of(pid)
            .flatMap(process -> process.info().totalCpuDuration())
            .orElse(Duration.ZERO)
            .toNanos()
        / 1e3;
  }

  private static double sum(Map<Integer, Long> values) {
    return values.values().stream().mapToLong(Long::longValue).sum();
  }

  private static double statements(Site site) {
    String questions = "SHOW GLOBAL STATUS LIKE 'Questions'";
    return Double.parseDouble(site.ledger().query(questions, row -> row.getString(1)).get(0));
  }

  /** Calls of scripts, whose own commands are not counted. */
  private static double scripts(Site site) {
    return CALLS
        .matcher(site.backends().redis().administer("INFO commandstats"))
        .results()
        .mapToDouble(call -> Double.parseDouble(call.group(1)))
        .sum();
  }
}
