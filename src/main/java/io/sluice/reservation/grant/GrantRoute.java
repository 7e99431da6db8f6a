package io.sluice.reservation.grant;

/** How a grant is made durable. Chosen before Redis is asked. */
enum GrantRoute {
  /** In a record of the order log. */
  LOG,
  /** Booked directly in the ledger; a permit of the budget is taken. */
  DIRECT,
  /** Neither has capacity now, so Redis is not asked. */
  NONE
}
