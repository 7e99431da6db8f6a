package io.sluice.bench.row;

import io.sluice.bench.Plan;
import io.sluice.bench.Result;
import io.sluice.bench.Samples;
import io.sluice.bench.load.Buyers;
import io.sluice.bench.row.Turns.Pair;
import io.sluice.bench.row.Turns.Side;
import io.sluice.bench.site.BooksCheck;
import io.sluice.bench.site.Site;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Row 9, what the gate costs, in {@link Turns} of refusals, then of grants: buyers who are named by
 * tokens that were verified before, beside the same buyers named by the header; and new buyers with
 * the limits, beside new buyers without. The row's ratio is that of the refusals with tokens; the
 * others are figures beside it.
 */
public final class TokensMeasured implements Measurement {
  private static final Map<String, String> UNLIMITED =
      Map.of("SLUICE_ADMISSION_BUYER_PER_MINUTE", "0");
  private static final Map<String, String> TOKENS =
      Map.of(
          "SLUICE_ADMISSION_BUYER_PER_MINUTE",
          "0",
          "SLUICE_AUTH_MODE",
          "jwt",
          "SLUICE_AUTH_JWT_SECRET",
          Buyers.SECRET);

  /** Requests that are all refused, and requests that are all granted, from one kind of buyers. */
  private record Crowd(Side refused, Side granted) {
    static Crowd at(Site site, Buyers kind, Plan plan) {
      return new Crowd(
          Side.of(site, 1, kind).warmUp(plan),
          Side.of(site, GrantsMeasured.PLENTY, kind).warmUp(plan));
    }
  }

  @Override
  public int ratios(Plan plan) {
    return Turns.pairs(plan);
  }

  @Override
  public void measure(Site site, Plan plan, Result result, Consumer<String> step) {
    step.accept("starting two other sets of servers");
    try (Site unlimited = Site.open(plan, UNLIMITED);
        Site byToken = Site.open(plan, TOKENS)) {
      step.accept("warming up");
      Crowd tokens = Crowd.at(byToken, Buyers.WITH_TOKENS, plan);
      Crowd header = Crowd.at(unlimited, Buyers.RETURNING, plan);
      Crowd limits = Crowd.at(site, Buyers.NEW, plan);
      Crowd none = Crowd.at(unlimited, Buyers.NEW, plan);
      for (int run = 0; run < plan.runs(); run++) {
        step.accept("refusals, named by tokens and by the header");
        for (Pair pair : new Turns(tokens.refused(), header.refused()).run()) {
          rates("refusals/s, tokens", "refusals/s, header", pair, result);
          result.ratio(pair.ratio());
        }
        step.accept("grants, named by tokens and by the header");
        for (Pair pair : new Turns(tokens.granted(), header.granted()).run()) {
          pair.refuseNone();
          rates("grants/s, tokens", "grants/s, header", pair, result);
          result.figure("grants, with tokens / by the header", pair.ratio());
        }
        step.accept("refusals, with limits and without");
        for (Pair pair : new Turns(limits.refused(), none.refused()).run()) {
          result.figure("refusals, with limits / without", pair.ratio());
        }
        step.accept("grants, with limits and without");
        for (Pair pair : new Turns(limits.granted(), none.granted()).run()) {
          pair.refuseNone();
          result.figure("grants, with limits / without", pair.ratio());
        }
      }
      confidence("ratio", result.ratios(), result);
      result.figures().forEach((name, values) -> confidence(name, values, result));
      step.accept("booking");
      unlimited.drain();
      byToken.drain();
      step.accept("auditing");
      result.note("by the header: " + new BooksCheck(unlimited).run());
      result.note("with tokens: " + new BooksCheck(byToken).run());
    }
  }

  private static void rates(String one, String other, Pair pair, Result result) {
    result.figure(one, pair.one().perSecond());
    result.figure(other, pair.other().perSecond());
  }

  private static void confidence(String name, Samples values, Result result) {
    if (!name.contains("/s")) {
      values
          .confidence()
          .ifPresent(range -> result.note(name + ", median with 95 % confidence: " + range));
    }
  }
}
