package io.sluice.web;

/** A request that is rejected while it arrives, with its answer. */
final class RequestRejectedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient Problem problem;

  RequestRejectedException(Problem problem) {
    super(problem.detail(), null, false, false);
    this.problem = problem;
  }

  Problem problem() {
    return problem;
  }
}
