package io.sluice.owner.timeout;

import io.sluice.ledger.OrderReads.DuePlace;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Looks once more at holds that the scan has passed, a page with each scan: holds that are due now
 * do not wait for it. It ends where the scan was when it began; holds behind that are the scan's.
 */
final class DueWalk {
  private @Nullable DuePlace place;
  private long beganMs;

  /**
   * @param from behind which place to look
   * @param nowMs until which deadline the scan looks now
   */
  void begin(DuePlace from, long nowMs) {
    place = from;
    beganMs = nowMs;
  }

  boolean isUnderWay() {
    return place != null;
  }

  /** Where it goes on; empty while it is not under way. */
  Optional<DuePlace> place() {
    return Optional.ofNullable(place);
  }

  /** When the last one began; also once it has ended. */
  long beganMs() {
    return beganMs;
  }

  /**
   * Everything up to this hold was looked at. Returns whether that is the end of the walk.
   *
   * @param complete whether no further hold was due
   */
  boolean reached(DuePlace last, boolean complete) {
    boolean atEnd = complete || last.payBeforeMs() > beganMs;
    place = atEnd ? null : last;
    return atEnd;
  }
}
