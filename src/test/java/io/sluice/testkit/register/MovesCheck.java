package io.sluice.testkit.register;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.site.SaleSite;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;

/** Fails a test that does not move what its {@link Moves} says. */
final class MovesCheck implements BeforeEachCallback, AfterEachCallback {
  private static final Namespace NAMESPACE = Namespace.create(MovesCheck.class);

  /** What a test has waited for may be counted a moment later. */
  private static final Duration LIMIT = Duration.ofSeconds(10);

  @Override
  public void beforeEach(ExtensionContext context) {
    SaleSite site =
        TestSite.of(context).orElseThrow(() -> new AssertionError("@Moves needs a site"));
    store(context).put(ScrapeWatch.class, ScrapeWatch.of(site));
  }

  @Override
  public void afterEach(ExtensionContext context) {
    Set<String> named = Set.of(context.getRequiredTestMethod().getAnnotation(Moves.class).value());
    try (ScrapeWatch watch = store(context).remove(ScrapeWatch.class, ScrapeWatch.class)) {
      if (context.getExecutionException().isEmpty()) {
        await()
            .atMost(LIMIT)
            .untilAsserted(() -> assertThat(watch.moved()).as("what moved").containsAll(named));
      }
    }
  }

  private static Store store(ExtensionContext context) {
    return context.getStore(NAMESPACE);
  }
}
