package io.sluice.deploy;

import static io.sluice.deploy.YamlFiles.at;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The workflows in {@code .github/workflows/}: what they may do, and what a release has. */
class WorkflowFilesTest {
  private static final Path FOLDER = Path.of(".github", "workflows");
  private static final Path RELEASE = FOLDER.resolve("release.yml");

  @Test
  void shouldGiveWorkflowsNoMoreThanReadingUnlessAJobNeedsIt() throws IOException {
    // given
    List<Path> files;
    try (Stream<Path> all = Files.list(FOLDER)) {
      files = all.toList();
    }

    // when
    Stream<Map<String, Object>> workflows = files.stream().map(YamlFiles::one);

    // then
    assertThat(workflows)
        .isNotEmpty()
        .extracting(workflow -> workflow.get("permissions"))
        .containsOnly(Map.of("contents", "read"));
    assertThat(files.stream().map(YamlFiles::text).filter(text -> text.contains(": write")))
        .containsExactly(YamlFiles.text(RELEASE));
  }

  @Test
  void shouldReleaseWhatTheBuildMakesOnceItIsTestedAndSignAllOfIt() {
    // given
    String pom = YamlFiles.text(Path.of("pom.xml"));
    Object job = at(YamlFiles.one(RELEASE), "jobs", "release");

    // when
    List<String> steps =
        ((List<?>) at(job, "steps"))
            .stream().map(step -> at(step, "uses") + " " + at(step, "run")).toList();
    String text = YamlFiles.text(RELEASE);

    // then
    assertThat(pom)
        .contains("<finalName>sluice</finalName>", "<outputName>sluice.cdx</outputName>");
    assertThat(pom).contains("<classifier>client</classifier>");
    assertThat(text)
        .contains(
            "target/sluice.jar",
            "target/sluice-client.jar",
            "target/sluice.cdx.json",
            "cosign sign --yes");
    assertThat(at(job, "permissions", "id-token")).isEqualTo("write");
    assertThat(indexOf(steps, ".ci/run")).isBetween(0, indexOf(steps, "build-push-action") - 1);
    assertThat(indexOf(steps, "gh release create")).isEqualTo(steps.size() - 1);
    assertThat(steps).filteredOn(step -> step.contains("attest-build-provenance")).hasSize(2);
  }

  private static int indexOf(List<String> steps, String part) {
    for (int i = 0; i < steps.size(); i++) {
      if (steps.get(i).contains(part)) {
        return i;
      }
    }
    return -1;
  }
}
