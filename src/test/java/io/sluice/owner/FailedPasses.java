package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.async.BackgroundTask;
import io.sluice.testkit.process.LogWatch;
import java.util.List;

/**
 * Passes of a scene that failed by a mistake of ours. They are tried again, and log a warning, so
 * that a test may not notice: but whatever a store answers, it is no exception of the JDK's.
 */
public final class FailedPasses {
  /** One for all scenes, which nobody closes. */
  private static final LogWatch LOGS = LogWatch.of(BackgroundTask.class);

  private final int before = LOGS.lines().size();

  public void expectNone() {
    List<String> since = LOGS.lines();
    assertThat(since.subList(before, since.size()))
        .noneMatch(line -> line.contains(" cause=java."));
  }
}
