package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.async.BackgroundTask;
import io.sluice.testkit.process.LogWatch;
import java.util.List;

/**
 * Finds passes of a scene that failed because of a bug. A failed pass is retried and logs a
 * warning, which a test may not notice; stores never answer with an exception of the JDK, so such a
 * cause is a bug.
 */
public final class FailedPasses {
  /** One for all scenes; never closed. */
  private static final LogWatch LOGS = LogWatch.of(BackgroundTask.class);

  private final int before = LOGS.lines().size();

  public void expectNone() {
    List<String> since = LOGS.lines();
    assertThat(since.subList(before, since.size()))
        .noneMatch(line -> line.contains(" cause=\"java."));
  }
}
