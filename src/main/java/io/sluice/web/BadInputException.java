package io.sluice.web;

/**
 * What a caller sent cannot be read; carries the problem to answer with. It has no stack trace: it
 * is no fault of ours.
 */
public final class BadInputException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Problem problem;

  /**
   * Names the fault.
   *
   * @param field the field, header or parameter; {@code body} where it is the body as a whole
   * @param detail "Expected ..., but ..."
   */
  public BadInputException(String field, String detail) {
    super(detail, null, false, false);
    this.problem = Problem.of(ProblemType.BAD_REQUEST, field, detail);
  }

  public Problem problem() {
    return problem;
  }
}
