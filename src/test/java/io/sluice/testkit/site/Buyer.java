package io.sluice.testkit.site;

import java.util.List;
import java.util.stream.IntStream;

/**
 * A buyer.
 *
 * @param userId 1 to 128 visible ASCII characters
 */
public record Buyer(String userId) {

  public static Buyer named(String userId) {
    return new Buyer(userId);
  }

  /** This many different buyers. */
  public static List<Buyer> crowd(int count) {
    return IntStream.range(0, count).mapToObj(i -> new Buyer("buyer-" + i)).toList();
  }
}
