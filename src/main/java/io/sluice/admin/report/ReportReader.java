package io.sluice.admin.report;

import io.sluice.admin.report.SaleReport.Requests;
import io.sluice.async.AsyncLoop;
import io.sluice.ledger.SaleCounts;
import io.sluice.ledger.SaleCounts.Interval;
import io.sluice.ledger.SaleHistory;
import io.sluice.ledger.SaleHistory.Rest;
import io.sluice.ledger.SaleHistory.Slice;
import io.sluice.ledger.SaleLedger;
import io.sluice.ledger.SkuLedger;
import io.sluice.ledger.SkuLedger.Audit;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Reads what a report tells, in bounded slices one after the other: a sale that is still running
 * goes on meanwhile, so its report is complete only after its end.
 */
public final class ReportReader {
  /** How many SKUs are looked at again, each in one snapshot, if their rows do not add up. */
  private static final int AUDITS_MAX = 10;

  /** An instance counts 10 s before it writes, and may have to wait for the ledger. */
  private static final long AROUND_MS = 60_000;

  private final SaleLedger sales;
  private final SkuLedger skus;
  private final SaleHistory history;
  private final SaleCounts counts;

  public ReportReader(SaleLedger sales, SkuLedger skus, SaleHistory history, SaleCounts counts) {
    this.sales = sales;
    this.skus = skus;
    this.history = history;
    this.counts = counts;
  }

  /** The report of a sale; empty if there is none. */
  Future<Optional<SaleReport>> read(String saleId) {
    return sales
        .sale(saleId)
        .compose(
            seen ->
                seen.isEmpty()
                    ? Future.succeededFuture(Optional.empty())
                    : new Reading(new ReportDraft(seen.get())).all().map(Optional::of));
  }

  /** One report. */
  private final class Reading {
    private final ReportDraft draft;
    private final List<Long> differing = new ArrayList<>();
    private long reached;
    private @Nullable Rest rest;
    private @Nullable Interval lastInterval;
    private long unclear;

    Reading(ReportDraft draft) {
      this.draft = draft;
    }

    Future<SaleReport> all() {
      return AsyncLoop.whileTrue(this::grantsOfPage)
          .compose(
              granted -> {
                reached = 0;
                return AsyncLoop.whileTrue(this::endsOfPage);
              })
          .compose(ended -> audit())
          .compose(audited -> AsyncLoop.whileTrue(this::nextIntervals))
          .compose(counted -> finish());
    }

    /** First all grants: they tell when the sale was. */
    private Future<Boolean> grantsOfPage() {
      return sales
          .members(draft.saleId(), reached, SaleHistory.SKUS_MAX)
          .compose(
              page -> {
                if (page.isEmpty()) {
                  return Future.succeededFuture(false);
                }
                List<Long> ids = page.stream().map(member -> member.sku().skuId()).toList();
                reached = ids.get(ids.size() - 1);
                draft.begin(page);
                return slices(ids, this::grantsAfter).map(page.size() == SaleHistory.SKUS_MAX);
              });
    }

    private Future<Slice> grantsAfter(Rest left, long intervalMs) {
      return history.granted(left, intervalMs, SaleHistory.SLICE_MAX);
    }

    private Future<Boolean> endsOfPage() {
      List<Long> ids = draft.skusAfter(reached, SaleHistory.SKUS_MAX);
      if (ids.isEmpty()) {
        return Future.succeededFuture(false);
      }
      reached = ids.get(ids.size() - 1);
      return slices(ids, this::endsAfter)
          .compose(read -> skus.bucketsOf(ids))
          .onSuccess(draft::end)
          .map(true);
    }

    private Future<Slice> endsAfter(Rest left, long intervalMs) {
      return history.ended(left, intervalMs, SaleHistory.SLICE_MAX);
    }

    private Future<Void> slices(List<Long> ids, BiFunction<Rest, Long, Future<Slice>> slice) {
      rest = Rest.of(ids);
      return AsyncLoop.whileTrue(
          () -> {
            Rest left = rest;
            if (left == null) {
              return Future.succeededFuture(false);
            }
            return slice
                .apply(left, draft.intervalMs())
                .map(
                    found -> {
                      draft.add(found.groups());
                      rest = found.rest().orElse(null);
                      return true;
                    });
          });
    }

    /** Numbers that look wrong in slices may be right in one snapshot. */
    private Future<Void> audit() {
      List<Long> disagreeing = draft.disagreeing();
      unclear = Math.max(0, disagreeing.size() - AUDITS_MAX);
      return AsyncLoop.forEach(
          disagreeing.stream().limit(AUDITS_MAX).toList(),
          skuId ->
              skus.audit(skuId)
                  .onSuccess(
                      audit -> {
                        if (!audit.map(Audit::agrees).orElse(true)) {
                          differing.add(skuId);
                        }
                      }));
    }

    private Future<Boolean> nextIntervals() {
      Interval last = lastInterval;
      return counts
          .intervals(
              draft.saleId(),
              last == null ? 0 : last.beganMs(),
              last == null ? "" : last.instanceId())
          .map(
              found -> {
                draft.addIntervals(found);
                if (found.size() < SaleCounts.ROWS_MAX) {
                  return false;
                }
                lastInterval = found.get(found.size() - 1);
                return true;
              });
    }

    private Future<SaleReport> finish() {
      Requests requests = draft.requests();
      return draft
          .finish(requests, List.of(), differing, unclear)
          .period()
          .map(
              period -> counts.incidents(period.fromMs() - AROUND_MS, period.untilMs() + AROUND_MS))
          .orElse(Future.succeededFuture(List.of()))
          .map(incidents -> draft.finish(requests, incidents, differing, unclear));
    }
  }
}
