package io.sluice.ledger.rules;

import io.sluice.model.SkuSettings.Watermarks;

/**
 * A watermark that was crossed.
 *
 * @param percent the mark as it was set
 * @param version the number of this crossing among those of its SKU, from 1 on
 */
record MarkCrossing(Mark mark, Way way, int percent, long version) {

  /** The marks, in the order in which a falling stock passes them. */
  enum Mark {
    LOW,
    LAST;

    int percent(Watermarks marks) {
      return this == LOW ? marks.lowPercent() : marks.lastPercent();
    }
  }

  /** DOWN to the mark or below it, or UP again. */
  enum Way {
    DOWN,
    UP
  }
}
