package io.sluice.testkit.process;

/**
 * Hears how far the start of each server has come, to show progress. Called from several threads.
 */
@FunctionalInterface
public interface StartListener {
  /** What a server is doing. */
  enum State {
    /** Looks for its program, unpacks it, or makes its data folder. */
    PREPARING,
    STARTING,
    READY,
    FAILED
  }

  /** Hears nothing. */
  StartListener SILENT = (name, state, detail) -> {};

  void onChange(String name, State state, String detail);
}
