package io.sluice.bench.site;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The processor time of the service and its servers between begin and end. {@code
 * -Ddatabase.pid=PID} adds the database where the environment names it.
 */
public final class CpuSpent {
  /** What the service is called among the parts. */
  public static final String SERVICE = "service";

  private final Map<String, Long> pids;
  private final Map<String, Duration> spent = new LinkedHashMap<>();
  private Map<String, Duration> before = Map.of();

  private CpuSpent(Map<String, Long> pids) {
    this.pids = pids;
  }

  public static CpuSpent of(Site site) {
    Map<String, Long> pids = new LinkedHashMap<>();
    pids.put(SERVICE, site.service().pid());
    site.backends().all().stream()
        .filter(backend -> backend.killable())
        .forEach(backend -> pids.put(backend.name(), backend.pid()));
    long database = Long.getLong("database.pid", 0);
    if (database > 0) {
      pids.putIfAbsent(site.backends().mysql().name(), database);
    }
    return new CpuSpent(pids);
  }

  static List<Long> pids(Site site) {
    return List.copyOf(of(site).pids.values());
  }

  public void begin() {
    before = read();
  }

  public void end() {
    read().forEach((name, now) -> spent.merge(name, now.minus(before.get(name)), Duration::plus));
  }

  /** Of one part, in microseconds per order. */
  public double usPerOrder(String part, long orders) {
    return spent.get(part).toNanos() / 1e3 / orders;
  }

  /** Of all processes, in microseconds. */
  public double usPerOrder(long orders) {
    return spent.values().stream().mapToLong(Duration::toNanos).sum() / 1e3 / orders;
  }

  /** As text, per order. */
  public String perOrder(long orders) {
    return String.format(Locale.ROOT, "%.1f us of CPU time per order", usPerOrder(orders))
        + spent.entrySet().stream()
            .map(
                part ->
                    String.format(
                        Locale.ROOT,
                        "%s %.1f",
                        part.getKey(),
                        part.getValue().toNanos() / 1e3 / orders))
            .collect(Collectors.joining(", ", " (", ")"));
  }

  /** By part, in percent of one processor that works all this time. */
  public Map<String, Double> percentOf(Duration time) {
    Map<String, Double> percent = new LinkedHashMap<>();
    spent.forEach((name, used) -> percent.put(name, 100.0 * used.toNanos() / time.toNanos()));
    return percent;
  }

  private Map<String, Duration> read() {
    Map<String, Duration> now = new LinkedHashMap<>();
    pids.forEach(
        (name, pid) ->
            now.put(
                name,
                ProcessHandle.of(pid)
                    .flatMap(process -> process.info().totalCpuDuration())
                    .orElse(Duration.ZERO)));
    return now;
  }
}
