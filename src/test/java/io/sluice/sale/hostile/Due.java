package io.sluice.sale.hostile;

import java.util.Set;

/** What a hostile request must be answered. Every answer is checked by {@link AnswerCheck} too. */
enum Due {
  /** Any answer that this API gives to nonsense. */
  ANSWER(100, 200, 204, 400, 401, 403, 404, 405, 408, 413, 415, 429, 431, 503, 505),

  /** A no to somebody who is not whom he pretends to be. */
  STRANGER(400, 401, 403, 404, 429, 431, 503, 505),

  /** A no to a buyer whose ticket is not good. */
  TICKET(400, 403, 425, 429, 431, 503),

  /** A no to an operator because of what he sent. */
  BODY(400, 404, 409, 413, 415, 503),

  /** What can be said before a body is there, and that it came too late. */
  SLOW(100, 401, 404, 405, 408, 413, 429, 503),

  /** A yes or a no: the call is valid, however odd it looks. */
  ODD(200, 202, 400, 503);

  private final Set<Integer> statuses;

  Due(Integer... statuses) {
    this.statuses = Set.of(statuses);
  }

  boolean allows(int status) {
    return statuses.contains(status);
  }
}
