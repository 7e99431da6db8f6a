package io.sluice.admin;

import java.security.SecureRandom;
import java.util.Base64;
import java.util.function.Supplier;

/** New names for buyers whose ids are replaced: random, so that they tell nothing of the id. */
final class Pseudonyms implements Supplier<String> {
  private static final String PREFIX = "forgotten-";
  private static final int BYTES = 16;

  private final SecureRandom random = new SecureRandom();

  /** It has the form of a user id, so that it can be looked for as one. */
  @Override
  public String get() {
    byte[] bytes = new byte[BYTES];
    random.nextBytes(bytes);
    return PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
