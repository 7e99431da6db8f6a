package io.sluice;

/** The codes with which the process ends by itself; 0 after SIGTERM or SIGINT. */
final class ExitCode {
  /** The start failed for another reason than those of {@link #WRONG}. */
  static final int FAILED = 1;

  /** Arguments, configuration or the ledger's foundation are wrong; one line says why. */
  static final int WRONG = 2;

  private ExitCode() {}
}
