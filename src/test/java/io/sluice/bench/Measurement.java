package io.sluice.bench;

import io.sluice.bench.site.Site;
import java.util.function.Consumer;

/** A row that is prepared on a site: its SKUs are there, and the service is warm. */
public interface Measurement extends AutoCloseable {
  /** Measures once, and adds a value of each figure. */
  void run(Result result);

  /** Leaves the site as other rows expect it. */
  @Override
  default void close() {}

  /** Prepares a row; {@code step} is told what is being done. */
  interface Maker {
    Measurement on(Site site, Plan plan, Consumer<String> step);
  }
}
