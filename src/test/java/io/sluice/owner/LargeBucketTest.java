package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.BucketRow;
import io.sluice.ledger.BucketRows;
import io.sluice.model.BucketId;
import io.vertx.core.Future;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A bucket that takes long to load, beside others. */
class LargeBucketTest {
  private final RebuildScene scene = new RebuildScene();

  /** Its load takes longer than their wait. */
  @Test
  void shouldNotLoadALargeBucketWhileOthersWaitForEarlierGrants() {
    // given
    BucketId large = scene.lostSkus(1, 1).get(0);
    BucketId live = scene.lostSkus(2, 1).get(0);
    BucketRow row = scene.ledger.bucket(large).result().orElseThrow();
    scene.instead.put("bucket", asked -> asked[0].equals(large) ? sold(row) : null);
    scene.unit.request(large, "frozen first, alone");
    scene.run();
    scene.unit.request(live, "frozen next");
    scene.run();

    // when
    scene.waitForGrants();

    // then
    assertThat(scene.called.get("open")).containsExactly(live, large);
  }

  private static Future<Optional<BucketRow>> sold(BucketRow row) {
    long units = RebuildRequest.LARGE_UNITS;
    return Future.succeededFuture(Optional.of(BucketRows.like(row, row.partition(), units, units)));
  }
}
