package io.sluice.grant;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.model.BucketId;
import io.sluice.model.Grants;
import io.sluice.model.OrderToken;
import io.sluice.stock.BucketCode;
import io.sluice.stock.GrantOutcome;
import io.sluice.stock.ReserveReply;
import io.sluice.stock.ReserveReply.Contents;
import io.sluice.stock.StockStore;
import io.sluice.stock.StockStore.TokenPage;
import io.sluice.testkit.Ports;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A copy is complete only if all its pages report the same contents; otherwise it is discarded.
 * What it has forgotten takes no space, and neither does what it hears of later.
 */
class TokenReplicaTest {
  private static final BucketId BUCKET = new BucketId(7, 0);
  private static final Contents FIVE = new Contents(1, 5, 0);
  private static final Contents SIX = new Contents(1, 6, 0);

  private final List<Promise<TokenPage>> pages = new ArrayList<>();
  private final ManualLoop time = new ManualLoop();
  private final TokenReplica.CopySpace space = new TokenReplica.CopySpace();

  private final TokenReplica unit =
      new TokenReplica(BUCKET, Ports.partly(StockStore.class, this), time.loop(), space);

  Future<TokenPage> tokens(BucketId bucket, String from, int limit) {
    Promise<TokenPage> page = Promise.promise();
    pages.add(page);
    return page.future();
  }

  @BeforeEach
  void beginToRead() {
    unit.read();
  }

