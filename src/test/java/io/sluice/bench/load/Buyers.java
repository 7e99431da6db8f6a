package io.sluice.bench.load;

/** Who sends the requests of a volley. */
public enum Buyers {
  /** Another buyer each, named by the header. */
  NEW,
  /** {@link #CROWD} buyers in turn, each request with a key of its own, named by the header. */
  RETURNING,
  /** The same, named by a token each. */
  WITH_TOKENS;

  /** Fewer than the tokens that an instance remembers as verified. */
  public static final int CROWD = 10_000;

  /** The HS256 secret of their tokens. */
  public static final String SECRET = "bench-bench-bench-bench-bench-bench";
}
