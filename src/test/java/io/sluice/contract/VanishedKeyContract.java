package io.sluice.contract;

import static io.sluice.contract.StockUnderTest.EPOCH;
import static io.sluice.contract.StockUnderTest.NOTHING_BOOKED;
import static io.sluice.contract.StockUnderTest.TERM;
import static io.sluice.contract.StockUnderTest.VERSION;
import static io.sluice.contract.StockUnderTest.await;
import static io.sluice.contract.StockUnderTest.expectOk;
import static io.sluice.contract.StockUnderTest.releaseOf;
import static io.sluice.contract.StockUnderTest.request;
import static io.sluice.contract.StockUnderTest.token;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.model.BucketId;
import io.sluice.model.Grant;
import io.sluice.model.Grants;
import io.sluice.model.OrderToken;
import io.sluice.model.SkuSettings;
import io.sluice.model.SkuState;
import io.sluice.stock.BucketCode;
import io.sluice.stock.GrantOutcome;
import io.sluice.stock.Recorded;
import io.sluice.stock.StockStore;
import io.sluice.stock.StockStore.BucketTotal;
import io.sluice.stock.StockStore.Release;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A key of a bucket that was evicted or deleted: what rests on it is not answered, and the bucket
 * is rebuilt. Otherwise a holder of a bucket without its records would hear that it is sold out, or
 * be granted a second time.
 */
interface VanishedKeyContract extends AwayContract {
  SkuSettings UP_TO_TWO = new SkuSettings(300, 2, 0, 0);

  /** A bucket that is sold out: one order is booked, one is not. */
  private BucketId soldOut() {
    BucketId bucket = unit().openBucket(2, SkuState.OPEN, UP_TO_TWO);
    unit().book(unit().grant(bucket, request(bucket, 1, 1)));
    unit().grant(bucket, request(bucket, 2, 1));
    return bucket;
  }

  @ParameterizedTest
  @ValueSource(strings = {"reserve", "unbooked", "buyers"})
  default void shouldAnswerNothingWhenAKeyHasVanished(String key) {
    // given
    StockStore store = unit().store();
    BucketId bucket = soldOut();

    // when
    unit().vanish(bucket, key);

    // then
    calls()
        .forEach(
            (call, asked) -> assertThat(asked.apply(bucket)).as(call).isEqualTo(BucketCode.LOST));
    assertThat(await(store.overdue(bucket, 0, 10)).code()).isEqualTo(BucketCode.LOST);
    assertThat(await(store.areQuiet(List.of(bucket)))).isFalse();
    expectOk(store.book(bucket, TERM, NOTHING_BOOKED, List.of(token(bucket, 2))));
    assertThat(unit().snapshot(bucket).code()).as("still").isEqualTo(BucketCode.LOST);
  }

  @Test
  default void shouldBeAbsentWhenItsHeadHasVanished() {
    // given
    BucketId bucket = soldOut();

    // when
    unit().vanish(bucket, "stock");

    // then
    assertThat(unit().reserveReply(bucket, request(bucket, 1, 1)).code())
        .isEqualTo(BucketCode.ABSENT);
    assertThat(await(unit().store().areQuiet(List.of(bucket)))).isFalse();
  }

  @Test
  default void shouldServeAgainOnceItIsRebuilt() {
    // given
    BucketId bucket = soldOut();
    Grant booked = Grants.of(token(bucket, 1), Buyers.of(1), 1, 1, EPOCH, 1, 2);
    unit().vanish(bucket, "reserve");

    // when
    unit().rebuild(2, UP_TO_TWO, bucket, new Recorded(booked, true, false));

    // then
    assertThat(unit().reserve(bucket, request(bucket, 1, 1)).get(0))
        .isInstanceOf(GrantOutcome.Already.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"reserve", "buyers"})
  default void shouldNotOpenWhatHasVanishedWhileItWasLoaded(String key) {
    // given
    BucketId bucket = unit().headedBucket(5, UP_TO_TWO);
    String mark = unit().markOf(bucket);
    Grant one = Grants.of(token(bucket, 1), Buyers.of(1), 1, 1, EPOCH, 1, 2);
    Grant two = Grants.of(token(bucket, 2), "user-2", 1, 2, EPOCH, 1, 2);
    expectOk(unit().store().loadPage(bucket, TERM, mark, List.of(new Recorded(one, true, false))));

    // when
    unit().vanish(bucket, key);
    BucketCode page =
        await(unit().store().loadPage(bucket, TERM, mark, List.of(new Recorded(two, true, false))));
    BucketCode opened = await(unit().store().open(bucket, TERM, mark));

    // then
    assertThat(List.of(page, opened)).containsOnly(BucketCode.SUPERSEDED);
  }

