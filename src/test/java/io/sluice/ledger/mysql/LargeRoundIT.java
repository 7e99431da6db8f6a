package io.sluice.ledger.mysql;

import static io.sluice.db.TestDatabase.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.Batches;
import io.sluice.ledger.Fence;
import io.sluice.ledger.Step;
import io.sluice.ledger.Step.Result;
import io.sluice.model.BucketId;
import io.sluice.model.Cart;
import io.sluice.model.Command;
import io.sluice.model.Grants;
import io.sluice.model.Limits;
import io.sluice.testkit.Placements;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/**
 * A batch of as many rows as carts can have fits: no statement of it comes near {@code
 * max_allowed_packet}, which the server has as it comes.
 */
class LargeRoundIT {
  private static final int CARTS = 4_000;

  @AutoClose private static final RealLedger real = new RealLedger(2, 120_000);

  @Test
  void shouldBookFourThousandCartsOfTwentyLinesInOneTransaction() {
    // given
    List<BucketId> buckets = ofOnePartition();
    Fence fence = get(real.takeOver(buckets.get(0)));
    List<Command> commands =
        IntStream.range(0, CARTS).<Command>mapToObj(number -> cart(number, buckets)).toList();

    // when
    Result result = get(Batches.apply(real.ledger, Step.check(fence), commands));

    // then
    assertThat(result).isInstanceOf(Result.Applied.class);
    assertThat(buckets).allSatisfy(one -> assertThat(real.row(one).held()).isEqualTo(CARTS));
  }

  /** The SKUs of a cart. */
  private static List<BucketId> ofOnePartition() {
    List<BucketId> found = new ArrayList<>();
    while (found.size() < Limits.CART_LINES_MAX) {
      BucketId next = new BucketId(RealLedger.newSkuId(), 0);
      if (Placements.partitionOf(next, RealLedger.PARTITIONS) == 0) {
        found.add(real.put(next.skuId(), CARTS, 1));
      }
    }
    return found;
  }

  private static Command cart(int number, List<BucketId> buckets) {
    List<Cart.Line> lines =
        buckets.stream().map(bucket -> new Cart.Line(bucket, 1, 1, number + 1L, 0)).toList();
    String user = "buyer-" + number;
    return new Command.Reserve(
        Grants.ofLead(
            new Cart(lines),
            RealLedger.token(buckets.get(0), user),
            user,
            1,
            Long.MAX_VALUE / 2,
            null),
        null);
  }
}
