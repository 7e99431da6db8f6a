package io.sluice.ledger;

import io.sluice.ledger.SkuLedger.StateChange;
import io.sluice.ledger.rules.SaleRules;
import io.sluice.model.IfMatch;
import io.sluice.model.Sale;
import io.sluice.model.Sku;
import io.sluice.model.SkuState;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The sales on the tables of an {@link InMemoryLedger}. */
final class InMemorySales implements SaleLedger {
  private final InMemoryTables tables;
  private final InMemorySkus skus;
  private final InMemoryArchives archives;
  private final int partitions;
  private final InstantSource clock;
  private final InMemoryJobs jobs;

  InMemorySales(
      InMemoryTables tables,
      InMemorySkus skus,
      InMemoryArchives archives,
      int partitions,
      InstantSource clock) {
    this.tables = tables;
    this.skus = skus;
    this.archives = archives;
    this.partitions = partitions;
    this.clock = clock;
    this.jobs = new InMemoryJobs(clock::millis);
  }

  @Override
  public Future<PutResult> put(NewSale wanted) {
    return Future.succeededFuture(putNow(wanted));
  }

  private PutResult putNow(NewSale asked) {
    Sale was = tables.sales.get(asked.saleId());
    Optional<Sale> exists = Optional.ofNullable(was);
    if (!asked.put().ifMatch().isMet(exists.map(Sale::tag))) {
      return new PutResult.Moved(was != null);
    }
    Optional<PutResult.Invalid> missing = SaleRules.missing(asked);
    if (was == null && missing.isPresent()) {
      return missing.get();
    }
    if (was != null && was.state().isEnding()) {
      return new PutResult.IsEnding();
    }
    NewSale filled = SaleRules.whole(exists, asked);
    if (was != null && was.carts() != filled.carts()) {
      return new PutResult.CartsFixed(was.carts());
    }
    Map<Long, Sku> known = new TreeMap<>(tables.skus);
    known.keySet().retainAll(filled.skus().stream().map(SaleSku::skuId).toList());
    NewSale wanted = SaleRules.whole(filled, known);
    Optional<PutResult.Invalid> invalid = SaleRules.invalid(exists, wanted, known, clock.millis());
    if (invalid.isPresent()) {
      return invalid.get();
    }
    List<SkuFault> faults =
        SaleRules.faults(wanted, known, left(wanted.saleId()), tables.shapes(), partitions);
    if (!faults.isEmpty()) {
      return new PutResult.Refused(faults);
    }
    Sale sale =
        was == null
            ? SaleRules.create(wanted, clock.millis())
            : SaleRules.changed(was, wanted, clock.millis());
    long all =
        members(wanted.saleId()).count()
            + tables.earlier.of(wanted.saleId()).count()
            + wanted.skus().size()
            - members(wanted.saleId()).filter(sku -> known.containsKey(sku.skuId())).count();
    if (all > sale.skusMax()) {
      return new PutResult.Full(sale.skusMax(), all);
    }
    tables.sales.put(sale.saleId(), sale);
    Map<Long, Joined> joined = new LinkedHashMap<>();
    wanted.skus().forEach(one -> joined.put(one.skuId(), join(sale, one)));
    return new PutResult.Done(sale, was == null, joined, SaleRules.changes(exists, wanted, known));
  }

  private Joined join(Sale sale, SaleSku wanted) {
    Sku was = tables.skus.get(wanted.skuId());
    if (was == null) {
      skus.insert(SaleRules.member(sale, wanted, partitions));
      return Joined.CREATED;
    }
    if (SaleRules.rejoins(sale.saleId(), was)) {
      long base =
          tables.bucketsOf(was.skuId()).stream()
              .map(tables::bucket)
              .mapToLong(bucket -> bucket.held() + bucket.sold())
              .sum();
      Member.leaving(was, base).ifPresent(tables.earlier::add);
      skus.again(SaleRules.again(sale, was, wanted, base, partitions));
      return Joined.JOINED;
    }
    return write(was, SaleRules.takeOver(sale, SaleRules.withOwn(was, wanted)))
        ? Joined.CHANGED
        : Joined.KEPT;
  }

  /** Whether it sells otherwise now. */
  private boolean write(Sku was, Sku now) {
    if (SaleRules.differs(was, now)) {
      skus.write(now);
    } else {
      tables.skus.put(now.skuId(), now);
    }
    return SaleRules.isChanged(was, now);
  }

