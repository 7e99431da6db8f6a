package io.sluice.owner;

import io.sluice.async.AsyncLoop;
import io.sluice.ledger.Ledger;
import io.sluice.ledger.Step;
import io.sluice.ledger.Step.Result;
import io.sluice.ledger.UnprocessableException;
import io.sluice.ledger.rules.GrantFlaw;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.Reason;
import io.sluice.monitor.Alarm;
import io.sluice.owner.RebuildRequest.RebuildSupersededException;
import io.sluice.stock.BucketCode;
import io.sluice.stock.StockStore;
import io.vertx.core.Future;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Books grants that Redis has and the log does not deliver. */
record UnbookedGrants(Ledger ledger, OwnedLedger owned, Ownership ownership, StockStore stock) {
  static final int PAGE_MAX = 500;
  private static final Logger log = LoggerFactory.getLogger(UnbookedGrants.class);

  UnbookedGrants(OwnerContext context) {
    this(context.ledger(), context.owned(), context.ownership(), context.stock());
  }

  /**
   * Books all grants that are unbooked in a bucket now, regardless of their age and of whether the
   * log has them, since the log may have lost them. Later grants are delivered by the log.
   */
  Future<Void> bookAll(BucketId bucket) {
    return stock
        .snapshot(bucket, List.of(), 0)
        .compose(
            seen -> {
              tell(bucket, seen.unbookedCount());
              Pages pages = new Pages(bucket, seen.unbookedCount());
              return AsyncLoop.whileTrue(pages::next);
            });
  }

  private static void tell(BucketId bucket, long grants) {
    if (grants > 0) {
      log.atWarn()
          .addKeyValue("bucket", bucket)
          .addKeyValue("grants", grants)
          .log("grants that only Redis still knows are booked");
    }
  }

  /** The grants of a bucket that were counted: no later ones. */
  private final class Pages {
    private final BucketId bucket;
    private final long counted;
    private long booked;
    private int skip;

    Pages(BucketId bucket, long counted) {
      this.bucket = bucket;
      this.counted = counted;
    }

    /** Books one page; true if there may be another. */
    Future<Boolean> next() {
      return counted == 0
          ? Future.succeededFuture(false)
          : stock.overdue(bucket, 0, PAGE_MAX, skip).compose(this::book);
    }

    private Future<Boolean> book(StockStore.Overdue page) {
      List<Grant> grants = page.grants();
      Future<Void> inLedger =
          grants.isEmpty() ? Future.succeededFuture() : UnbookedGrants.this.book(grants);
      if (page.code() != BucketCode.OK) {
        // Frozen, or of a lost history: they stay in Redis until the bucket is loaded.
        skip += PAGE_MAX;
        return inLedger.map(done -> skip < counted);
      }
      booked += grants.size();
      if (grants.isEmpty()) {
        skip += StockStore.PASSED_OVER;
        return Future.succeededFuture(skip < counted);
      }
      return inLedger.compose(done -> taken(bucket, grants)).map(done -> booked + skip < counted);
    }
  }

  /**
   * Removes the booked grants from {@code unbooked}; else the next page would return them again.
   */
  private Future<Void> taken(BucketId bucket, List<Grant> grants) {
    return stock
        .book(
            bucket,
            ownership.term(),
            ownership.booked(),
            grants.stream().map(Grant::token).toList())
        .compose(
            code ->
                code == BucketCode.OK
                    ? Future.succeededFuture()
                    : Future.failedFuture(new RebuildSupersededException(bucket, code)));
  }

  /**
   * Books these grants of a bucket through the gate. Those of carts whose lead has gone on to
   * another partition are on its log then, where they are found booked or dropped. They are no
   * longer unbooked here, else they would be sent there without end.
   */
  Future<Void> book(BucketId bucket, List<Grant> grants) {
    return book(grants)
        .compose(done -> ofLeadsElsewhere(bucket, grants))
        .compose(gone -> gone.isEmpty() ? Future.succeededFuture() : taken(bucket, gone));
  }

  private Future<List<Grant>> ofLeadsElsewhere(BucketId bucket, List<Grant> grants) {
    Set<BucketId> elsewhere = new HashSet<>();
    Set<BucketId> leads = new TreeSet<>();
    grants.forEach(grant -> leads.add(grant.lead().token().bucketId()));
    leads.remove(bucket);
    return AsyncLoop.forEach(
            leads,
            lead ->
                ledger
                    .bucket(lead)
                    .onSuccess(
                        row ->
                            row.filter(found -> found.partition() != ownership.partition())
                                .ifPresent(found -> elsewhere.add(lead)))
                    .mapEmpty())
        .map(
            done ->
                grants.stream()
                    .filter(grant -> elsewhere.contains(grant.lead().token().bucketId()))
                    .toList());
  }

  Future<Void> book(List<Grant> grants) {
    List<Command> commands = grants.stream().map(this::bookable).toList();
    return owned.apply(commands).recover(failure -> reject(commands, failure)).mapEmpty();
  }

  /** A grant that the gate would only dead-letter stays in Redis: it is rejected. */
  private Command bookable(Grant grant) {
    String flaw = GrantFlaw.of(grant);
    if (flaw == null) {
      return new Command.Reserve(grant, null);
    }
    alarm("Expected " + flaw);
    return new Command.Reject(grant, Reason.UNPROCESSABLE);
  }

  /**
   * A grant that the ledger cannot store can never become an order: it is rejected, and its units
   * are released.
   */
  private Future<Result.Applied> reject(List<Command> reserves, Throwable failure) {
    if (!(failure instanceof UnprocessableException)) {
      return Future.failedFuture(failure);
    }
    alarm(failure.getMessage());
    return new PoisonSearch(ledger, Step.check(ownership.fence()), UnbookedGrants::rejection)
        .replacePoison(reserves)
        .compose(owned::apply);
  }

  private void alarm(@Nullable String cause) {
    Alarm.SWEPT_GRANT_REFUSED.raise(
        log.atError().addKeyValue("partition", ownership.partition()).addKeyValue("cause", cause));
  }

  private static Command rejection(Command poison, Throwable why) {
    return poison instanceof Command.Reserve reserve
        ? new Command.Reject(reserve.grant(), Reason.UNPROCESSABLE)
        : poison;
  }
}
