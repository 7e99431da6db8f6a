package io.sluice.contract;

import static io.sluice.contract.StockUnderTest.request;
import static io.sluice.contract.StockUnderTest.token;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.model.BucketId;
import io.sluice.model.Grant;
import io.sluice.model.OrderToken;
import io.sluice.stock.GrantOutcome.Already;
import io.sluice.stock.GrantOutcome.Granted;
import io.sluice.stock.Recorded;
import io.sluice.stock.ReserveReply;
import io.sluice.stock.StockStore.Request;
import org.junit.jupiter.api.Test;

/** The callers' own names for their orders. */
interface ReferenceContract extends StockContract {

  @Test
  default void shouldKeepTheFirstReferenceWhenARequestIsRepeated() {
    // given
    BucketId bucket = unit().openBucket(10);
    OrderToken named = token(bucket, 1);
    Grant grant = unit().grant(bucket, new Request(named, "alice", 1, "cart|7~\"", 0));
    Grant nameless = unit().grant(bucket, request(bucket, 2, "bob", 1));

    // when
    var repeated =
        unit()
            .reserve(
                bucket,
                new Request(named, "alice", 1, "other", 0),
                new Request(named, "alice", 1),
                new Request(nameless.token(), "bob", 1, "late", 0));

    // then
    assertThat(grant.reference()).isEqualTo("cart|7~\"");
    assertThat(repeated)
        .containsExactly(
            new Already(grant, true), new Already(grant, true), new Already(nameless, true));
    assertThat(unit().snapshot(bucket).unbooked()).containsExactlyInAnyOrder(grant, nameless);
    assertThat(unit().recorded(named)).isEqualTo(new Recorded(grant, true, true));
  }

  @Test
  default void shouldGiveEachItsReferenceWhenTheyShareABatch() {
    // given
    BucketId bucket = unit().openBucket(10);

    // when
    ReserveReply reply =
        unit()
            .reserveReply(
                bucket,
                new Request(token(bucket, 1), "alice", 1, "a", 0),
                new Request(token(bucket, 2), "bob", 1),
                new Request(token(bucket, 3), "carol", 1, "c", 0));

    // then
    assertThat(reply.outcomes())
        .extracting(o -> ((Granted) o).grant().reference())
        .containsExactly("a", null, "c");
    assertThat(unit().recorded(token(bucket, 3)).grant().reference()).isEqualTo("c");
  }
}
