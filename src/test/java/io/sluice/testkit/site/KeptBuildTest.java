package io.sluice.testkit.site;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.sluice.testkit.process.ChildMaven;
import io.sluice.testkit.server.BackendException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeptBuildTest {
  private static final String COMMIT = "0123456789abcdef0123456789abcdef01234567";

  @TempDir Path folder;

  private KeptBuild unit(String commit) {
    return new KeptBuild(folder, commit, new ChildMaven(folder, folder));
  }

  @Test
  void shouldSayWhatIsMissingWhenThereIsNoHistory() {
    // given
    KeptBuild unit = unit(COMMIT);

    // when / then
    assertThatThrownBy(() -> unit.export(folder.resolve("source.zip")))
        .isInstanceOf(BackendException.class)
        .hasMessageContaining("expected commit " + COMMIT)
        .hasMessageContaining("git fetch --unshallow");
  }

  @Test
  void shouldNotTryAgainWhatHasFailed() {
    // given
    KeptBuild unit = unit("ffffffffffffffffffffffffffffffffffffffff");
    Throwable first = catchThrowable(unit::release);

    // when
    Throwable second = catchThrowable(unit::release);

    // then
    assertThat(second).isInstanceOf(BackendException.class).isSameAs(first);
  }

  @Test
  void shouldRefuseANameThatMayMove() {
    assertThatThrownBy(() -> unit("main"))
        .isInstanceOf(BackendException.class)
        .hasMessageContaining("the full hash of a commit, but it is main");
  }
}
