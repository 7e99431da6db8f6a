package io.sluice.web.caller;

import io.sluice.jwt.SignatureCredit;
import io.sluice.web.problem.Problem;
import io.vertx.core.http.HttpServerRequest;

/** The senders of buyers' tokens, and how many wrong ones they may send. */
@FunctionalInterface
public interface TokenSenders {
  /** The credit that the sender of one token has left. */
  interface Credit extends SignatureCredit {
    /** The answer to a call whose credit {@link #isSpent}. */
    Problem refusal();
  }

  /** The credit of the sender of this call. */
  Credit of(HttpServerRequest request);
}
