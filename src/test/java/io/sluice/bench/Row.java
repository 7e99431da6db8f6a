package io.sluice.bench;

import io.sluice.bench.row.Backlog;
import io.sluice.bench.row.Cluster;
import io.sluice.bench.row.Cold;
import io.sluice.bench.row.Commands;
import io.sluice.bench.row.Crowded;
import io.sluice.bench.row.Idle;
import io.sluice.bench.row.LivesAt;
import io.sluice.bench.row.Moves;
import io.sluice.bench.row.Overload;
import io.sluice.bench.row.Recovery;
import io.sluice.bench.row.Saturated;
import io.sluice.bench.row.Timeouts;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** The rows, in the order in which they are measured: later ones leave many SKUs. */
public enum Row {
  REFUSALS_32(Kind.BRIEF, Saturated.refusals(32)),
  REFUSALS_128(Kind.QUICK, Saturated.refusals(128)),
  REFUSALS_512(Kind.BRIEF, Saturated.refusals(512)),
  GRANTS_32(Kind.BRIEF, Saturated.grants(32)),
  GRANTS_128(Kind.QUICK, Saturated.grants(128)),
  GRANTS_512(Kind.BRIEF, Saturated.grants(512)),
  ONE_LOOP_128(Kind.BRIEF, Saturated.grantsOnOneLoop(128)),
  LIVES_100(Kind.LONG, LivesAt.rate(100)),
  LIVES_400(Kind.QUICK_LONG, LivesAt.rate(400)),
  LIVES_1500(Kind.QUICK_LONG, LivesAt.rate(1_500)),
  LIVES_MOST(Kind.LONG, LivesAt.most()),
  PAYMENTS_512(Kind.LONG, Crowded.payments()),
  COLD(Kind.LONG, Cold.start()),
  OVERLOAD(Kind.LONG, Overload.threeTimes()),
  CARTS(Kind.BRIEF, Saturated.carts()),
  BUCKETS(Kind.BRIEF, Saturated.buckets()),
  DIRECT(Kind.BRIEF, Saturated.direct()),
  COMMANDS(Kind.OF_THIS_BUILD, Commands.payments()),
  MOVES(Kind.BRIEF, Moves.ofUnits()),
  BACKLOG(Kind.LONG, Backlog.booked()),
  TIMEOUTS(Kind.LONG, Timeouts.due()),
  RECOVERY(Kind.LONG, Recovery.ofRedis()),
  SKUS(Kind.BRIEF, Saturated.skus()),
  IDLE(Kind.LONG, Idle.skus()),
  CLUSTER(Kind.OF_THIS_BUILD, Cluster.ofRedis());

  private enum Kind {
    /** A run takes seconds: beside an older build there are more of them. */
    BRIEF,
    QUICK,
    LONG,
    QUICK_LONG,
    /**
     * It runs classes of this build inside the bench, or makes calls that older ones do not have.
     */
    OF_THIS_BUILD
  }

  private static final int PAIRS = 5;

  private final Kind kind;
  private final Measurement.Maker maker;

  Row(Kind kind, Measurement.Maker maker) {
    this.kind = kind;
    this.maker = maker;
  }

  /** {@code all}, {@code quick}, or rows by their names or what these begin with. */
  static Set<Row> named(String names) {
    EnumSet<Row> rows = EnumSet.noneOf(Row.class);
    for (String name : names.split(",")) {
      Set<Row> found = EnumSet.noneOf(Row.class);
      Arrays.stream(values()).filter(row -> row.isCalled(name.strip())).forEach(found::add);
      if (found.isEmpty()) {
        throw new IllegalArgumentException("Expected a row, but got " + name);
      }
      rows.addAll(found);
    }
    return rows;
  }

  private boolean isCalled(String name) {
    return switch (name) {
      case "all" -> true;
      case "quick" -> kind == Kind.QUICK || kind == Kind.QUICK_LONG;
      default -> word().equals(name) || word().startsWith(name + "-");
    };
  }

  /** As in reports and goals. */
  String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  Measurement.Maker maker() {
    return maker;
  }

  boolean isBesideBaseline(Plan plan) {
    return plan.isBesideBaseline() && kind != Kind.OF_THIS_BUILD;
  }

  /** How often it is measured. */
  int runs(Plan plan) {
    boolean isBrief = kind == Kind.BRIEF || kind == Kind.QUICK;
    if (plan.quick() && !isBrief && !plan.isBesideBaseline()) {
      return 1;
    }
    return isBrief && plan.isBesideBaseline() ? plan.runs() * PAIRS : plan.runs();
  }
}
