package io.sluice.async;

/** The work was ended on purpose and will not resume. Not a failure, so it is not logged. */
public abstract class EndedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  protected EndedException(String message) {
    super(message);
  }
}
