package io.sluice.bench;

import io.sluice.bench.load.Heard;
import io.sluice.bench.load.Volley;
import java.util.function.Consumer;

/**
 * Row 7: grants while a million orders of the SKU wait for their payment. First with none, then
 * with them, since they cannot be taken away again; both against the bare server of the same run.
 */
final class HeldMeasured implements Measurement {
  private static final long HELD = Long.getLong("pending", 1_000_000);

  @Override
  public void measure(Site site, Plan plan, Result result, Consumer<String> step) {
    Volley empty = site.volley(site.newSkus(1, GrantsMeasured.PLENTY), 1);
    Volley full = site.volley(site.newSkus(1, GrantsMeasured.PLENTY), 1);
    step.accept("ordering %,d units".formatted(HELD));
    long held = 0;
    while (held < HELD) {
      held += site.fire(full.lasting(plan.warmUp())).accepted();
    }
    site.drain();
    result.note("%,d PENDING; %s".formatted(held, Memory.of(site.service().pid())));
    step.accept("warming up");
    site.fire(empty.lasting(plan.warmUp()));
    for (int run = 0; run < plan.runs(); run++) {
      step.accept("booking");
      site.drain();
      step.accept("none held");
      Heard withNone = site.fire(empty);
      step.accept("booking");
      site.drain();
      step.accept("%,d held".formatted(held));
      Heard withMany = site.fire(full);
      Refused.none(withNone);
      Refused.none(withMany);
      result.figure("grants/s, none held", withNone.perSecond());
      result.figure("grants/s, many held", withMany.perSecond());
      result.ratio(withMany.perSecond() / withNone.perSecond());
    }
  }
}
