package io.sluice.bench.row;

import io.sluice.bench.BenchException;
import io.sluice.bench.load.Heard;

/** Checks that every request of a volley was accepted. */
final class Refused {
  private Refused() {}

  static void none(Heard heard) {
    if (heard.refused() + heard.failed() > 0) {
      throw new BenchException("Expected only grants, but got " + heard);
    }
  }
}