  private Set<Long> left(String saleId) {
    return tables
        .earlier
        .of(saleId)
        .map(member -> member.sku().skuId())
        .collect(Collectors.toSet());
  }

  private Stream<Sku> members(String saleId) {
    return tables.skus.values().stream().filter(sku -> saleId.equals(sku.membership().saleId()));
  }

  @Override
  public Future<ChangeResult> change(String saleId, StateChange change, IfMatch ifMatch) {
    Sale was = tables.sales.get(saleId);
    if (was == null) {
      return Future.succeededFuture(new ChangeResult.Unknown());
    }
    if (!ifMatch.isMet(Optional.of(was.tag()))) {
      return Future.succeededFuture(new ChangeResult.Moved());
    }
    if (SaleRules.barredByEnd(was, change)) {
      return Future.succeededFuture(new ChangeResult.IsEnding());
    }
    if (SaleRules.barredByFreeze(was, change)) {
      return Future.succeededFuture(new ChangeResult.IsFrozen());
    }
    Sale changed = SaleRules.change(was, change, clock.millis());
    tables.sales.put(saleId, changed);
    return Future.succeededFuture(new ChangeResult.Done(changed));
  }

  SkuLedger.ChangeResult follow(long skuId, IfMatch ifMatch) {
    Sku was = tables.skus.get(skuId);
    if (was == null) {
      return new SkuLedger.ChangeResult.Unknown();
    }
    String saleId = was.membership().saleId();
    if (saleId == null) {
      return skus.change(skuId, StateChange.FOLLOW, ifMatch);
    }
    if (!ifMatch.isMet(Optional.of(was.tag()))) {
      return new SkuLedger.ChangeResult.Moved();
    }
    SkuLedger.ChangeResult result = SaleRules.follow(tables.sales.get(saleId), was);
    if (result instanceof SkuLedger.ChangeResult.Done done) {
      write(was, done.sku());
    }
    return result;
  }

  @Override
  public Future<Void> endClosed(String saleId, long closedForMs) {
    Sale was = tables.sales.get(saleId);
    return was != null && was.isClosedFor(closedForMs, clock.millis())
        ? change(saleId, StateChange.END, IfMatch.NOTHING).mapEmpty()
        : Future.succeededFuture();
  }

  @Override
  public Future<ChangeResult> archive(String saleId, IfMatch ifMatch) {
    Sale was = tables.sales.get(saleId);
    if (was == null) {
      return Future.succeededFuture(new ChangeResult.Unknown());
    }
    if (!ifMatch.isMet(Optional.of(was.tag()))) {
      return Future.succeededFuture(new ChangeResult.Moved());
    }
    if (!was.state().isEnded()) {
      return Future.succeededFuture(new ChangeResult.NotEnded());
    }
    Sale now = SaleRules.archiving(was);
    tables.sales.put(saleId, now);
    return Future.succeededFuture(new ChangeResult.Done(now));
  }

  @Override
  public Future<DeleteResult> delete(String saleId) {
    return Future.succeededFuture(deleteNow(saleId));
  }

  private DeleteResult deleteNow(String saleId) {
    Sale sale = tables.sales.get(saleId);
    if (sale == null) {
      return new DeleteResult.Unknown();
    }
    if (!sale.state().isEnded()) {
      return new DeleteResult.NotEnded();
    }
    Optional<Sku> gone =
        tables.earlier.of(saleId).map(Member::sku).min(Comparator.comparing(Sku::skuId));
    if (gone.isPresent()) {
      Sku now = tables.sku(gone.get().skuId());
      return new DeleteResult.GoneOn(now.skuId(), now.membership().saleId());
    }
    List<Sku> all = members(saleId).toList();
    Optional<Sku> used = all.stream().filter(sku -> skus.hasOrders(sku.skuId())).findFirst();
    if (used.isPresent()) {
      return new DeleteResult.HasOrders(used.get().skuId());
    }
    List<Sku> some = SaleRules.firstStep(all.stream().limit(TAKE_OVER_SKUS_MAX).toList());
    some.forEach(tables::delete);
    if (some.size() < all.size() || some.size() == TAKE_OVER_SKUS_MAX) {
      return new DeleteResult.Working();
    }
    tables.sales.remove(saleId);
    return new DeleteResult.Done();
  }

  private boolean goesOn(Sale sale) {
    return sale.state() == SkuState.ENDING
        || sale.isArchiving()
        || behind(sale).findAny().isPresent();
  }

  private Stream<Sku> behind(Sale sale) {
    return members(sale.saleId()).filter(sku -> sku.membership().taken() < sale.version());
  }

