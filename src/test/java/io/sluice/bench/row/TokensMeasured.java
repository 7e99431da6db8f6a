package io.sluice.bench.row;

import io.sluice.bench.Plan;
import io.sluice.bench.Result;
import io.sluice.bench.load.Buyers;
import io.sluice.bench.load.Generator;
import io.sluice.bench.load.Heard;
import io.sluice.bench.load.LoadSpec;
import io.sluice.bench.load.OwnGenerator;
import io.sluice.bench.site.BooksCheck;
import io.sluice.bench.site.Site;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Row 9: refusals, then grants, once with buyers who are named by the header and once, on a second
 * site, with the same buyers named by tokens that were verified before. The row's ratio is that of
 * the refusals; that of the grants is a figure beside it.
 */
public final class TokensMeasured implements Measurement {
  private static final Map<String, String> RETURNING =
      Map.of("SLUICE_ADMISSION_BUYER_PER_MINUTE", "0");
  private static final Map<String, String> TOKENS =
      Map.of(
          "SLUICE_ADMISSION_BUYER_PER_MINUTE",
          "0",
          "SLUICE_AUTH_MODE",
          "jwt",
          "SLUICE_AUTH_JWT_SECRET",
          Buyers.SECRET);

  private final Generator generator = new OwnGenerator();

  /** A site with a SKU that has one unit and one that has plenty. */
  private record Side(Site site, LoadSpec soldOut, LoadSpec plenty) {
    static Side of(Site site, Buyers kind) {
      return new Side(
          site,
          site.volley(site.newSkus(1, 1), 1).by(kind),
          site.volley(site.newSkus(1, GrantsMeasured.PLENTY), 1).by(kind));
    }
  }

  /** Per second. */
  private record Rates(double refused, double granted) {}

  @Override
  public void measure(Site unused, Plan plan, Result result, Consumer<String> step) {
    step.accept("starting two other sets of servers");
    try (Site byHeader = Site.open(plan, RETURNING);
        Site byToken = Site.open(plan, TOKENS)) {
      Side header = Side.of(byHeader, Buyers.RETURNING);
      Side tokens = Side.of(byToken, Buyers.WITH_TOKENS);
      step.accept("warming up");
      warmUp(header, plan);
      warmUp(tokens, plan);
      for (int run = 0; run < plan.runs(); run++) {
        step.accept("named by the header, then by tokens");
        boolean isTokensFirst = run % 2 == 1;
        Rates first = rates(isTokensFirst ? tokens : header);
        Rates second = rates(isTokensFirst ? header : tokens);
        Rates ofHeader = isTokensFirst ? second : first;
        Rates ofTokens = isTokensFirst ? first : second;
        result.figure("refusals/s, header", ofHeader.refused());
        result.figure("refusals/s, tokens", ofTokens.refused());
        result.figure("grants/s, header", ofHeader.granted());
        result.figure("grants/s, tokens", ofTokens.granted());
        result.figure(
            "grants, with tokens / by the header", ofTokens.granted() / ofHeader.granted());
        result.ratio(ofTokens.refused() / ofHeader.refused());
      }
      step.accept("auditing");
      result.note("by the header: " + new BooksCheck(byHeader).run());
      result.note("with tokens: " + new BooksCheck(byToken).run());
    }
  }

  private void warmUp(Side side, Plan plan) {
    side.site().fire(generator, side.soldOut().lasting(plan.warmUp()));
    side.site().fire(generator, side.plenty().lasting(plan.warmUp().dividedBy(2)));
    side.site().drain();
  }

  private Rates rates(Side side) {
    Heard refused = side.site().fire(generator, side.soldOut());
    Heard granted = side.site().fire(generator, side.plenty());
    Refused.none(granted);
    side.site().drain();
    return new Rates(refused.perSecond(), granted.accepted() / granted.seconds());
  }
}
