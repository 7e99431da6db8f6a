package io.sluice.reservation.grant;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.model.BucketId;
import io.sluice.model.OrderToken;
import io.sluice.reservation.ManualLoop;
import io.sluice.reservation.Ports;
import io.sluice.stock.BucketCode;
import io.sluice.stock.ReserveReply.Contents;
import io.sluice.stock.StockStore;
import io.sluice.stock.StockStore.TokenPage;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A copy is complete only if all its pages report the same contents; otherwise it is discarded. */
class TokenReplicaTest {
  private static final BucketId BUCKET = new BucketId(7, 0);
  private static final Contents FIVE = new Contents(1, 5, 0);
  private static final Contents SIX = new Contents(1, 6, 0);

  private final List<Promise<TokenPage>> pages = new ArrayList<>();
  private final ManualLoop time = new ManualLoop();
  private final TokenReplica unit =
      new TokenReplica(BUCKET, Ports.partly(StockStore.class, this), time.loop());

  Future<TokenPage> tokens(BucketId bucket, String from, int limit) {
    Promise<TokenPage> page = Promise.promise();
    pages.add(page);
    return page.future();
  }

  @Test
  void shouldBeCompleteWhenAllPagesSayTheSameContents() {
    // given
    unit.read();

    // when
    page(FIVE, "17", "a", "alice");
    boolean early = unit.isOf(FIVE);
    page(FIVE, StockStore.FIRST_PAGE, "b", "bob");

    // then
    assertThat(early).isFalse();
    assertThat(unit.isOf(FIVE)).isTrue();
    assertThat(unit.isOf(SIX)).isFalse();
    assertThat(unit.mayHave(token("a")) && unit.mayHave(token("b"))).isTrue();
    assertThat(unit.mayHave(token("c"))).isFalse();
    assertThat(unit.mayHaveBuyer("bob")).isTrue();
    assertThat(unit.mayHaveBuyer("carol")).isFalse();
  }

  @Test
  void shouldBeNoneWhenATokenCameInBetween() {
    // given
    unit.read();

    // when
    page(FIVE, "17", "a", "alice");
    page(SIX, StockStore.FIRST_PAGE, "b", "bob");

    // then
    assertThat(unit.isOf(FIVE)).isFalse();
    assertThat(unit.isOf(SIX)).isFalse();
  }

  @Test
  void shouldBeNoneWhenThereAreTooManyTokens() {
    // given
    unit.read();

    // when
    pages
        .get(0)
        .complete(
            new TokenPage(
                BucketCode.OK,
                FIVE,
                TokenReplica.TOKENS_MAX + 1,
                StockStore.FIRST_PAGE,
                List.of()));

    // then
    assertThat(unit.isOf(FIVE)).isFalse();
  }

  @Test
  void shouldBeNoneWhenRedisDoesNotAnswer() {
    // given
    unit.read();

    // when
    pages.get(0).fail("connection closed");

    // then
    assertThat(unit.isOf(FIVE)).isFalse();
  }

  @Test
  void shouldPauseBetweenTwoReadings() {
    // given
    unit.read();
    unit.read();
    page(FIVE, StockStore.FIRST_PAGE);

    // when
    unit.read();
    int atOnce = pages.size();
    time.advanceMs(100);
    unit.read();

    // then
    assertThat(atOnce).isEqualTo(1);
    assertThat(pages).hasSize(2);
  }

  @Test
  void shouldPauseInProportionWhenReadingTookLong() {
    // given
    unit.read();
    time.advanceMs(50);
    page(FIVE, StockStore.FIRST_PAGE);

    // when
    time.advanceMs(999);
    unit.read();
    int early = pages.size();
    time.advanceMs(1);
    unit.read();

    // then
    assertThat(early).isEqualTo(1);
    assertThat(pages).hasSize(2);
  }

  @Test
  void shouldFindEveryTextOfMany() {
    // given
    Fingerprints many = new Fingerprints();
    for (int i = 0; i < 10_000; i++) {
      many.add("token-" + i);
      many.add("token-" + i);
    }

    // when
    int size = many.size();

    // then
    assertThat(size).isEqualTo(10_000);
    for (int i = 0; i < 10_000; i++) {
      assertThat(many.mayContain("token-" + i)).isTrue();
    }
    assertThat(many.mayContain("token-10000")).isFalse();
  }

  private void page(Contents contents, String next, String... names) {
    List<String> tokens = new ArrayList<>();
    for (int i = 0; i < names.length; i += 2) {
      tokens.add(token(names[i]).value());
      tokens.add(names[i + 1]);
    }
    pages.get(pages.size() - 1).complete(new TokenPage(BucketCode.OK, contents, 2, next, tokens));
  }

  private static OrderToken token(String letter) {
    return new OrderToken(7, 0, "7.0." + letter.repeat(22));
  }
}
