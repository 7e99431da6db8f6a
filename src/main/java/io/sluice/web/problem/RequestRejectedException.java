package io.sluice.web.problem;

/** A request that is rejected while it arrives, with its answer. */
public final class RequestRejectedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient Problem problem;

  public RequestRejectedException(Problem problem) {
    super(problem.detail(), null, false, false);
    this.problem = problem;
  }

  /** The answer. */
  public Problem problem() {
    return problem;
  }
}
