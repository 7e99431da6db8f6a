package io.sluice.testkit.process;

import io.sluice.testkit.server.BackendException;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

/**
 * The Maven that runs this build, for builds of their own.
 *
 * @param home its folder
 * @param artefacts where it keeps what it has downloaded
 */
public record ChildMaven(Path home, Path artefacts) {
  public static ChildMaven ofThisBuild() {
    Properties known = known();
    return new ChildMaven(
        Path.of(known.getProperty("maven")), Path.of(known.getProperty("artefacts")));
  }

  /** The commit that {@code kept.commit} in {@code pom.xml} names. */
  public static String keptCommit() {
    return known().getProperty("commit");
  }

  /** The commit that {@code old.commit} in {@code pom.xml} names. */
  public static String oldCommit() {
    return known().getProperty("old");
  }

  /** The whole command line. */
  public List<String> command(String... arguments) {
    List<String> all =
        new ArrayList<>(
            List.of(
                home.resolve("bin").resolve("mvn").toString(),
                "-B",
                "-q",
                "-Dmaven.repo.local=" + artefacts));
    all.addAll(List.of(arguments));
    return all;
  }

  /** Written by the build: what it knows of itself and of the release before. */
  private static Properties known() {
    Path file = Workspace.root().resolve("kept.properties");
    Properties known = new Properties();
    try (Reader reader = Files.newBufferedReader(file)) {
      known.load(reader);
    } catch (IOException e) {
      throw new BackendException(
          "what the build says of itself is missing, run 'mvn test-compile' once: " + file, e);
    }
    return known;
  }
}
