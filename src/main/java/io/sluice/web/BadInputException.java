package io.sluice.web;

/**
 * What a caller sent cannot be read; names the field. It has no stack trace: it is no fault of
 * ours.
 */
public final class BadInputException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String field;

  /**
   * Names the fault.
   *
   * @param field the field, header or parameter; {@code body} where it is the body as a whole
   * @param detail "Expected ..., but ..."
   */
  public BadInputException(String field, String detail) {
    super(detail, null, false, false);
    this.field = field;
  }

  public String field() {
    return field;
  }

  Problem problem() {
    return Problem.of(ProblemType.BAD_REQUEST, field, String.valueOf(getMessage()));
  }
}
