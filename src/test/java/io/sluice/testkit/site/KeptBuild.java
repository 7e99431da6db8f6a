package io.sluice.testkit.site;

import io.sluice.testkit.process.ChildMaven;
import io.sluice.testkit.process.ChildProgram;
import io.sluice.testkit.process.Folders;
import io.sluice.testkit.process.Workspace;
import io.sluice.testkit.server.BackendException;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/**
 * The jar and the configuration file of an older commit of this repository. They are built by Maven
 * in a folder of its own, once a checkout.
 *
 * @param repository a folder of the repository
 * @param commit its full hash
 * @param maven the Maven that runs this build
 */
record KeptBuild(Path repository, String commit, ChildMaven maven) {
  private static final String JAR = "sluice.jar";
  private static final String CONFIGURATION = "sluice.yaml";
  private static final Duration LIMIT = Duration.ofMinutes(10);

  /** By commit. Each test asks for the build, and would wait for the same failure once more. */
  private static final Map<String, BackendException> FAILURES = new ConcurrentHashMap<>();

  KeptBuild {
    if (!commit.matches("[0-9a-f]{40}")) {
      throw new BackendException(
          "Expected kept.commit to be the full hash of a commit, but it is " + commit);
    }
  }

  static KeptBuild of(String commit) {
    return new KeptBuild(Path.of("").toAbsolutePath(), commit, ChildMaven.ofThisBuild());
  }

  Release release() {
    Path folder = Workspace.cached("sluice-" + commit, this::make);
    return (name, settings, caller) ->
        SluiceProcess.ofJar(name, folder.resolve(JAR), SluiceProcess.BRIEF_JVM, settings, caller)
            .configuredBy(folder.resolve(CONFIGURATION));
  }

  private void make(Path folder) throws IOException {
    BackendException earlier = FAILURES.get(commit);
    if (earlier != null) {
      throw earlier;
    }
    try {
      exportAndBuild(folder);
    } catch (BackendException e) {
      FAILURES.put(commit, e);
      throw e;
    }
  }

  private void exportAndBuild(Path folder) throws IOException {
    Path archive = folder.resolve("source.zip");
    Path source = Folders.create(folder.resolve("source"));
    export(archive);
    unpack(archive, source);
    build(source);
    Files.move(source.resolve("target").resolve(JAR), folder.resolve(JAR));
    Files.move(source.resolve("conf").resolve(CONFIGURATION), folder.resolve(CONFIGURATION));
    Folders.delete(source);
    Files.delete(archive);
  }

  /** Writes the files of the commit into a zip file. */
  void export(Path archive) {
    run(
        repository,
        "expected commit %s in the git history of %s, which has the release before (kept.commit in"
                .formatted(commit, repository)
            + " pom.xml), but cannot read it; a shallow clone gets it by 'git fetch --unshallow',"
            + " a source archive without history cannot run this test",
        List.of("git", "archive", "--format=zip", "--output", archive.toString(), commit));
  }

  private void build(Path source) {
    run(
        source,
        "the release before (kept.commit in pom.xml, %s) cannot be built".formatted(commit),
        maven.command("-Dmaven.test.skip=true", "-Dspotless.check.skip=true", "package"));
  }

  private static void unpack(Path archive, Path folder) throws IOException {
    try (var zip = new ZipInputStream(new BufferedInputStream(Files.newInputStream(archive)))) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        Path file = folder.resolve(entry.getName()).normalize();
        if (!file.startsWith(folder)) {
          throw new IOException("the archive has an entry outside of its folder: " + entry);
        }
        if (entry.isDirectory()) {
          Files.createDirectories(file);
        } else {
          Files.createDirectories(file.getParent());
          Files.copy(zip, file);
        }
      }
    }
  }

  private void run(Path folder, String failure, List<String> command) {
    ChildProgram.in(folder, "kept-" + commit, LIMIT).run(failure, command);
  }
}
