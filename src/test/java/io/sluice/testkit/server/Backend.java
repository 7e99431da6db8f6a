package io.sluice.testkit.server;

/** A real server for tests, and the faults that can be injected into it. */
public interface Backend {
  /** Redis, Kafka or MySQL. */
  String name();

  /** The product, its version and its origin, such as {@code MariaDB 11.4.5 (embedded)}. */
  String describe();

  /** False for a server that the environment names: it can be neither stopped nor paused. */
  boolean killable();

  /** Ends the server at once, like {@code kill -9}. What it has written to its files stays. */
  void kill();

  /** Shuts the server down. */
  void stop();

  /**
   * Restarts it after {@link #kill()} or {@link #stop()}: same port, same data. Returns when it
   * answers.
   */
  void start();

  /** Freezes the server: its connections stay open and get no answer. */
  void pause();

  /** Resumes a paused server. */
  void resume();

  /** The process id of the running server. */
  long pid();
}
