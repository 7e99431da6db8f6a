package io.sluice.reservation;

/** How a grant becomes durable. It is chosen before Redis is asked for the grant. */
enum Route {
  /** As part of a record of the order log. */
  LOG,
  /** Booked in the ledger at once; its place in the budget is taken. */
  DIRECT,
  /** Neither has room now, so nobody asks for a grant. */
  NONE
}
