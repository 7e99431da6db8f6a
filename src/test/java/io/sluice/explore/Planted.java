package io.sluice.explore;

import io.sluice.ledger.Ledger;
import io.sluice.ledger.Ledger.BucketRow;
import io.sluice.ledger.Ledger.LoadRow;
import io.sluice.ledger.Ledger.Result;
import io.sluice.ledger.Ledger.Step;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.Order;
import io.sluice.model.OrderStatus;
import io.sluice.model.OrderToken;
import io.sluice.model.Reason;
import io.sluice.stock.BucketCode;
import io.sluice.stock.GrantOutcome;
import io.sluice.stock.StockStore;
import io.sluice.stock.StockStore.Release;
import io.sluice.stock.StockStore.ReserveReply;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/** The mistakes that this protocol was made to exclude, each planted around the real code. */
enum Planted {
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
  ALREADY_WITHOUT_THE_LOG(
      () ->
          new Defect() {
            @Override
            public StockStore stockAbove(StockStore wired) {
              return Intercept.of(
                  StockStore.class, wired, "reserve", call -> call.go(Planted::asBooked));
            }
          }),
  NO_EPOCH_IN_THE_GATE(
      () -> changing((grant, row) -> new Command.Reserve(inEpoch(grant, row.epoch()), null))),
  ROW_FOR_A_STALE_GRANT(
      () -> changing((grant, row) -> new Command.Reject(grant, Reason.UNPROCESSABLE))),
  LEASE_WITH_AN_OLD_COPY(OldCopy::new),
  ENDED_TOKENS_NOT_RELOADED(
      () ->
          new Defect() {
            @Override
            public Ledger ledgerAbove(Ledger wired, StockStore stock) {
              return Intercept.of(
                  Ledger.class, wired, "loadRows", call -> call.go(Planted::liveOnly));
            }
          }),
  ADDS_TO_THE_TOTAL(AddingRestock::new),
  NO_TERM_IN_REDIS(NoTerm::new),
  OFFSET_OUTSIDE_THE_TRANSACTION(
      () ->
          new Defect() {
            @Override
            public Ledger ledgerAbove(Ledger wired, StockStore stock) {
              return Intercept.of(
                  Ledger.class,
                  wired,
                  "apply",
                  call -> offsetFirst(wired, call.argument(0), call.argument(1)));
            }
          });

  private static final int FOR_EVER_MS = 100_000;

  private final Supplier<Defect> maker;

  Planted(Supplier<Defect> maker) {
    this.maker = maker;
  }

