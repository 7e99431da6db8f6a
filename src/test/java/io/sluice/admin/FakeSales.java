package io.sluice.admin;

import io.sluice.ledger.InMemoryJobs;
import io.sluice.ledger.OrderJob;
import io.sluice.ledger.SaleLedger;
import io.sluice.ledger.SkuLedger.StateChange;
import io.sluice.model.IfMatch;
import io.sluice.model.Sale;
import io.sluice.model.Sale.SaleTerms;
import io.sluice.model.Sku;
import io.sluice.model.Sku.Membership;
import io.sluice.model.SkuSettings;
import io.sluice.model.SkuSettings.Watermarks;
import io.sluice.model.SkuState;
import io.sluice.model.Skus;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/** Sales with scripted answers that record their calls. */
public final class FakeSales implements SaleLedger {
  public static final Sale SALE =
      new Sale(
          "phones-12",
          "Singles' day, phones",
          false,
          new SaleTerms(1796119200000L, 0, 300, false),
          SkuState.SCHEDULED,
          false,
          1,
          1,
          1795248000000L);

  /** The ledger's clock, by which jobs are free. */
  public volatile long nowMs = SALE.createdAtMs();

  public final InMemoryJobs jobs = new InMemoryJobs(() -> nowMs);
  public final List<String> asked = new CopyOnWriteArrayList<>();
  public volatile NewSale lastPut;
  public volatile IfMatch lastIfMatch;
  public volatile Future<PutResult> putResult = Future.failedFuture("not told");
  public volatile Future<ChangeResult> changeResult = Future.failedFuture("not told");
  public volatile Optional<Seen> seen = Optional.empty();
  public volatile List<Seen> page = List.of();
  public volatile List<StateTotals> totals = List.of();

  /** Whether a sale cannot be read. */
  public volatile boolean readFails;

  public volatile List<Sku> skus = List.of();

  /** SKUs that are in a later sale. */
  public volatile List<Member> left = List.of();

  public volatile Future<List<String>> behind = Future.succeededFuture(List.of());

  /** The answers to takeOver, the last of which is repeated. */
  public final Deque<Future<Boolean>> takeOvers =
      new ArrayDeque<>(List.of(Future.succeededFuture(false)));

  /** The answers to delete, the last of which is repeated. */
  public final Deque<Future<DeleteResult>> deletes =
      new ArrayDeque<>(List.of(Future.failedFuture("not told")));

  /** A SKU of the sale. */
  public static Sku sku(long skuId) {
    SkuSettings settings = SALE.terms().settings(1, Watermarks.DEFAULT);
    return Skus.open(skuId, 500, 1, settings)
        .with(settings, SALE.state(), SALE.state(), new Membership(1, SALE.saleId(), false, 1, 0));
  }

  /** A SKU that is in a later sale, and has sold so many of its 500 units in this one. */
  public static Member left(long skuId, long sold) {
    Sku sku = sku(skuId);
    return new Member(
        sku.with(sku.settings(), SkuState.ENDED, SkuState.ENDED, sku.membership()), false, sold);
  }

  @Override
  public Future<PutResult> put(NewSale sale) {
    asked.add("put " + sale.saleId());
    lastPut = sale;
    return putResult;
  }

  @Override
  public Future<ChangeResult> change(String saleId, StateChange change, IfMatch ifMatch) {
    lastIfMatch = ifMatch;
    asked.add("change " + saleId + " " + change);
    return changeResult;
  }

  @Override
  public Future<Void> endClosed(String saleId, long closedForMs) {
    asked.add("endClosed " + saleId + " " + closedForMs);
    return Future.succeededFuture();
  }

  @Override
  public Future<ChangeResult> archive(String saleId, IfMatch ifMatch) {
    lastIfMatch = ifMatch;
    asked.add("archive " + saleId);
    return changeResult;
  }

  @Override
  public Future<DeleteResult> delete(String saleId) {
    asked.add("delete " + saleId);
    return deletes.size() > 1 ? deletes.poll() : deletes.peek();
  }

  @Override
  public Future<Boolean> takeOver(String saleId) {
    asked.add("takeOver " + saleId);
    return takeOvers.size() > 1 ? takeOvers.poll() : takeOvers.peek();
  }

  @Override
  public Future<List<String>> behind(String afterSaleId, int limit) {
    asked.add(afterSaleId.isEmpty() ? "behind" : "behind " + afterSaleId);
    return behind.map(
        all -> all.stream().filter(id -> id.compareTo(afterSaleId) > 0).limit(limit).toList());
  }

  @Override
  public Future<Optional<Seen>> sale(String saleId) {
    return readFails ? Future.failedFuture("the database is gone") : Future.succeededFuture(seen);
  }

  @Override
  public Future<List<Seen>> sales(String afterSaleId, int limit) {
    asked.add("sales " + afterSaleId + " " + limit);
    return Future.succeededFuture(page);
  }

  @Override
  public Future<List<StateTotals>> totals(String saleId) {
    return Future.succeededFuture(totals);
  }

  @Override
  public Future<List<Sku>> skusOf(String saleId, long afterSkuId, int limit) {
    asked.add("skusOf " + saleId + " " + afterSkuId);
    return Future.succeededFuture(
        new ArrayList<>(
            skus.stream().filter(sku -> sku.skuId() > afterSkuId).limit(limit).toList()));
  }

  @Override
  public Future<List<Member>> members(String saleId, long afterSkuId, int limit) {
    return Future.succeededFuture(
        Stream.concat(skus.stream().map(Member::current), left.stream())
            .filter(member -> member.sku().skuId() > afterSkuId)
            .limit(limit)
            .toList());
  }

  @Override
  public Future<OrderJob> startJob(OrderJob wanted) {
    return jobs.start(wanted);
  }

  @Override
  public Future<Optional<OrderJob>> job(String jobId) {
    return jobs.job(jobId);
  }

  @Override
  public Future<List<OrderJob>> jobs(OrderJob.State state, int limit) {
    return jobs.jobs(state, limit);
  }

  @Override
  public Future<Optional<OrderJob>> takeJob(Duration lease) {
    return jobs.take(lease);
  }

  @Override
  public Future<Optional<OrderJob>> saveJob(OrderJob job, Duration lease) {
    return jobs.save(job, lease);
  }

  @Override
  public Future<Optional<OrderJob>> stopJob(String jobId) {
    return jobs.stop(jobId);
  }
}
