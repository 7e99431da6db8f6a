package io.sluice.stock;

import io.sluice.model.BucketId;
import io.sluice.model.Grant;
import io.sluice.model.Refusal;

/**
 * The decision of {@code reserve} or {@code reserve_carts} for one request. A failed Future, in
 * contrast, means that the outcome is unknown.
 */
public sealed interface GrantOutcome {

  /** Granted by this call; of several lines, the grant of the lead, which has all of them. */
  record Granted(Grant grant) implements GrantOutcome {
    @Override
    public <T> void decide(T request, Cases<T> cases) {
      cases.granted(request, this);
    }
  }

  /**
   * The token was granted before.
   *
   * @param unbooked whether it, or one of its lines, is not yet known to be in the ledger; then its
   *     record must be made durable before the grant is acknowledged
   */
  record Already(Grant grant, boolean unbooked) implements GrantOutcome {
    @Override
    public <T> void decide(T request, Cases<T> cases) {
      cases.already(request, this);
    }
  }

  /**
   * Refused; nothing was changed. BUSY stands for a bucket that an operator has frozen.
   *
   * @param line the index of the line that it is refused for
   */
  record Refused(Refusal refusal, int line) implements GrantOutcome {
    /** The index if no line is to blame alone, or there is one only. */
    public static final int NO_LINE = -1;

    /** Of the whole request. */
    public Refused(Refusal refusal) {
      this(refusal, NO_LINE);
    }

    @Override
    public <T> void decide(T request, Cases<T> cases) {
      cases.refused(request, this);
    }
  }

  /** The bucket of a line cannot be asked now: ABSENT, LOST, LOADING or OTHER_SALE. */
  record Away(BucketCode code, BucketId bucket) implements GrantOutcome {
    @Override
    public <T> void decide(T request, Cases<T> cases) {
      cases.away(request, this);
    }
  }

  /** Some of its lines are recorded and others are not; booking and rebuild repair that. */
  record Torn() implements GrantOutcome {
    @Override
    public <T> void decide(T request, Cases<T> cases) {
      cases.torn(request);
    }
  }

  /** Calls the case of this outcome. */
  <T> void decide(T request, Cases<T> cases);

  /** What becomes of a request, for each outcome: one that is not handled does not compile. */
  interface Cases<T> {
    void granted(T request, Granted outcome);

    void already(T request, Already outcome);

    void refused(T request, Refused outcome);

    void away(T request, Away outcome);

    void torn(T request);
  }
}