  /** A new one for each run. */
  Defect make() {
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
        reply.code(), reply.available(), outcomes, reply.contents(), reply.dryMs());
  }

  private static List<LoadRow> liveOnly(List<LoadRow> rows) {
    return rows.stream().filter(LoadRow::live).toList();
  }

  private static Future<Result> offsetFirst(Ledger ledger, Step step, List<Command> commands) {
    if (!step.advances()) {
      return ledger.apply(step, commands);
    }
    Step after = new Step(step.partition(), step.term(), step.endOffset(), step.endOffset());
    return ledger
        .apply(step, List.of())
        .compose(
            passed ->
                passed instanceof Result.Applied
                    ? ledger.apply(after, commands)
                    : Future.succeededFuture(passed));
  }

  private static Grant inEpoch(Grant grant, long epoch) {
    return new Grant(
        grant.token(),
        grant.userId(),
        grant.qty(),
        grant.seq(),
        epoch,
        grant.grantedAtMs(),
        grant.payBeforeMs());
  }

  private interface OfStaleGrant {
    Command instead(Grant grant, BucketRow row);
  }

  /** Does something else with grants of an older epoch, in the same transaction. */
  private static Defect changing(OfStaleGrant change) {
    return new Defect() {
      @Override
      public Ledger ledgerBelow(Ledger ledger, World world) {
        return Intercept.of(
            Ledger.class,
            ledger,
            "apply",
            call -> {
              List<Command> commands = call.argument(1);
              return ledger.apply(
                  call.argument(0),
                  commands.stream().map(command -> changed(ledger, command, change)).toList());
            });
      }
    };
  }

  private static Command changed(Ledger ledger, Command command, OfStaleGrant change) {
    if (!(command instanceof Command.Reserve reserve)) {
      return command;
    }
    Grant grant = reserve.grant();
    BucketRow row = ledger.bucket(grant.token().bucketId()).result().orElseThrow();
    return grant.epoch() < row.epoch() ? change.instead(grant, row) : command;
  }

  /** Units go back on sale before it is known that their order has ended. */
  private static final class ReleaseFirst implements Defect {
    @Override
    public Ledger ledgerAbove(Ledger wired, StockStore stock) {
      return Intercept.of(
          Ledger.class,
          wired,
          "apply",
          call -> {
            Step step = call.argument(0);
            List<Command> commands = call.argument(1);
            List<OrderToken> ending =
                commands.stream()
                    .filter(Command.Cancel.class::isInstance)
                    .map(command -> ((Command.Cancel) command).token())
                    .toList();
            return ending.isEmpty()
                ? wired.apply(step, commands)
                : wired
                    .orders(ending)
                    .compose(orders -> release(stock, step, List.copyOf(orders.values())))
                    .transform(released -> wired.apply(step, commands));
          });
    }

    private static Future<Void> release(StockStore stock, Step step, List<Order> orders) {
      Future<Void> all = Future.succeededFuture();
      for (Order order : orders) {
        if (order.status() == OrderStatus.PENDING) {
          Release release = new Release(order.token(), order.epoch(), order.seq());
          all =
              all.compose(
                  before ->
                      stock
                          .release(order.token().bucketId(), step.term(), List.of(release))
                          .mapEmpty());
        }
      }
      return all;
    }
  }

  /** Redis cannot tell an owner, and its rebuild, from the one before it. */
  private static final class NoTerm implements Defect {
    private static final List<String> WITH_TERM =
        List.of("book", "release", "restock", "take", "freeze", "load", "loadPage", "open");
    private static final List<String> WITH_MARK = List.of("load", "loadPage", "open");

    private final Map<BucketId, String> marks = new HashMap<>();

    @Override
    public StockStore stockBelow(StockStore store, World world) {
      StockStore same = store;
      for (String method : WITH_TERM) {
        same = Intercept.of(StockStore.class, same, method, call -> call.with(1, 1L));
      }
      for (String method : WITH_MARK) {
        same =
            Intercept.of(
                StockStore.class,
                same,
                method,
                call -> call.with(2, newest(call.argument(0), call.argument(2))));
      }
      StockStore marking = same;
      return Intercept.of(
          StockStore.class,
          marking,
          "freeze",
          call -> call.go((StockStore.Frozen frozen) -> noted(call.argument(0), frozen)));
    }

    private StockStore.Frozen noted(BucketId id, StockStore.Frozen frozen) {
      marks.put(id, frozen.mark());
      return frozen;
    }

    /** Any mark of the same process will do. */
    private Object newest(BucketId id, String mark) {
      String newest = marks.getOrDefault(id, mark);
      return runId(newest).equals(runId(mark)) ? newest : mark;
    }

    private static String runId(String mark) {
      return mark.substring(0, mark.indexOf(':'));
    }
  }

  /** A restock adds its units to what is there, rather than to set it to what the ledger says. */
  private static final class AddingRestock implements Defect {
    private final Map<BucketId, TreeMap<Long, Long>> seen = new HashMap<>();

    @Override
    public StockStore stockBelow(StockStore store, World world) {
      return Intercept.of(
          StockStore.class,
          store,
          "restock",
          call -> restock(store, call.argument(0), call.argument(1), call.argument(2)));
    }

    private Future<BucketCode> restock(
        StockStore store, BucketId id, long term, StockStore.Ceiling ceiling) {
      var versions = seen.computeIfAbsent(id, first -> new TreeMap<>());
      versions.putIfAbsent(ceiling.version(), ceiling.allotted());
      var before = versions.lowerEntry(ceiling.version());
      long added = before == null ? 0 : Math.max(0, ceiling.allotted() - before.getValue());
      StockStore.Snapshot now = store.snapshot(id, List.of(), 0).result();
      return store.restock(
          id,
          term,
          new StockStore.Ceiling(
              Math.max(now.version() + 1, ceiling.version()),
              now.total() + added,
              ceiling.state(),
              ceiling.settings()));
    }
  }
}
