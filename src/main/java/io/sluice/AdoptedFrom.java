package io.sluice;

/** Where a new order log is read from that a ledger adopts. */
enum AdoptedFrom {
  /** Its begin: it has records of this ledger, which was restored to before it adopted this log. */
  BEGIN,

  /** Its end: the records in it are of others. */
  END
}
