package io.sluice.contract;

import static io.sluice.contract.StockUnderTest.EPOCH;
import static io.sluice.contract.StockUnderTest.TERM;
import static io.sluice.contract.StockUnderTest.expectOk;
import static io.sluice.contract.StockUnderTest.request;
import static io.sluice.contract.StockUnderTest.token;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.model.BucketId;
import io.sluice.model.Grant;
import io.sluice.model.Refusal;
import io.sluice.model.SkuSettings;
import io.sluice.model.SkuState;
import io.sluice.stock.GrantOutcome.Already;
import io.sluice.stock.GrantOutcome.Granted;
import io.sluice.stock.GrantOutcome.Refused;
import io.sluice.stock.Recorded;
import io.sluice.stock.StockStore.Release;
import io.sluice.stock.StockStore.Request;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Units that go back on sale while their order keeps others. */
interface PartReleaseContract extends StockContract {

  private void release(Grant grant, int left) {
    release(grant, left, 0);
  }

  private void release(Grant grant, int left, int withdrawn) {
    Release release = new Release(grant.token(), grant.epoch(), grant.seq(), left, withdrawn);
    expectOk(unit().store().release(grant.token().bucketId(), TERM, List.of(release)));
  }

  /** What an order of three units keeps is absolute, and only gets less. */
  @ParameterizedTest
  @CsvSource(
      value = {
        "2; 2",
        "2 2; 2",
        "2 1; 1",
        "1 2; 1",
        "3; 3",
        "4; 3",
        "2 0; 0",
        "0 2; 0",
        "1 0 1; 0"
      },
      delimiter = ';')
  default void shouldReturnEachUnitOnceWhenPartsAreReleased(String keeps, int left) {
    // given
    BucketId bucket = unit().openBucket(10);
    Grant grant = unit().grant(bucket, new Request(token(bucket, 1), "alice", 3, "cart", 0));
    unit().book(grant);

    // when
    Stream.of(keeps.split(" ")).forEach(units -> release(grant, Integer.parseInt(units)));

    // then
    assertThat(unit().snapshot(bucket).released()).isEqualTo(3 - left);
    assertThat(unit().recorded(grant.token())).isEqualTo(new Recorded(grant, left, false));
    assertThat(
            StockUnderTest.await(unit().store().snapshot(bucket, List.of(grant.token()), 0))
                .live()
                .getOrDefault(grant.token(), 0))
        .isEqualTo(left);
  }

  /**
   * What an order of five units keeps, and what of it has left the stock. Both are absolute, so the
   * later of two releases tells all that the earlier one did.
   */
  @ParameterizedTest
  @CsvSource(
      value = {
        "0+5; 0; 0; 0",
        "0+5 0+5; 0; 0; 0",
        "3+0 2+1; 2; 1; 2",
        "3+0 2+1 0+1; 0; 0; 4",
        "3+0 2+1 0+3; 0; 0; 2",
        "2+1 3+0; 2; 1; 2",
        "0+1 2+1 3+0; 0; 0; 4",
        "4+1 3+1 3+1; 3; 1; 1",
        "4+1 2+3; 2; 3; 0",
        "2+3 4+1 0+3; 0; 0; 2"
      },
      delimiter = ';')
  default void shouldNotPutUnitsBackOnSaleThatHaveLeftTheStock(
      String releases, int left, int withdrawn, int released) {
    // given
    BucketId bucket = unit().openBucket(10, SkuState.OPEN, new SkuSettings(300, 5, 0, 0));
    Grant grant = unit().grant(bucket, new Request(token(bucket, 1), "alice", 5, "cart", 0));
    unit().book(grant);

    // when
    for (String release : releases.split(" ")) {
      String[] parts = release.split("[+]");
      release(grant, Integer.parseInt(parts[0]), Integer.parseInt(parts[1]));
    }

    // then
    assertThat(unit().snapshot(bucket).released()).isEqualTo(released);
    assertThat(unit().recorded(grant.token()))
        .isEqualTo(new Recorded(grant, left, withdrawn, false));
    assertThat(
            StockUnderTest.await(unit().store().snapshot(bucket, List.of(grant.token()), 0))
                .live()
                .getOrDefault(grant.token(), 0))
        .isEqualTo(left + withdrawn);
    var again = unit().reserve(bucket, request(bucket, 2, "alice", 5 - left));
    assertThat(again.get(0)).isInstanceOf(Granted.class);
    assertThat(unit().reserve(bucket, request(bucket, 3, "alice", 1)))
        .containsExactly(new Refused(Refusal.LIMIT_REACHED));
  }

