package io.sluice.testkit.server;

import io.sluice.testkit.process.StartContext;
import io.sluice.testkit.process.StartListener;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Stream;
import org.testcontainers.DockerClientFactory;

/**
 * Decides where the servers come from: the environment first, then Docker, then what is installed,
 * then the jars.
 *
 * <p>{@code SLUICE_TEST_BACKENDS=docker|system|embedded} allows only that one (a server that the
 * environment names is used all the same).
 */
public final class ServerChoice {
  static final String VARIABLE = "SLUICE_TEST_BACKENDS";

  private static final boolean IN_CONTAINER =
      Stream.of("/.dockerenv", "/run/.containerenv").anyMatch(mark -> Files.exists(Path.of(mark)));

  private enum Wanted {
    ANY,
    DOCKER,
    SYSTEM,
    EMBEDDED
  }

  private final StartContext context;
  private final Wanted wanted;

  public ServerChoice(StartContext context) {
    this.context = context;
    this.wanted = context.variable(VARIABLE).map(ServerChoice::wanted).orElse(Wanted.ANY);
  }

  public <B extends Backend> B start(ServerFactory<B> factory) {
    context.preparing(factory.name(), "looking for a server");
    try {
      B backend = factory.named().orElseGet(() -> startOwn(factory));
      context.listener().onChange(factory.name(), StartListener.State.READY, backend.describe());
      return backend;
    } catch (RuntimeException e) {
      context
          .listener()
          .onChange(factory.name(), StartListener.State.FAILED, String.valueOf(e.getMessage()));
      throw e;
    }
  }

  private <B extends Backend> B startOwn(ServerFactory<B> factory) {
    switch (wanted) {
      case DOCKER:
        return factory.inDocker();
      case SYSTEM:
        return factory
            .ofSystem()
            .orElseThrow(() -> new BackendException(factory.name() + " is not installed here"));
      case EMBEDDED:
        return factory.embedded();
      default:
        return dockerAnswers() ? inDockerOrElse(factory) : withoutDocker(factory);
    }
  }

  /** An engine may answer and still be unable to get the image. */
  private <B extends Backend> B inDockerOrElse(ServerFactory<B> factory) {
    try {
      return factory.inDocker();
    } catch (RuntimeException e) {
      context.preparing(factory.name(), "no container (" + e.getMessage() + "), going on without");
      return withoutDocker(factory);
    }
  }

  private static <B extends Backend> B withoutDocker(ServerFactory<B> factory) {
    return factory.ofSystem().orElseGet(factory::embedded);
  }

  /**
   * Testcontainers takes long and logs a lot while it looks for an engine, so it is asked only
   * where there may be one.
   *
   * <p>Inside a container the engine's socket may be present, but the ports that it publishes are
   * not reachable.
   */
  private boolean dockerAnswers() {
    return !IN_CONTAINER && enginePossible() && engineAnswers();
  }

  private boolean enginePossible() {
    return context.variable("DOCKER_HOST").isPresent()
        || Stream.of(
                "/var/run/docker.sock",
                context.variable("XDG_RUNTIME_DIR").orElse("/run") + "/docker.sock",
                System.getProperty("user.home") + "/.docker/run/docker.sock",
                System.getProperty("user.home") + "/.testcontainers.properties")
            .anyMatch(socket -> Files.exists(Path.of(socket)));
  }

  private boolean engineAnswers() {
    try {
      return DockerClientFactory.instance().isDockerAvailable();
    } catch (RuntimeException e) {
      // It answers, but cannot get the images that Testcontainers itself needs.
      return false;
    }
  }

  private static Wanted wanted(String value) {
    try {
      return Wanted.valueOf(value.trim().toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw new BackendException(VARIABLE + " must be docker, system or embedded, was " + value, e);
    }
  }
}
