package io.sluice.owner.rebuild;

import io.sluice.model.BucketId;
import io.sluice.stock.BucketCode;

/** Redis restarted, or another owner took over, or changed the bucket. The rebuild starts over. */
final class RebuildSupersededException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  RebuildSupersededException(BucketId bucket, BucketCode code) {
    super("Expected to go on rebuilding bucket " + bucket + ", but Redis answered " + code);
  }

  /** Another owner has changed orders of the bucket. */
  RebuildSupersededException(BucketId bucket) {
    super("Expected to go on rebuilding bucket " + bucket + ", but its row has changed meanwhile");
  }
}
