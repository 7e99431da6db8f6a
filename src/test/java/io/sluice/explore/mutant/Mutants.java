package io.sluice.explore.mutant;

import static io.sluice.model.Grants.inEpoch;

import io.sluice.explore.run.Routes;
import io.sluice.explore.run.Scenario;
import io.sluice.explore.store.Fault;
import io.sluice.explore.store.Intercept;
import io.sluice.ledger.BucketRow;
import io.sluice.ledger.BucketRow.LoadRow;
import io.sluice.ledger.Ledger;
import io.sluice.ledger.Ledger.Batch;
import io.sluice.ledger.Step;
import io.sluice.ledger.Step.Result;
import io.sluice.model.BucketId;
import io.sluice.model.Grant;
import io.sluice.stock.GrantOutcome;
import io.sluice.stock.Recorded;
import io.sluice.stock.ReserveReply;
import io.sluice.stock.StockStore;
import io.sluice.stock.StockStore.Snapshot;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** The mistakes that this protocol excludes, each planted around the real code. */
public enum Mutants {
  RELEASE_BEFORE_COMMIT(ReleaseFirst::new),
  NO_RUN_ID_CHECK(
      () ->
          new Defect() {
            @Override
            public boolean showsRunId() {
              return false;
            }
          }),
  NO_GRANT_DEADLINE(
      () ->
          new Defect() {
            @Override
            public int apiDeadlineMs(int deadlineMs) {
              return FOR_EVER_MS;
            }
          }),
  ALREADY_WITHOUT_THE_LOG(() -> Defect.ofStockAbove("reserve", call -> call.go(Mutants::asBooked))),
  NO_EPOCH_IN_THE_GATE(StaleGrantDefects::booked),
  ROW_FOR_A_STALE_GRANT(StaleGrantDefects::rejected),
  LEASE_WITH_AN_OLD_COPY(OldCopy::new),
  ENDED_TOKENS_NOT_RELOADED(
      () -> Defect.ofLedgerAbove("loadRows", call -> call.go(Mutants::liveOnly))),
  ADDS_TO_THE_TOTAL(AddingRestock::new),
  NO_TERM_IN_REDIS(NoTerm::new),
  SOLD_OUT_FOR_ONE_BUCKET(() -> Defect.ofStockAbove("snapshot", call -> call.go(Mutants::asEmpty))),
  ROUND_CHECKS_ONE_FENCE(RoundDefects::fenceOfTheFirst),
  ROUND_TELLS_WHAT_IS_UNDONE(RoundDefects::bookedThoughUndone),
  OFFSET_OUTSIDE_THE_TRANSACTION(() -> Defect.ofLedgerAbove("apply", Mutants::offsetFirst)),
  NO_EPOCH_FOR_DIRECT_BOOKINGS(
      () ->
          Defect.ofLedgerBelow(
              "book",
              (ledger, world, call) -> call.with(0, inEpochOfNow(ledger, call.argument(0))))),
  COMPARES_WHILE_OTHERS_BOOK(
      () ->
          new Defect() {
            @Override
            public boolean holdsStill() {
              return false;
            }
          }),
  COMPARES_WITHOUT_RELEASES(() -> HalfLook.at(false)),
  PASSES_BUCKETS_OVER(() -> HalfLook.at(true)),
  PARTS_RELEASED_AS_WHOLE_ORDERS(
      () ->
          Defect.ofStockAbove(
              "release", call -> call.with(2, Mutants.nothingLeft(call.argument(2))))),
  LOADS_WHAT_WAS_GRANTED(
      () -> Defect.ofLedgerAbove("loadRows", call -> call.go(Mutants::asGranted))),
  RELEASES_WHAT_HAS_LEFT_THE_STOCK(
      () ->
          Defect.ofStockAbove("release", call -> call.with(2, Mutants.allAgain(call.argument(2))))),
  LOADS_NO_UNITS_THAT_HAVE_LEFT_THE_STOCK(
      () ->
          Defect.ofStockAbove(
              "loadPage", call -> call.with(3, Mutants.nothingWithdrawn(call.argument(3))))),
  LOWERS_THE_TOTAL_BY_WHAT_HAS_LEFT_THE_STOCK(
      () ->
          Defect.ofLedgerAbove(
              "bucket",
              call -> call.<Optional<BucketRow>>go(row -> row.map(Mutants::withoutWithdrawn)))),
  CART_BOOKED_WITHOUT_A_LINE(() -> CartDefects.bookedAsItsLead(false)),
  CART_SWEPT_AS_ITS_LEAD(() -> CartDefects.bookedAsItsLead(true)),
  REBUILDS_A_BUCKET_OF_CARTS_ALONE(CartDefects.RebuiltAlone::new),
  ALREADY_THOUGH_A_LINE_IS_GONE(CartDefects.TornAsGranted::new),
  LINE_RELEASED_TWICE(CartDefects::linesReleasedTwice),
  TAKES_EACH_COPY(MoveDefects.TakesEachCopy::new),
  GIVES_BEFORE_IT_TAKES(MoveDefects::givesBeforeItTakes),
  SOLD_OUT_FROM_ONE_READING(MoveDefects::readsOnce),
  MOVES_KEEP_THE_VERSION(MoveDefects::keepsTheVersion),
  ENDS_AT_ONCE(EndDefects::endsAtOnce),
  ENDS_IN_ITS_EPOCH(EndDefects::keepsTheEpoch),
  ENDS_WHILE_UNITS_ARE_HELD(EndDefects::endsWhileUnitsAreHeld),
  UNLOADS_NOTHING(EndDefects::unloadsNothing),
  GRANTS_IN_ANY_SALE(EndDefects::grantsInAnySale),
  GATHERS_NOTHING(RestoreDefects::gathersNothing),
  GATHERS_FOR_COPIES(RestoreDefects::gathersForCopies),
  GATHERS_WHAT_THE_DONOR_NEEDS(RestoreDefects::gathersWhatTheDonorNeeds),
  GATHERS_OUTSIDE_THE_TRANSACTION(RestoreDefects::gathersOutsideTheTransaction),
  OPENS_BEFORE_ITS_SIBLINGS(RestoreDefects::opensBeforeItsSiblings),
  TRUSTS_LATER_VERSIONS(RestoreDefects::trustsLaterVersions),
  OPENS_BEFORE_THE_FORMER_PRIMARY_STOPS(
      () -> Defect.ofStockAbove("replicaLag", call -> Future.succeededFuture(Duration.ZERO)));

