package io.sluice.reservation.grant;

/** How a grant becomes durable. It is chosen before Redis is asked for the grant. */
enum GrantRoute {
  /** As part of a record of the order log. */
  LOG,
  /** Booked in the ledger at once; its place in the budget is taken. */
  DIRECT,
  /** Neither has room now, so nobody asks for a grant. */
  NONE
}
