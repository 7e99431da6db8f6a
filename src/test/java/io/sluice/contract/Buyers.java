package io.sluice.contract;

import io.sluice.model.Limits;

/** Ids of buyers as long as they may be, with every character that may mean something somewhere. */
public final class Buyers {
  private static final String ANY = "|'\"\\?%:+/-_{}[]()<&>,;=!~`^#$*@.";

  private Buyers() {}

  public static String of(long number) {
    String begin = "user-" + number + ANY;
    return begin + "x".repeat(Limits.USER_ID_MAX - begin.length());
  }
}
