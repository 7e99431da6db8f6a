package io.sluice.testkit.server;

/** One running server: a process of the tests, a container, or one named in the environment. */
public interface Server extends AutoCloseable {
  /** Product, version and origin. */
  String describe();

  boolean killable();

  boolean running();

  void start();

  void stop();

  void kill();

  void pause();

  void resume();

  long pid();

  /** Ends it for good, in the fastest way. */
  @Override
  void close();
}