  private static final int FOR_EVER_MS = 100_000;

  private final Supplier<Defect> maker;

  Mutants(Supplier<Defect> maker) {
    this.maker = maker;
  }

  /**
   * Raises the rates of the faults that expose this defect, without making it certain to appear.
   */
  public Scenario tune(Scenario scenario) {
    return switch (this) {
      case NO_TERM_IN_REDIS -> scenario.with(Map.of(Fault.MOVE, 0.02, Fault.PAUSE, 0.01));
      case NO_GRANT_DEADLINE, ROW_FOR_A_STALE_GRANT, ALREADY_WITHOUT_THE_LOG ->
          scenario.with(Map.of(Fault.SLOW, 0.15, Fault.REDIS_OLD, 0.004));
      case NO_EPOCH_IN_THE_GATE -> scenario.with(Map.of(Fault.SLOW, 0.3, Fault.REDIS_OLD, 0.01));
      case NO_EPOCH_FOR_DIRECT_BOOKINGS ->
          scenario.with(Map.of(Fault.SLOW, 0.15, Fault.REDIS_OLD, 0.004)).with(Routes.PAST_LOG);
      case ROUND_CHECKS_ONE_FENCE, ROUND_TELLS_WHAT_IS_UNDONE -> RoundDefects.ofMoves(scenario);
      case CART_BOOKED_WITHOUT_A_LINE, LINE_RELEASED_TWICE -> scenario.ofCarts();
      case CART_SWEPT_AS_ITS_LEAD ->
          scenario.ofCarts().with(Map.of(Fault.SLOW, 0.1, Fault.REQUEST_LOST, 0.05));
      case REBUILDS_A_BUCKET_OF_CARTS_ALONE, ALREADY_THOUGH_A_LINE_IS_GONE ->
          scenario.ofCarts().with(Map.of(Fault.SLOW, 0.1, Fault.REPLY_LOST, 0.05));
      case TAKES_EACH_COPY -> scenario.ofMoves().with(Map.of(Fault.LATE, 0.05));
      case GIVES_BEFORE_IT_TAKES, SOLD_OUT_FROM_ONE_READING, MOVES_KEEP_THE_VERSION ->
          scenario.ofMoves();
      case ENDS_AT_ONCE, ENDS_WHILE_UNITS_ARE_HELD, UNLOADS_NOTHING, GRANTS_IN_ANY_SALE ->
          scenario.ofEnds();
      case ENDS_IN_ITS_EPOCH -> EndDefects.withLosses(scenario);
      case GATHERS_NOTHING, OPENS_BEFORE_ITS_SIBLINGS, TRUSTS_LATER_VERSIONS ->
          RestoreDefects.tuned(scenario);
      case GATHERS_FOR_COPIES, GATHERS_WHAT_THE_DONOR_NEEDS ->
          RestoreDefects.tuned(scenario).ofFinalOrders();
      case GATHERS_OUTSIDE_THE_TRANSACTION ->
          RestoreDefects.tuned(scenario).ofFinalOrders().ofHeldUpOwners();
      case OPENS_BEFORE_THE_FORMER_PRIMARY_STOPS ->
          scenario
              .ofReplicas()
              .with(Map.of(Fault.PRIMARY_CUT_OFF, 0.01, Fault.SLOW, 0.3))
              .with(Routes.LOG_ALONE);
      default -> scenario;
    };
  }

