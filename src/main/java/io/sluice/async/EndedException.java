package io.sluice.async;

/** The work was ended for good, and does nothing more: an order that was obeyed, not a failure. */
public abstract class EndedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  protected EndedException(String message) {
    super(message);
  }
}
