package io.sluice.owner;

import io.sluice.async.ExecutionSequencer.EndedException;

/** This owner's term is over. Its work in flight has no effect, and it starts nothing more. */
public final class FenceLostException extends EndedException {
  private static final long serialVersionUID = 1L;

  public FenceLostException(int partition) {
    super("partition " + partition + " has another owner");
  }
}
