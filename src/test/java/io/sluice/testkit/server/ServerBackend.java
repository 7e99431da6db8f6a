package io.sluice.testkit.server;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.function.Supplier;

/** Common to the three backends: a name and the server behind it. */
public abstract class ServerBackend implements Backend, AutoCloseable {
  private final String name;
  private final Server server;

  public ServerBackend(String name, Server server) {
    this.name = name;
    this.server = server;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String describe() {
    return server.describe();
  }

  /** Whether it was started and neither stopped nor killed. */
  public boolean running() {
    return server.running();
  }

  @Override
  public boolean killable() {
    return server.killable();
  }

  @Override
  public void kill() {
    server.kill();
  }

  @Override
  public void stop() {
    server.stop();
  }

  @Override
  public void start() {
    server.start();
  }

  @Override
  public void pause() {
    server.pause();
  }

  @Override
  public void resume() {
    server.resume();
  }

  /** What is answered while it hangs; aborts the test where it cannot be paused. */
  public final <T> T whileItHangs(Supplier<T> calls) {
    assumeTrue(killable(), () -> "cannot be paused: " + describe());
    pause();
    try {
      return calls.get();
    } finally {
      resume();
    }
  }

  @Override
  public long pid() {
    return server.pid();
  }

  @Override
  public void close() {
    server.close();
  }

  /** Guards operations on the data files, which a running server would not notice. */
  protected final void requireStopped(String what) {
    if (server.running()) {
      throw new IllegalStateException(what + " needs " + name + " to be stopped");
    }
  }
}
