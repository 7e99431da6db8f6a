package io.sluice.grant;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.model.BucketId;
import io.sluice.stock.BucketCode;
import io.sluice.stock.ReserveReply.Contents;
import io.sluice.stock.StockStore;
import io.sluice.stock.StockStore.TokenPage;
import io.sluice.testkit.Ports;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a copy has forgotten takes no space, and neither does what it hears of later. */
class CopySpaceTest {
  private static final Contents CONTENTS = new Contents(1, 5, 0);

  private final List<Promise<TokenPage>> pages = new ArrayList<>();
  private final ManualLoop time = new ManualLoop();
  private final TokenReplica.CopySpace unit = new TokenReplica.CopySpace();
  private final TokenReplica replica =
      new TokenReplica(new BucketId(7, 0), Ports.partly(StockStore.class, this), time.loop(), unit);

  Future<TokenPage> tokens(BucketId bucket, String from, int limit) {
    Promise<TokenPage> page = Promise.promise();
    pages.add(page);
    return page.future();
  }

  @Test
  void shouldCountEachTokenAndEachBuyerOnce() {
    // given
    replica.read();

    // when
    page("17", "a", "alice");
    page(StockStore.FIRST_PAGE, "b", "bob", "a", "alice");

    // then
    assertThat(unit.used()).isEqualTo(4);
  }

  @Test
  void shouldHoldNothingWhenACopyIsReadAgain() {
    // given
    replica.read();
    page(StockStore.FIRST_PAGE, "a", "alice");

    // when
    time.advanceMs(10_000);
    replica.read();

    // then
    assertThat(unit.used()).isZero();
  }

  @Test
  void shouldHoldNothingOfACopyThatWasDroppedWhileItWasRead() {
    // given
    replica.read();
    page("17", "a", "alice");

    // when
    replica.drop();
    page("18", "b", "bob");

    // then
    assertThat(unit.used()).isZero();
    assertThat(pages).as("no further page is asked for").hasSize(2);
  }

  @Test
  void shouldHoldNothingOfACopyThatCannotBeReadToItsEnd() {
    // given
    replica.read();
    page("17", "a", "alice");

    // when
    pages.get(1).fail("connection closed");

    // then
    assertThat(unit.used()).isZero();
  }

  @Test
  void shouldEndTheReadingWhenThereIsNoSpaceForAFurtherPage() {
    // given
    unit.take(TokenReplica.CopySpace.FINGERPRINTS_MAX - 2);
    replica.read();

    // when
    page("17", "a", "alice");
    page(StockStore.FIRST_PAGE, "b", "bob");

    // then
    assertThat(unit.used()).isEqualTo(TokenReplica.CopySpace.FINGERPRINTS_MAX - 2);
    assertThat(replica.isOf(CONTENTS)).isFalse();
  }

  private void page(String next, String... names) {
    pages
        .get(pages.size() - 1)
        .complete(new TokenPage(BucketCode.OK, CONTENTS, names.length / 2, next, List.of(names)));
  }
}
