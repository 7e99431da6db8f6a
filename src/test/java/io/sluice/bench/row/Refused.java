package io.sluice.bench.row;

import io.sluice.bench.BenchException;
import io.sluice.bench.load.Heard;

/** Holds a volley that must be accepted whole to that. */
final class Refused {
  private Refused() {}

  static void none(Heard heard) {
    if (heard.refused() + heard.failed() > 0) {
      throw new BenchException("Expected nothing but grants, but got " + heard);
    }
  }
}