  /** A wrong count would shut a bucket for nothing. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  default void shouldCountWhateverIsDone(long seed) {
    // given
    Random random = new Random(seed);
    BucketId bucket = unit().openBucket(12, SkuState.OPEN, UP_TO_TWO);
    BucketId other = unit().openBucket(12, SkuState.OPEN, UP_TO_TWO);
    List<Grant> granted = new ArrayList<>();
    List<String> done = new ArrayList<>();

    for (int i = 0; i < 120; i++) {
      // when
      done.add(anything(random, bucket, other, granted, i));

      // then
      assertThat(unit().snapshot(bucket).code()).as("%s", done).isEqualTo(BucketCode.OK);
      assertThat(unit().snapshot(other).code()).as("%s", done).isEqualTo(BucketCode.OK);
    }
  }

  private String anything(
      Random random, BucketId bucket, BucketId other, List<Grant> granted, int turn) {
    int number = random.nextInt(12);
    int qty = 1 + random.nextInt(2);
    switch (random.nextInt(6)) {
      case 0 -> {
        StockStore.Request cart =
            StockStore.Request.ofLines(
                token(bucket, 100 + number),
                "user-" + number,
                null,
                List.of(new StockStore.Line(bucket, qty, 0), new StockStore.Line(other, 1, 0)));
        GrantOutcome outcome = await(unit().store().reserveCarts(List.of(cart))).outcomes().get(0);
        if (outcome instanceof GrantOutcome.Granted fresh) {
          granted.addAll(fresh.grant().lines());
        }
        return "cart " + number + " " + outcome;
      }
      case 1 -> {
        List<OrderToken> tokens =
            granted.stream()
                .filter(grant -> random.nextBoolean())
                .map(Grant::token)
                .filter(token -> token.bucketId().equals(bucket))
                .toList();
        expectOk(unit().store().book(bucket, TERM, NOTHING_BOOKED, tokens));
        return "book " + tokens.size();
      }
      case 2 -> {
        if (granted.isEmpty()) {
          return "nothing";
        }
        Grant grant = granted.get(random.nextInt(granted.size()));
        Release release =
            random.nextBoolean()
                ? releaseOf(grant)
                : new Release(grant.token(), grant.epoch(), grant.seq(), 1);
        expectOk(unit().store().release(grant.token().bucketId(), TERM, List.of(release, release)));
        return "release " + release;
      }
      case 3 -> {
        SkuSettings settings = random.nextInt(3) == 0 ? new SkuSettings(300, 0, 0, 0) : UP_TO_TWO;
        BucketTotal more = new BucketTotal(VERSION + 1 + turn, 12 + turn, SkuState.OPEN, settings);
        BucketCode code = await(unit().store().restock(bucket, TERM, more));
        return "restock " + settings + " " + code;
      }
      default -> {
        List<GrantOutcome> outcomes =
            unit()
                .reserve(
                    bucket,
                    request(bucket, number, "user-" + number % 5, qty),
                    request(bucket, number + 1, "user-" + number % 5, 1));
        outcomes.forEach(
            outcome -> {
              if (outcome instanceof GrantOutcome.Granted fresh) {
                granted.add(fresh.grant());
              }
            });
        return "reserve " + number + " " + outcomes;
      }
    }
  }
}
