package io.sluice.bench.row;

import io.sluice.bench.load.Heard;
import io.sluice.bench.load.LoadSpec;
import io.sluice.bench.site.Site;
import java.time.Duration;
import java.util.function.LongConsumer;

/** Places about as many orders as are wanted, volley by volley. */
final class Orders {
  private static final Duration FIRST = Duration.ofSeconds(1);
  private static final long VOLLEY_S_MAX = 20;

  private Orders() {}

  /** {@code placed} is told how many there are; returns their number. */
  static long place(Site site, LoadSpec volley, long wanted, LongConsumer placed) {
    long count = 0;
    Duration length = FIRST;
    while (count < wanted) {
      Heard heard = site.fire(volley.lasting(length));
      Refused.none(heard);
      count += heard.accepted();
      placed.accept(count);
      length = next(wanted - count, heard.perSecond());
    }
    return count;
  }

  /** In whole seconds, as wrk wants it. */
  static Duration next(long left, double perSecond) {
    return Duration.ofSeconds(Math.max(1, Math.min(VOLLEY_S_MAX, Math.round(left / perSecond))));
  }
}