  @Override
  public Future<Boolean> takeOver(String saleId) {
    Sale sale = tables.sales.get(saleId);
    if (sale == null) {
      return Future.succeededFuture(false);
    }
    List<Sku> some = SaleRules.firstStep(behind(sale).limit(TAKE_OVER_SKUS_MAX).toList());
    for (Sku sku : some) {
      if (sale.isArchiving()) {
        archives.archive(sku.skuId());
      }
      write(sku, SaleRules.takeOver(sale, sku));
    }
    return Future.succeededFuture(some.isEmpty() ? afterwards(sale) : true);
  }

  private boolean afterwards(Sale sale) {
    List<Sku> all = members(sale.saleId()).toList();
    if (sale.state() == SkuState.ENDING) {
      List<Sku> some =
          SaleRules.firstStep(
              all.stream()
                  .filter(
                      sku ->
                          SaleRules.mayEnd(sku)
                              && !InMemoryRestocks.isUnderWay(tables, sku.skuId()))
                  .limit(TAKE_OVER_SKUS_MAX)
                  .toList());
      some.forEach(sku -> write(sku, SaleRules.ending(sku)));
      if (some.isEmpty() && all.stream().allMatch(sku -> sku.state().isEnded())) {
        tables.sales.put(sale.saleId(), SaleRules.ended(sale));
      }
      return !some.isEmpty();
    }
    if (sale.isArchiving() && askEarlier(sale)) {
      return true;
    }
    boolean earlierOnes =
        tables.earlier.of(sale.saleId()).allMatch(left -> left.sku().state() == SkuState.ARCHIVED);
    if (sale.isArchiving()
        && earlierOnes
        && all.stream().allMatch(sku -> sku.state() == SkuState.ARCHIVED)) {
      tables.sales.put(sale.saleId(), SaleRules.archived(sale));
    }
    return false;
  }

  /** Whether any was to be asked for. */
  private boolean askEarlier(Sale sale) {
    List<Sku> some =
        tables
            .earlier
            .of(sale.saleId())
            .map(Member::sku)
            .filter(sku -> sku.state() == SkuState.ENDED && !isAsked(sku))
            .limit(TAKE_OVER_ARCHIVES_MAX)
            .toList();
    some.forEach(sku -> archives.archiveSale(sku.skuId(), sku.saleNo()));
    return !some.isEmpty();
  }

  private boolean isAsked(Sku sku) {
    InMemoryArchives.ArchiveJob job = tables.archives.get(sku.skuId());
    return job != null && job.saleNo() >= sku.saleNo();
  }

  @Override
  public Future<List<String>> behind(String afterSaleId, int limit) {
    return Future.succeededFuture(
        tables.sales.values().stream()
            .filter(this::goesOn)
            .map(Sale::saleId)
            .filter(id -> id.compareTo(afterSaleId) > 0)
            .limit(limit)
            .toList());
  }

  @Override
  public Future<Optional<Seen>> sale(String saleId) {
    return Future.succeededFuture(
        Optional.ofNullable(tables.sales.get(saleId)).map(sale -> new Seen(sale, clock.millis())));
  }

  @Override
  public Future<List<Seen>> sales(String afterSaleId, int limit) {
    return Future.succeededFuture(
        tables.sales.values().stream()
            .filter(sale -> sale.saleId().compareTo(afterSaleId) > 0)
            .limit(limit)
            .map(sale -> new Seen(sale, clock.millis()))
            .toList());
  }

  @Override
  public Future<List<StateTotals>> totals(String saleId) {
    return Future.succeededFuture(new InMemoryTotals(tables).of(saleId, members(saleId).toList()));
  }

  @Override
  public Future<List<Sku>> skusOf(String saleId, long afterSkuId, int limit) {
    return Future.succeededFuture(
        members(saleId).filter(sku -> sku.skuId() > afterSkuId).limit(limit).toList());
  }

  @Override
  public Future<List<Member>> members(String saleId, long afterSkuId, int limit) {
    return Future.succeededFuture(
        Stream.concat(
                members(saleId).map(Member::current), tables.earlier.of(saleId).map(this::named))
            .filter(member -> member.sku().skuId() > afterSkuId)
            .sorted(Comparator.comparingLong(member -> member.sku().skuId()))
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

  /** The name is that of the SKU, in whatever sale it is. */
  private Member named(Member left) {
    Sku sku = left.sku();
    return new Member(sku.named(tables.sku(sku.skuId()).name()), false, left.sold());
  }
}
