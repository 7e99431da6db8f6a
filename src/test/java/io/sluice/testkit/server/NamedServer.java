package io.sluice.testkit.server;

import java.time.Duration;

/** A server that somebody else runs and that the environment names. The tests cannot stop it. */
public final class NamedServer implements Server {
  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(20);

  private final String name;
  private final String variable;
  private final Probe probe;
  private String version = "";

  public NamedServer(String name, String variable, Probe probe) {
    this.name = name;
    this.variable = variable;
    this.probe = probe;
  }

  @Override
  public void start() {
    version = probe.await(name + " named by " + variable, ANSWER_LIMIT, () -> true, () -> "");
  }

  @Override
  public String describe() {
    return version + " (named by " + variable + ")";
  }

  @Override
  public boolean killable() {
    return false;
  }

  @Override
  public boolean running() {
    return true;
  }

  @Override
  public void stop() {
    throw refused();
  }

  @Override
  public void kill() {
    throw refused();
  }

  @Override
  public void pause() {
    throw refused();
  }

  @Override
  public void resume() {
    throw refused();
  }

  @Override
  public long pid() {
    throw refused();
  }

  @Override
  public void close() {
    // It keeps running.
  }

  private UnsupportedOperationException refused() {
    return new UnsupportedOperationException(
        "%s is named by %s and runs on its own; ask killable() first".formatted(name, variable));
  }
}
