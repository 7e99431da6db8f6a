package io.sluice.web.problem;

/**
 * A part of the request is invalid; names the field. Has no stack trace, because it is the caller's
 * error.
 */
public final class BadInputException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String field;

  /**
   * @param field the field, header or parameter; {@code body} for the body as a whole
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
