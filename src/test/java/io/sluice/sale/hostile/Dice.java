package io.sluice.sale.hostile;

import java.util.List;
import java.util.Random;

/** The random choices of an attack; the same seed makes the same. */
final class Dice extends Random {
  private static final long serialVersionUID = 1;

  Dice(long seed) {
    super(seed);
  }

  /** One of these. */
  <T> T any(List<T> list) {
    return list.get(nextInt(list.size()));
  }
}
