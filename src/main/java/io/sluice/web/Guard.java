package io.sluice.web;

import io.sluice.web.problem.Problem;
import org.jspecify.annotations.Nullable;

/** Decides who may make a call. */
@FunctionalInterface
public interface Guard {
  /** Admits everybody. */
  Guard ANYBODY = call -> null;

  /** The answer to a caller who may not make the call; null for one who may. */
  @Nullable Problem refusal(GuardedCall call);

  /** Notified of the answer to each call that it guards, admitted or not. */
  default void answered(GuardedCall call, int status) {}
}