  @Test
  void shouldBeCompleteWhenAllPagesSayTheSameContents() {
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
    // when
    page(FIVE, "17", "a", "alice");
    page(SIX, StockStore.FIRST_PAGE, "b", "bob");

    // then
    assertThat(unit.isOf(FIVE)).isFalse();
    assertThat(unit.isOf(SIX)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"0, true", "1, false"})
  void shouldBeNoneWhenThereAreTooManyTokens(int over, boolean complete) {
    // when
    tooLarge(over);

    // then
    assertThat(unit.isOf(FIVE)).isEqualTo(complete);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldReadAgainSoonWhenAReadingCameToNothing(boolean answered) {
    // given
    page(FIVE, "17", "a", "alice");
    if (answered) {
      page(SIX, StockStore.FIRST_PAGE, "b", "bob");
    } else {
      pages.get(1).fail("connection closed");
    }

    // when
    time.advanceMs(100);
    unit.read();
    page(SIX, StockStore.FIRST_PAGE, "b", "bob");

    // then
    assertThat(unit.isOf(SIX)).isTrue();
    assertThat(unit.mayHave(token("a"))).isFalse();
  }

  @Test
  void shouldForgetWhatAnEarlierEpochHad() {
    // given
    page(FIVE, StockStore.FIRST_PAGE, "a", "alice");
    time.advanceMs(100);

    // when
    unit.read();
    page(new Contents(2, 5, 0), StockStore.FIRST_PAGE, "b", "bob");

    // then
    assertThat(unit.mayHave(token("a"))).isFalse();
    assertThat(unit.mayHaveBuyer("alice")).isFalse();
  }

  @Test
  void shouldStayCompleteWhenItsOwnLoopWasGrantedTheRest() {
    // given
    page(FIVE, StockStore.FIRST_PAGE, "a", "alice", "b", "bob");

    // when
    unit.note(granted(new Contents(1, 8, 0), 2, "c", "d"));

    // then
    assertThat(unit.isOf(SIX)).isFalse();
    assertThat(unit.isOf(new Contents(1, 9, 0))).isFalse();
    assertThat(unit.isOf(new Contents(1, 8, 0))).as("5 and 2 more would be 7").isFalse();

    // when
    unit.note(granted(new Contents(1, 9, 0), 2, "c", "d"));

    // then
    assertThat(unit.isOf(new Contents(1, 9, 0))).isTrue();
    assertThat(unit.mayHave(token("d"))).isTrue();
    assertThat(unit.mayHaveBuyer("buyer-c")).isTrue();
    assertThat(unit.size()).isEqualTo(8);
  }

  @Test
  void shouldForgetAllWhenItsOwnGrantsMakeItTooLarge() {
    // given
    String[] names = new String[2 * (TokenReplica.TOKENS_MAX - 1)];
    Arrays.setAll(names, i -> "name-" + i / 2);
    pages
        .get(0)
        .complete(
            new TokenPage(BucketCode.OK, FIVE, 1, StockStore.FIRST_PAGE, Arrays.asList(names)));
    unit.note(granted(SIX, 1, "c"));
    boolean full = unit.isOf(SIX);

    // when
    unit.note(granted(new Contents(1, 7, 0), 1, "d"));

    // then
    assertThat(full).isTrue();
    assertThat(unit.size()).isZero();
    assertThat(unit.isOf(new Contents(1, 7, 0))).isFalse();
  }

  @Test
  void shouldBeNoneWhenRedisDoesNotAnswer() {
    // when
    pages.get(0).fail("connection closed");

    // then
    assertThat(unit.isOf(FIVE)).isFalse();
  }

  @Test
  void shouldPauseBetweenTwoReadings() {
    // given
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
  void shouldFindEveryTextOfMany() {
    // given
    TokenReplica.Fingerprints many = new TokenReplica.Fingerprints();
    for (int i = 0; i < 10_000; i++) {
      many.add("token-" + i);
      many.add("token-" + i / 2);
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

  /** Long if the bucket is too large; else in proportion to how long reading took. */
  @ParameterizedTest
  @CsvSource({"true, 0, 10000", "false, 50, 1000"})
  void shouldReadAgainAfterAPause(boolean tooLarge, long tookMs, long pauseMs) {
    // given
    time.advanceMs(tookMs);
    if (tooLarge) {
      tooLarge(1);
    } else {
      page(FIVE, StockStore.FIRST_PAGE);
    }

    // when
    time.advanceMs(pauseMs - 1);
    unit.read();
    int early = pages.size();
    time.advanceMs(1);
    unit.read();

    // then
    assertThat(early).isEqualTo(1);
    assertThat(pages).hasSize(2);
  }

  // ---- the space of all copies

  @Test
  void shouldCountEachTokenAndEachBuyerOnce() {
    // given
    page(FIVE, "17", "a", "alice");

    // when
    page(FIVE, StockStore.FIRST_PAGE, "b", "bob", "a", "alice");

    // then
    assertThat(space.used()).isEqualTo(4);
  }

  @Test
  void shouldHoldNothingWhenACopyIsReadAgain() {
    // given
    page(FIVE, StockStore.FIRST_PAGE, "a", "alice");
    time.advanceMs(10_000);

    // when
    unit.read();

    // then
    assertThat(space.used()).isZero();
  }

  @Test
  void shouldHoldNothingOfACopyThatWasDroppedWhileItWasRead() {
    // given
    page(FIVE, "17", "a", "alice");
    unit.drop();

    // when
    page(FIVE, "18", "b", "bob");

    // then
    assertThat(space.used()).isZero();
    assertThat(pages).as("no further page is asked for").hasSize(2);
  }

  @Test
  void shouldHoldNothingOfACopyThatCannotBeReadToItsEnd() {
    // given
    page(FIVE, "17", "a", "alice");

    // when
    pages.get(1).fail("connection closed");

    // then
    assertThat(space.used()).isZero();
  }

  @Test
  void shouldEndTheReadingWhenThereIsNoSpaceForAFurtherPage() {
    // given
    space.take(TokenReplica.CopySpace.FINGERPRINTS_MAX - 2);
    page(FIVE, "17", "a", "alice");

    // when
    page(FIVE, StockStore.FIRST_PAGE, "b", "bob");

    // then
    assertThat(space.used()).isEqualTo(TokenReplica.CopySpace.FINGERPRINTS_MAX - 2);
    assertThat(unit.isOf(FIVE)).isFalse();
  }

  private void tooLarge(int over) {
    pages
        .get(0)
        .complete(
            new TokenPage(
                BucketCode.OK,
                FIVE,
                TokenReplica.TOKENS_MAX + over,
                StockStore.FIRST_PAGE,
                List.of()));
  }

  private static ReserveReply granted(Contents contents, int qty, String... letters) {
    List<GrantOutcome> outcomes =
        Arrays.stream(letters)
            .<GrantOutcome>map(
                letter ->
                    new GrantOutcome.Granted(
                        Grants.of(token(letter), "buyer-" + letter, qty, 1, 1, 1, 2)))
            .toList();
    return new ReserveReply(BucketCode.OK, 0, outcomes, contents, 0, "run");
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