  /** A fresh defect for each run. */
  public Defect make() {
    return maker.get();
  }

  private static ReserveReply asBooked(ReserveReply reply) {
    List<GrantOutcome> outcomes = new ArrayList<>();
    for (GrantOutcome outcome : reply.outcomes()) {
      outcomes.add(
          outcome instanceof GrantOutcome.Already already
              ? new GrantOutcome.Already(already.grant(), false)
              : outcome);
    }
    return new ReserveReply(
        reply.code(),
        reply.available(),
        outcomes,
        reply.contents(),
        reply.soldOutMs(),
        reply.run());
  }

  private static Snapshot asEmpty(Snapshot seen) {
    return Defect.counting(seen, 0, 0, 0, seen.epoch(), seen.version());
  }

  private static List<LoadRow> liveOnly(List<LoadRow> rows) {
    return rows.stream().filter(LoadRow::live).toList();
  }

  private static List<StockStore.Release> nothingLeft(List<StockStore.Release> releases) {
    return releases.stream()
        .map(release -> new StockStore.Release(release.token(), release.epoch(), release.seq(), 0))
        .toList();
  }

  private static List<StockStore.Release> allAgain(List<StockStore.Release> releases) {
    return releases.stream()
        .map(one -> new StockStore.Release(one.token(), one.epoch(), one.seq(), one.left()))
        .toList();
  }

  private static List<Recorded> nothingWithdrawn(List<Recorded> page) {
    return page.stream().map(one -> new Recorded(one.grant(), one.left(), one.unbooked())).toList();
  }

  private static BucketRow withoutWithdrawn(BucketRow row) {
    return new BucketRow(
        row.id(),
        row.partition(),
        row.allotted(),
        row.held(),
        row.sold(),
        row.epoch(),
        row.version(),
        row.state(),
        row.settings(),
        row.saleNo(),
        row.base(),
        row.sinceEpoch(),
        0,
        row.skuTotal(),
        row.carts());
  }

  private static List<LoadRow> asGranted(List<LoadRow> rows) {
    return rows.stream()
        .map(row -> row.live() ? new LoadRow(row.grant(), row.grant().qty(), false) : row)
        .toList();
  }

  private static Future<List<Result>> offsetFirst(Intercept.Call call) {
    List<Batch> round = call.argument(0);
    List<Batch> offsets =
        round.stream().map(batch -> new Batch(batch.step(), List.of(), true)).toList();
    return call.<List<Result>>with(0, offsets)
        .compose(
            passed ->
                passed.stream().allMatch(Result.Applied.class::isInstance)
                    ? call.with(0, round.stream().map(Mutants::withoutOffset).toList())
                    : Future.succeededFuture(passed));
  }

  private static Batch withoutOffset(Batch batch) {
    Step step = batch.step();
    return new Batch(
        new Step(step.partition(), step.term(), step.endOffset(), step.endOffset()),
        batch.commands(),
        true);
  }

  private static Supplier<List<Grant>> inEpochOfNow(Ledger ledger, Supplier<List<Grant>> asked) {
    return () -> {
      List<Grant> grants = asked.get();
      BucketId id = grants.get(0).token().bucketId();
      long epoch = ledger.bucket(id).result().orElseThrow().epoch();
      return grants.stream().map(grant -> inEpoch(grant, epoch)).toList();
    };
  }
}
