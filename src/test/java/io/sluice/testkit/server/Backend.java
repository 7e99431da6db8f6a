package io.sluice.testkit.server;

/** A real server that tests run against, and the ways to make it fail. */
public interface Backend {
  /** Redis, Kafka or MySQL. */
  String name();

  /**
   * The product, its version and where it comes from, such as {@code MariaDB 11.4.5 (embedded)}.
   */
  String describe();

  /** False for a server that somebody else runs: it can be neither stopped nor paused. */
  boolean killable();

  /** Ends the server at once, as {@code kill -9} does. What it had written to its files stays. */
  void kill();

  /** Ends the server in its orderly way. */
  void stop();

  /**
   * Starts it again after {@link #kill()} or {@link #stop()}: same port, same data. Returns when it
   * answers.
   */
  void start();

  /** Freezes the server: its connections stay open and nothing answers. */
  void pause();

  /** Lets a paused server go on. */
  void resume();

  /** The process id of the running server. */
  long pid();
}
