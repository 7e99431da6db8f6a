package io.sluice.owner;

/** This owner's term is over: whatever it was doing has no effect, and it does nothing more. */
final class FenceLostException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  FenceLostException(int partition) {
    super("partition " + partition + " has another owner");
  }
}
