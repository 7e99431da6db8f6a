package io.sluice.sale;

import io.sluice.testkit.site.Call;
import io.sluice.testkit.site.SaleSite;
import io.sluice.testkit.site.SluiceProcess;

/** The metrics page of an instance, {@code /metrics}. */
public record MetricsPage(String text) {
  public static MetricsPage of(SaleSite site, SluiceProcess instance) {
    return new MetricsPage(site.http().ask(Call.get(instance.adminUrl() + "/metrics")).body());
  }

  /** The same, of the site's first instance. */
  public static double value(SaleSite site, String name) {
    return of(site, site.instance(0)).value(name);
  }

  /** Whether a caller of this instance waits for an order to change. */
  public static boolean hasWaiter(SaleSite site, SluiceProcess instance) {
    return of(site, instance).value("sluice_http_long_polls") > 0;
  }

  /**
   * The value of a series, named with its labels, or the sum of all of a metric, named without; 0
   * where there is none yet.
   */
  public double value(String name) {
    return text.lines()
        .filter(line -> line.startsWith(name + " ") || line.startsWith(name + "{"))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
        .sum();
  }
}
