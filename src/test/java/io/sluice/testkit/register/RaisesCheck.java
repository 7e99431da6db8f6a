package io.sluice.testkit.register;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.monitor.Alarm;
import io.sluice.testkit.site.SluiceProcess;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;

/** Fails a test that does not provoke what its {@link Raises} says. */
final class RaisesCheck implements BeforeEachCallback, AfterEachCallback {
  private static final Namespace NAMESPACE = Namespace.create(RaisesCheck.class);

  /** An instance may write its log a moment after what a test has waited for. */
  private static final Duration LIMIT = Duration.ofSeconds(10);

  /** How often each alarm was raised before the test. */
  private record Before(Map<Alarm, Long> raised) {}

  @Override
  public void beforeEach(ExtensionContext context) {
    Map<Alarm, Long> raised = new EnumMap<>(Alarm.class);
    alarmsOf(context).forEach(alarm -> raised.put(alarm, raised(context, alarm)));
    store(context).put(Before.class, new Before(raised));
  }

  @Override
  public void afterEach(ExtensionContext context) {
    Before before = store(context).remove(Before.class, Before.class);
    if (context.getExecutionException().isEmpty()) {
      for (Alarm alarm : alarmsOf(context)) {
        await()
            .atMost(LIMIT)
            .untilAsserted(
                () ->
                    assertThat(raised(context, alarm))
                        .as("times that %s was raised", alarm)
                        .isGreaterThan(before.raised().get(alarm)));
      }
    }
  }

  private static List<Alarm> alarmsOf(ExtensionContext context) {
    return Arrays.asList(context.getRequiredTestMethod().getAnnotation(Raises.class).value());
  }

  /** In this process, and as the logs of the site's instances have it. */
  private static long raised(ExtensionContext context, Alarm alarm) {
    long here = alarm.raised();
    return here
        + TestSite.of(context)
            .map(
                site ->
                    site.instances().stream()
                        .map(SluiceProcess::log)
                        .flatMap(String::lines)
                        .filter(line -> line.contains(" ERROR ") && line.contains(alarm.text()))
                        .count())
            .orElse(0L);
  }

  private static Store store(ExtensionContext context) {
    return context.getStore(NAMESPACE);
  }
}
