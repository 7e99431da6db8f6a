package io.sluice.chaos.fault;

import io.sluice.chaos.buyer.Prober.Booked;
import io.sluice.chaos.fault.FaultInjector.Strike;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Predicate;

/**
 * The effects of one fault: from its end until an order placed later had been granted by each
 * instance and booked in each partition.
 *
 * @param recoveryMs empty where that was not observed before the run ended
 * @param takeoverMs of a fault that ended an instance: from its end until each partition booked
 *     what the other instance granted
 * @param alone whether no other fault was active in that time
 */
public record Recovery(
    Strike strike, OptionalLong recoveryMs, OptionalLong takeoverMs, boolean alone) {

  static Recovery of(Strike strike, boolean alone, List<Booked> probes, int partitions) {
    long fromMs = strike.liftedMs() + strike.fault().kind().noticedMs();
    OptionalLong recovered = served(probes, partitions, fromMs, any -> true, true);
    OptionalLong taken = OptionalLong.empty();
    if (strike.fault().kind().endsInstance()) {
      int ended = strike.fault().aim().instance();
      taken =
          served(probes, partitions, strike.struckMs(), probe -> probe.instance() != ended, false);
    }
    return new Recovery(
        strike, since(recovered, strike.liftedMs()), since(taken, strike.struckMs()), alone);
  }

  public FaultKind kind() {
    return strike.fault().kind();
  }

  boolean isOver() {
    return recoveryMs.isPresent() && takeoverMs.isPresent() == kind().endsInstance();
  }

  /**
   * When each partition had booked an order placed after that moment, for each instance if wanted.
   */
  private static OptionalLong served(
      List<Booked> probes,
      int partitions,
      long fromMs,
      Predicate<Booked> wanted,
      boolean atEachInstance) {
    long latest = fromMs;
    for (int partition = 0; partition < partitions; partition++) {
      int p = partition;
      for (int instance = 0; instance < (atEachInstance ? Targets.INSTANCES : 1); instance++) {
        int at = instance;
        OptionalLong first =
            probes.stream()
                .filter(probe -> probe.sentMs() >= fromMs && probe.partition() == p)
                .filter(probe -> !atEachInstance || probe.instance() == at)
                .filter(wanted)
                .mapToLong(Booked::bookedMs)
                .min();
        if (first.isEmpty()) {
          return OptionalLong.empty();
        }
        latest = Math.max(latest, first.getAsLong());
      }
    }
    return OptionalLong.of(latest);
  }

  private static OptionalLong since(OptionalLong atMs, long fromMs) {
    return atMs.isPresent() ? OptionalLong.of(atMs.getAsLong() - fromMs) : atMs;
  }

  /** Median and maximum in seconds, or dashes. */
  public static String medianAndWorst(List<Long> timesMs) {
    if (timesMs.isEmpty()) {
      return "- | -";
    }
    long[] sorted = timesMs.stream().mapToLong(Long::longValue).sorted().toArray();
    return "%.1f | %.1f"
        .formatted(sorted[(sorted.length - 1) / 2] / 1e3, sorted[sorted.length - 1] / 1e3);
  }
}
