package io.sluice.bench.row;

import io.sluice.bench.BenchException;
import io.sluice.bench.Figure;
import io.sluice.bench.Measurement;
import io.sluice.bench.Plan;
import io.sluice.bench.Result;
import io.sluice.bench.load.Heard;
import io.sluice.bench.load.Heard.What;
import io.sluice.bench.load.LoadSpec;
import io.sluice.bench.site.ServiceMetrics;
import io.sluice.bench.site.Site;
import io.sluice.bench.site.Spent;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * As many orders as are answered, beside a reference of the same kind; beside an older build that
 * build is the reference. What an order costs includes that it is booked and told.
 */
public final class Saturated implements Measurement {
  /** More units than are ordered. */
  public static final long PLENTY = 100_000_000;

  static final int STAMPEDE = 512;
  private static final int CART_LINES = 3;
  private static final int BUCKETS = 64;
  private static final int LOOPS = Runtime.getRuntime().availableProcessors();
  private static final String HTTP_LOOPS = "SLUICE_HTTP_INSTANCES";

  /** SKUs over which the same demand is spread, so that nothing can be batched by SKU. */
  static final int MANY = Integer.getInteger("skus", 10_000);

  private final Site site;
  private final Plan plan;
  private final Consumer<String> step;
  private final LoadSpec orders;
  private final LoadSpec reference;
  private final Runnable atEnd;
  private final boolean isRefused;

  private Saturated(
      Site site, Plan plan, Consumer<String> step, LoadSpec orders, LoadSpec reference, Kind kind) {
    this.site = site;
    this.plan = plan;
    this.step = step;
    this.orders = orders;
    this.reference = reference;
    this.isRefused = kind == Kind.REFUSED;
    this.atEnd = kind == Kind.ON_ONE_LOOP ? () -> site.restart(Map.of(HTTP_LOOPS, "0")) : () -> {};
    step.accept("warming up");
    site.warmUp(orders);
    site.drain();
    if (!plan.isBesideBaseline()) {
      site.warmUp(reference);
    }
  }

  private enum Kind {
    GRANTED,
    REFUSED,
    ON_ONE_LOOP
  }

  /** More units than are ordered, so each request is a durable grant; beside the bare server. */
  public static Maker grants(int connections) {
    return besideBare(connections, PLENTY, Kind.GRANTED);
  }

  /** One unit is sold, then every request is refused as sold out; beside the bare server. */
  public static Maker refusals(int connections) {
    return besideBare(connections, 1, Kind.REFUSED);
  }

  /** Grants, by a service and a bare server of one event loop each. */
  public static Maker grantsOnOneLoop(int connections) {
    return (site, plan, step) -> {
      step.accept("starting the service with one event loop");
      site.restart(Map.of(HTTP_LOOPS, "1"));
      LoadSpec orders = site.volley(connections, site.newSkus(1, PLENTY), 1);
      return new Saturated(site, plan, step, orders, orders.at(site.bareUrl(1)), Kind.ON_ONE_LOOP);
    };
  }

  private static Maker besideBare(int connections, long units, Kind kind) {
    return (site, plan, step) -> {
      LoadSpec orders = site.volley(connections, site.newSkus(1, units), 1);
      return new Saturated(site, plan, step, orders, orders.at(site.bareUrl(LOOPS)), kind);
    };
  }

  /** The same demand for many SKUs, beside one. */
  public static Maker skus() {
    return besideOne(site -> site.volley(STAMPEDE, site.newSkus(MANY, PLENTY), MANY));
  }

  /** Orders of three SKUs, which are all in one partition, beside orders of one. */
  public static Maker carts() {
    return besideOne(
        site ->
            site.volley(STAMPEDE, site.newCartSkus(CART_LINES, PLENTY), 1).inCartsOf(CART_LINES));
  }

  /** A SKU of 64 buckets, beside one of one bucket. */
  public static Maker buckets() {
    return besideOne(site -> site.volley(STAMPEDE, site.newSkuOf(BUCKETS, PLENTY), 1));
  }

  /** A SKU that sells in the ledger alone, beside one that is granted by Redis. */
  public static Maker direct() {
    return besideOne(site -> site.volley(STAMPEDE, site.newDirectSku(PLENTY), 1));
  }

  private static Maker besideOne(Function<Site, LoadSpec> other) {
    return (site, plan, step) -> {
      step.accept("creating SKUs");
      LoadSpec one = site.volley(STAMPEDE, site.newSkus(1, PLENTY), 1);
      return new Saturated(site, plan, step, other.apply(site), one, Kind.GRANTED);
    };
  }

  @Override
  public void run(Result result) {
    double besides = plan.isBesideBaseline() ? 0 : reference();
    step.accept("orders");
    Spent spent = Spent.begin(site);
    long soldOut = ServiceMetrics.of(site).soldOut();
    Heard heard = site.fire(orders);
    if (isRefused) {
      expectRefused(heard, ServiceMetrics.of(site).soldOut() - soldOut);
    } else {
      expectGranted(heard);
      step.accept("booking");
      site.drain();
    }
    spent.on(heard.accepted() + heard.get(What.REFUSED), result);
    result.add(Figure.RATE, heard.perSecond());
    result.add(Figure.YES_P50, heard.yesMs(What.YES_P50_US, What.P50_US));
    result.add(Figure.YES_P99, heard.yesMs(What.YES_P99_US, What.P99_US));
    if (besides > 0) {
      result.add(Figure.RATIO, heard.perSecond() / besides);
    }
  }

  /** Booking a backlog would slow it down, so there is none before and after it. */
  private double reference() {
    site.drain();
    step.accept("reference");
    Heard heard = site.fire(reference);
    expectGranted(heard);
    site.drain();
    return heard.perSecond();
  }

  static void expectGranted(Heard heard) {
    if (heard.notAccepted() > 0) {
      throw new BenchException("Expected only grants, but got " + heard.counts());
    }
  }

  private static void expectRefused(Heard heard, long soldOut) {
    if (heard.accepted() > 0 || soldOut < heard.get(What.REFUSED)) {
      throw new BenchException(
          "Expected only sold-out, but got %s, of which %d are".formatted(heard.counts(), soldOut));
    }
  }

  @Override
  public void close() {
    atEnd.run();
  }
}
