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
import java.util.stream.LongStream;

/**
 * Row 12: owners book a backlog into a ledger that has millions of ended orders and a small buffer
 * pool, relative to an empty ledger of the same server. First these are orders of earlier sales,
 * then as many are added of the SKU that sells, among whose tokens each new one has its place. Each
 * run books both; the empty ledger is a new one each time.
 */
public final class LargeMeasured implements Measurement {
  private static final int LARGE = Integer.getInteger("large", 5_000_000);
  private static final long POOL_BYTES = 128L << 20;
  private static final long POOL_BYTES_WHILE_WRITING = 4L << 30;

  /** Of earlier sales: orders of 200,000 units each, by default. */
  private static final int EARLIER_SKUS = 25;

  private static final int EARLIER_BUCKETS = 8;

  /** The figure with all orders of the SKU that sells. */
  public static final String OF_THE_SAME_SKU =
      "into 5,000,000 more, all of the SKU that sells / into an empty one";

  /** The rows are written in random order, which would take hours in the small pool. */
  private static final ServerOptions WHILE_WRITING =
      ServerOptions.none()
          .withMysql("innodb-buffer-pool-size", String.valueOf(POOL_BYTES_WHILE_WRITING))
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
      try (DrainSite sale = bench.newSite(2 * plan.runs())) {
        LargeLedger large =
            new LargeLedger(
                bench, sale, new BufferPool(backends.mysql(), sale.ledger()), plan, step);
        large.write(
            LongStream.rangeClosed(1, EARLIER_SKUS).map(n -> sale.skuId() - n).boxed().toList(),
            EARLIER_BUCKETS);
        large.book(
            (empty, full) -> {
              result.figure("booked/s, empty ledger", empty);
              result.figure("booked/s, large ledger", full);
              result.ratio(full / empty);
            });
        result.note(sizes(sale, LARGE));
        large.write(List.of(sale.skuId()), bench.buckets());
        large.book(
            (empty, full) -> {
              result.figure("booked/s, empty ledger again", empty);
              result.figure("booked/s, large SKU", full);
              result.figure(OF_THE_SAME_SKU, full / empty);
            });
        result.note(sizes(sale, 2L * LARGE));
      }
    }
    processors.stream().skip(Math.max(0, processors.size() - 2)).forEach(result::note);
  }

  /** What comes of a run: orders booked a second into an empty ledger and into the large one. */
  private interface Booked {
    void into(double empty, double full);
  }

  private record LargeLedger(
      DrainBench bench, DrainSite site, BufferPool pool, Plan plan, Consumer<String> step) {

    /** Writes ended orders, as many of each SKU; the buffer pool is small again afterwards. */
    void write(List<Long> skuIds, int buckets) {
      pool.resize(POOL_BYTES_WHILE_WRITING);
      EndedOrders ended =
          new EndedOrders(sql -> site.ledger().query(sql, row -> row), site.partitions());
      int each = LARGE / skuIds.size();
      for (int n = 0; n < skuIds.size(); n++) {
        int before = n * each;
        ended.write(
            skuIds.get(n),
            buckets,
            each,
            written ->
                step.accept("writing orders: %,d of %,d".formatted(before + written, LARGE)));
      }
      step.accept("making the buffer pool smaller");
      pool.resize(POOL_BYTES);
    }

    void book(Booked booked) {
      for (int run = 0; run < plan.runs(); run++) {
        step.accept("booking into an empty ledger");
        double empty = bench.emptyRound();
        step.accept("booking into the large one");
        booked.into(empty, bench.round(site));
      }
    }
  }

  private static String sizes(DrainSite large, long written) {
    // Not counted, which would take minutes in the small pool. What was written first is in no
    // counter.
    long orders = written + large.booked();
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
