package io.sluice.ledger;

/**
 * The levels that the instances of a ledger understand. A record of a higher version makes an older
 * owner wait, but its rows in the ledger do not. So no row that an owner of the release before
 * would misread is written before the ledger was raised to a level of its own, which needs every
 * instance to be of it; and none of a lower level starts after that.
 */
public final class Levels {
  /** That of a new ledger: the lowest one beside which this release runs. */
  public static final int BASE = 6;

  /** Of this release. */
  public static final int LEVEL = 7;

  /** From which on units may leave the stock within their sale. */
  public static final int WITHDRAWN = 7;

  private Levels() {}
}
