package io.sluice.bench.load;

/** Who sends the requests of a volley. */
public enum Buyers {
  /** Another buyer each, named by the header. */
  NEW,
  /** The same; each orders {@link #CART_LINES} SKUs with consecutive ids together. */
  NEW_WITH_CARTS,
  /** {@link #CROWD} buyers in turn, each request with a key of its own, named by the header. */
  RETURNING,
  /** The same, named by a token each. */
  WITH_TOKENS;

  /** Fewer than the tokens that an instance remembers as verified. */
  public static final int CROWD = 10_000;

  public static final int CART_LINES = 3;

  /** The HS256 secret of their tokens. */
  public static final String SECRET = "bench-bench-bench-bench-bench-bench";

  /** Whether each request is by another buyer. */
  boolean areNew() {
    return this == NEW || this == NEW_WITH_CARTS;
  }

  /** The SKUs of each order. */
  public int lines() {
    return this == NEW_WITH_CARTS ? CART_LINES : 1;
  }
}
