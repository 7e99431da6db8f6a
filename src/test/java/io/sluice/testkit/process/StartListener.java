package io.sluice.testkit.process;

/** Is notified of the progress of each server's start. Called from several threads. */
@FunctionalInterface
public interface StartListener {
  /** The state of a server's start. */
  enum State {
    /** Finds or unpacks its program, or makes its data folder. */
    PREPARING,
    STARTING,
    READY,
    FAILED
  }

  /** Ignores all notifications. */
  StartListener SILENT = (name, state, detail) -> {};

  void onChange(String name, State state, String detail);
}
