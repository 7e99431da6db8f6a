package io.sluice.ledger.rules;

import java.util.Locale;

/** Why a command cannot be applied. */
public enum DeadCause {
  /** Its bucket is not in the ledger. */
  UNKNOWN_BUCKET,
  /** A value of its grant cannot be that of an order. */
  FLAW,
  /** Its epoch is too far ahead of its bucket's. */
  EPOCH,
  /** Another order of its epoch has its seq. */
  SEQ,
  /** It cannot be read, or the database refuses to store it. */
  MALFORMED;

  /** Its name in metrics. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