  @Test
  default void shouldStillKnowWhatWasAskedForWhenUnitsHaveLeftTheStock() {
    // given
    BucketId bucket = unit().openBucket(10);
    Grant grant = unit().grant(bucket, request(bucket, 1, "alice", 3));
    unit().book(grant);

    // when
    release(grant, 2, 1);

    // then
    assertThat(
            unit().reserve(bucket, request(bucket, 1, "alice", 3), request(bucket, 1, "alice", 2)))
        .containsExactly(new Already(grant, false), new Refused(Refusal.KEY_MISMATCH));
  }

  /** As many units are counted as before the rebuild, and each is put back on sale once. */
  @Test
  default void shouldLoadWhatHasLeftTheStock() {
    // given
    BucketId bucket = unit().openBucket(10);
    Grant grant = unit().grant(bucket, request(bucket, 1, "alice", 3));
    Recorded recorded = new Recorded(grant, 1, 1, false);

    // when
    unit().rebuild(10, StockUnderTest.FREE_FOR_ALL, bucket, recorded);
    release(grant, 1, 1);
    release(grant, 2, 0);

    // then
    assertThat(unit().snapshot(bucket).available()).isEqualTo(8);
    assertThat(unit().recorded(grant.token())).isEqualTo(recorded);

    // when
    release(grant, 0, 1);

    // then
    assertThat(unit().snapshot(bucket).available()).isEqualTo(9);
    assertThat(unit().recorded(grant.token())).isEqualTo(new Recorded(grant, 0, false));
  }

  @Test
  default void shouldReturnEachUnitOnceWhenPartsShareACall() {
    // given
    BucketId bucket = unit().openBucket(10);
    Grant grant = unit().grant(bucket, request(bucket, 1, "alice", 3));
    unit().book(grant);

    // when
    expectOk(
        unit()
            .store()
            .release(
                bucket,
                TERM,
                List.of(
                    new Release(grant.token(), EPOCH, grant.seq(), 2),
                    new Release(grant.token(), EPOCH, grant.seq(), 1))));

    // then
    assertThat(unit().snapshot(bucket).released()).isEqualTo(2);
    assertThat(unit().recorded(grant.token())).isEqualTo(new Recorded(grant, 1, false));
  }

  @Test
  default void shouldStillKnowWhatWasAskedForWhenAPartIsReleased() {
    // given
    BucketId bucket = unit().openBucket(10);
    Grant grant = unit().grant(bucket, request(bucket, 1, "alice", 3));
    unit().book(grant);
    release(grant, 2);

    // when
    var repeated =
        unit().reserve(bucket, request(bucket, 1, "alice", 3), request(bucket, 1, "alice", 2));
    release(grant, 0);
    var ended =
        unit().reserve(bucket, request(bucket, 1, "alice", 3), request(bucket, 1, "alice", 2));

    // then
    assertThat(repeated)
        .containsExactly(new Already(grant, false), new Refused(Refusal.KEY_MISMATCH));
    assertThat(ended)
        .containsExactly(new Refused(Refusal.ORDER_ENDED), new Refused(Refusal.KEY_MISMATCH));
  }

  @Test
  default void shouldReturnItsShareOfTheBuyersLimit() {
    // given
    BucketId bucket = unit().openBucket(10, SkuState.OPEN, new SkuSettings(300, 3, 0, 0));
    Grant grant = unit().grant(bucket, request(bucket, 1, "alice", 3));
    unit().book(grant);
    release(grant, 2);

    // when
    var outcomes =
        unit().reserve(bucket, request(bucket, 2, "alice", 1), request(bucket, 3, "alice", 1));

    // then
    assertThat(outcomes.get(1)).isEqualTo(new Refused(Refusal.LIMIT_REACHED));
    assertThat(unit().snapshot(bucket).claimed()).isEqualTo(4);
  }

  @Test
  default void shouldLoadWhatIsLeft() {
    // given
    BucketId bucket = unit().openBucket(10);
    Grant grant = unit().grant(bucket, request(bucket, 1, "alice", 3));
    SkuSettings limited = new SkuSettings(300, 3, 0, 0);

    // when
    unit().rebuild(10, limited, bucket, new Recorded(grant, 1, false));

    // then
    assertThat(unit().snapshot(bucket).available()).isEqualTo(9);
    assertThat(unit().recorded(grant.token())).isEqualTo(new Recorded(grant, 1, false));
    assertThat(
            unit().reserve(bucket, request(bucket, 1, "alice", 3), request(bucket, 2, "alice", 3)))
        .containsExactly(new Already(grant, false), new Refused(Refusal.LIMIT_REACHED));
  }
}
