package io.sluice.bench.row;

import io.sluice.bench.Plan;
import io.sluice.bench.load.Buyers;
import io.sluice.bench.load.Heard;
import io.sluice.bench.load.LoadSpec;
import io.sluice.bench.load.OwnGenerator;
import io.sluice.bench.site.Site;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Two volleys in turns of two seconds from one generator: what the machine does besides then meets
 * both alike. Every other pair of turns starts with the second volley. In shorter turns the cost of
 * new connections counts, which each turn opens.
 *
 * @param one the volley that is measured
 * @param other the one that it is compared with
 */
record Turns(Side one, Side other) {
  private static final Duration TURN = Duration.ofSeconds(2);
  private static final int PAIRS = 5;

  /** A volley at the service of a site. */
  record Side(Site site, LoadSpec volley) {
    /** Of requests that are all refused (one unit) or all granted (plenty). */
    static Side of(Site site, long units, Buyers kind) {
      return new Side(site, site.volley(site.newSkus(1, units), 1).by(kind));
    }

    Side warmUp(Plan plan) {
      site.warmUp(volley, plan);
      return this;
    }

    private LoadSpec turn() {
      return volley.lasting(TURN).by(site.newBuyers());
    }

    private Heard note(Heard heard) {
      return site.note(volley, heard, 0);
    }
  }

  /** What was heard of both, one right after the other. */
  record Pair(Heard one, Heard other) {
    double ratio() {
      return one.perSecond() / other.perSecond();
    }

    void refuseNone() {
      Refused.none(one);
      Refused.none(other);
    }
  }

  /** The number of pairs in all runs. */
  static int pairs(Plan plan) {
    return plan.runs() * PAIRS;
  }

  /** The pairs of one run, once both sites have nothing else to do. */
  List<Pair> run() {
    one.site().drain();
    other.site().drain();
    List<LoadSpec> turns = new ArrayList<>();
    for (int pair = 0; pair < PAIRS; pair++) {
      turns.add((pair % 2 == 0 ? other : one).turn());
      turns.add((pair % 2 == 0 ? one : other).turn());
    }
    List<Heard> heard = new OwnGenerator().fire(turns);
    List<Pair> pairs = new ArrayList<>();
    for (int pair = 0; pair < PAIRS; pair++) {
      int second = pair % 2;
      pairs.add(
          new Pair(
              one.note(heard.get(2 * pair + 1 - second)),
              other.note(heard.get(2 * pair + second))));
    }
    return pairs;
  }
}
