package io.sluice.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.admin.BucketViews.BucketView;
import io.sluice.ledger.BucketRow;
import io.sluice.model.BucketId;
import io.sluice.stock.BucketCode;
import io.sluice.stock.StockStore.Snapshot;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** In all tests the ledger's row has 100 allotted, 30 held, 20 sold, epoch 1, version 4. */
class BucketViewTest {
  private static final BucketRow ROW = FakeLedger.row(new BucketId(7, 3), 4);

  @ParameterizedTest
  @CsvSource({
    // total, claimed, released, version, unbooked, drift
    "100,60,10,4,0,0",
    "100,65,10,4,5,0",
    "100,62,10,4,5,0",
    "100,60,10,4,5,0",
    "100,66,10,4,5,1",
    "100,70,10,4,0,10",
    "100,59,10,4,5,1",
    "100,0,0,4,0,50",
    "101,60,10,4,0,1",
    "99,60,10,4,0,1",
    "150,60,10,5,0,0",
    "101,66,10,4,5,2",
  })
  void shouldTellOnlyWhatUnbookedGrantsDoNotExplainWhenCompared(
      long total, long claimed, long released, long version, int unbooked, long drift) {
    // given
    Snapshot redis =
        FakeStock.snapshot(BucketCode.OK, total, claimed, released, 1, version, unbooked);

    // when
    BucketView view = new BucketView(ROW, redis);

    // then
    assertThat(view.drift()).hasValue(drift);
    assertThat(view.inFlight()).hasValue(unbooked);
  }

  @ParameterizedTest
  @CsvSource({
    "OK,1,4,true",
    "OK,2,5,true",
    "OK,0,4,false",
    "OK,1,3,false",
    "ABSENT,1,4,false",
    "LOST,1,4,false",
    "LOADING,1,4,false",
  })
  void shouldBeShownWhenRedisServesAtLeastWhatTheLedgerSays(
      BucketCode code, long epoch, long version, boolean shown) {
    // when
    BucketView view = new BucketView(ROW, FakeStock.snapshot(code, epoch, version, 0));

    // then
    assertThat(view.isShown()).isEqualTo(shown);
    assertThat(view.drift().isPresent()).isEqualTo(code == BucketCode.OK);
  }

  @Test
  void shouldTellNoDriftWhenThereAreMoreUnbookedThanRead() {
    // given
    Snapshot cut = FakeStock.snapshot(BucketCode.OK, 100, 63, 10, 1, 4, 2_001, List.of());

    // when
    BucketView view = new BucketView(ROW, cut);

    // then
    assertThat(view.inFlight()).isEmpty();
    assertThat(view.drift()).isEmpty();
    assertThat(view.json().getJsonObject("redis").getLong("unbooked")).isEqualTo(2_001);
  }

  @Test
  void shouldShowBothSidesWhenWritten() {
    // when
    JsonObject json = new BucketView(ROW, FakeStock.snapshot(BucketCode.OK, 1, 4, 2)).json();

    // then
    assertThat(json)
        .isEqualTo(
            new JsonObject(
                """
                {"bucket": 3, "partition": 5,
                 "redis": {"code": "OK", "total": 100, "claimed": 62, "released": 10,
                           "available": 48, "epoch": 1, "version": 4, "unbooked": 2},
                 "ledger": {"allotted": 100, "held": 30, "sold": 20, "available": 50,
                            "epoch": 1, "version": 4},
                 "in_flight": 2, "drift": 0}
                """));
  }

  @Test
  void shouldShowTheLedgerAloneWhenRedisDoesNotAnswer() {
    // when
    JsonObject json = new BucketView(ROW, null).json();

    // then
    assertThat(json.getJsonObject("redis")).isEqualTo(new JsonObject().put("code", "UNAVAILABLE"));
    assertThat(json.getJsonObject("ledger").getLong("held")).isEqualTo(30);
    assertThat(json.containsKey("drift")).isTrue();
    assertThat(json.getValue("drift")).isNull();
  }
}
