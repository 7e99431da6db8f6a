package io.sluice.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.alarm.Alarm;

/** The meters of the process as a whole. */
public final class ProcessMeters {
  private ProcessMeters() {}

  /** Counts each alarm under its name, also those that were raised before: sluice_alarms_total. */
  public static void alarms(MeterRegistry registry) {
    for (Alarm alarm : Alarm.values()) {
      FunctionCounter.builder("sluice_alarms", alarm, Alarm::raised)
          .description("Alarms that were raised")
          .tag("alarm", alarm.word())
          .register(registry);
    }
  }
}
