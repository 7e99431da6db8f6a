package io.sluice.explore;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.util.*;

public class Main0 {
  public static void main(String[] a) {
    ((Logger) org.slf4j.LoggerFactory.getLogger("io.sluice")).setLevel(Level.OFF);
    long from = Long.parseLong(a[0]), n = Long.parseLong(a[1]);
    boolean traced = a.length > 2 && a[2].equals("t");
    Planted pl =
        a.length > 2 && !traced
            ? Planted.valueOf(a[2])
            : a.length > 3 ? Planted.valueOf(a[3]) : null;
    var cpu = java.lang.management.ManagementFactory.getThreadMXBean();
    long t = cpu.getCurrentThreadCpuTime(), steps = 0;
    int bad = 0;
    long granted = 0, refused = 0, epochs = 0, ms = 0;
    Map<Fault, Integer> faults = new EnumMap<>(Fault.class);
    Map<String, Integer> rules = new TreeMap<>();
    Map<String, Long> first = new TreeMap<>();
    for (long s = from; s < from + n; s++) {
      Scenario sc = Scenario.of(s);
      Map<Fault, Double> over = new EnumMap<>(Fault.class);
      for (Fault f : Fault.values())
        if (System.getProperty(f.name()) != null)
          over.put(f, Double.parseDouble(System.getProperty(f.name())));
      sc = sc.with(over);
      Run.Outcome o = Run.of(sc, Cut.none(sc), pl == null ? Defect.NONE : pl.make(), traced);
      steps += o.steps();
      granted += o.granted();
      refused += o.refused();
      epochs += o.epochs();
      ms += o.endedAtMs();
      o.faults().forEach((k, v) -> faults.merge(k, v, Integer::sum));
      if (o.breach() != null) {
        bad++;
        String key =
            o.breach().rule()
                + (o.breach().rule().contains("settles")
                    ? " " + (o.breach().detail() + " ".repeat(30)).substring(0, 30)
                    : "");
        rules.merge(key, 1, Integer::sum);
        first.putIfAbsent(key, s);
        if (traced) {
          o.trace().lines().forEach(System.out::println);
          System.out.println(sc);
          System.out.println(o.breach());
          System.out.println(o.trace().shortened(o.breach().detail()));
          break;
        }
      }
    }
    double sec = (cpu.getCurrentThreadCpuTime() - t) / 1e9;
    System.out.printf(
        "seeds %d bad %d steps %d in %.1f s: %.0f steps/s, %.1f seeds/s, granted %d refused %d epochs %d virtual s %d%n",
        n, bad, steps, sec, steps / sec, n / sec, granted, refused, epochs, ms / 1000);
    System.out.println(faults);
    rules.forEach((k, v) -> System.out.println(v + "  " + k + "  first seed " + first.get(k)));
  }
}
