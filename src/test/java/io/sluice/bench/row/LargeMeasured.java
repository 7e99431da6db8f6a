package io.sluice.bench.row;

import io.sluice.bench.Plan;
import io.sluice.bench.Result;
import io.sluice.bench.site.DrainSite;
import io.sluice.bench.site.EndedOrders;
import io.sluice.bench.site.Site;
import io.sluice.testkit.process.StartListener;
import io.sluice.testkit.server.Backends;
import io.sluice.testkit.server.ServerOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Row 12: owners book a backlog into a ledger that has millions of ended orders of the same SKU and
 * a small buffer pool, relative to an empty ledger of the same server. Each run books both; the
 * empty ledger is a new one each time.
 */
public final class LargeMeasured implements Measurement {
  private static final int LARGE = Integer.getInteger("large", 5_000_000);
  private static final long POOL_BYTES = 128L << 20;

  /** The rows are written in random order, which would take hours in the small pool. */
  private static final ServerOptions WHILE_WRITING =
      ServerOptions.none()
          .withMysql("innodb-buffer-pool-size", "4G")
          .withMysql("innodb-log-file-size", "1G");

  @Override
  public void measure(Site site, Plan plan, Result result, Consumer<String> step) {
    List<String> processors = new ArrayList<>();
    step.accept("starting servers of its own");
    try (Backends backends =
        Backends.start(Path.of("target", "bench", "large"), StartListener.SILENT, WHILE_WRITING)) {
      DrainBench bench = new DrainBench(backends, processors::add);
      step.accept("warming up");
      bench.warmUp();
      try (DrainSite large = bench.newSite(plan.runs())) {
        write(bench, large, step);
        step.accept("making the buffer pool smaller");
        new BufferPool(backends.mysql(), large.ledger()).resize(POOL_BYTES);
        for (int run = 0; run < plan.runs(); run++) {
          step.accept("booking into an empty ledger");
          double empty = bench.emptyRound();
          step.accept("booking into %,d orders".formatted(LARGE));
          double full = bench.round(large);
          result.figure("booked/s, empty ledger", empty);
          result.figure("booked/s, large ledger", full);
          result.ratio(full / empty);
        }
        result.note(sizes(large));
      }
    }
    processors.stream().skip(Math.max(0, processors.size() - 2)).forEach(result::note);
  }

  private static void write(DrainBench bench, DrainSite large, Consumer<String> step) {
    EndedOrders ended =
        new EndedOrders(sql -> large.ledger().query(sql, row -> row), large.partitions());
    ended.write(
        large.skuId(),
        bench.buckets(),
        LARGE,
        written -> step.accept("writing orders: %,d of %,d".formatted(written, LARGE)));
  }

  private static String sizes(DrainSite large) {
    long orders = large.ledger().count("SELECT COUNT(*) FROM orders");
    long bytes =
        large
            .ledger()
            .count(
                """
                SELECT CAST(SUM(data_length + index_length) AS SIGNED)
                FROM information_schema.tables WHERE table_schema = DATABASE()""");
    return "at the end %,d orders in %,d MiB of tables, buffer pool %d MiB"
        .formatted(orders, bytes >> 20, POOL_BYTES >> 20);
  }
}
