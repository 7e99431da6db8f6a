package io.sluice.contract;

import static io.sluice.contract.StockUnderTest.await;
import static io.sluice.contract.StockUnderTest.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.model.BucketId;
import io.sluice.model.Grant;
import io.sluice.stock.BucketCode;
import io.sluice.stock.ReserveReply;
import io.sluice.stock.ReserveReply.Contents;
import io.sluice.stock.StockStore;
import io.sluice.stock.StockStore.Request;
import io.sluice.stock.StockStore.TokenPage;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** All tokens of a bucket, page by page. */
interface TokensContract extends StockContract {
  /** More than Redis keeps in a listpack, so that HSCAN takes several steps. */
  int MANY = 512;

  @Test
  default void shouldReadEveryTokenWhenItsContentsStayTheSame() {
    // given
    BucketId bucket = unit().openBucket(2 * MANY);
    Request[] requests =
        IntStream.range(0, MANY).mapToObj(i -> request(bucket, i, 1)).toArray(Request[]::new);
    ReserveReply granted = unit().reserveReply(bucket, requests);

    // when
    Map<String, String> buyers = new HashMap<>();
    Set<Contents> contents = new HashSet<>();
    String from = StockStore.FIRST_PAGE;
    do {
      TokenPage page = page(bucket, from);
      for (int i = 0; i < page.tokens().size(); i += 2) {
        buyers.put(page.tokens().get(i), page.tokens().get(i + 1));
      }
      contents.add(page.contents());
      assertThat(page.recorded()).isEqualTo(MANY);
      from = page.next();
    } while (!from.equals(StockStore.FIRST_PAGE));

    // then
    assertThat(buyers)
        .isEqualTo(
            Stream.of(requests)
                .collect(Collectors.toMap(wanted -> wanted.token().value(), Request::userId)));
    assertThat(contents).hasSize(1);
    assertThat(contents.iterator().next().sameTokens(granted.contents())).isTrue();
  }

  @Test
  default void shouldReadEndedTokensToo() {
    // given
    BucketId bucket = unit().openBucket(2);
    Grant ended = unit().grant(bucket, request(bucket, 1, "alice-2|x", 1));
    unit().release(ended);

    // when
    TokenPage page = page(bucket, StockStore.FIRST_PAGE);

    // then
    assertThat(page.tokens()).containsExactly(ended.token().value(), "alice-2|x");
    assertThat(page.next()).isEqualTo(StockStore.FIRST_PAGE);
  }

  @Test
  default void shouldHaveNoTokensWhenNoneWasGranted() {
    // given
    BucketId bucket = unit().openBucket(2);

    // when
    TokenPage page = page(bucket, StockStore.FIRST_PAGE);

    // then
    assertThat(page.code()).isEqualTo(BucketCode.OK);
    assertThat(page.tokens()).isEmpty();
    assertThat(page.recorded()).isZero();
  }

  private TokenPage page(BucketId bucket, String from) {
    return await(unit().store().tokens(bucket, from, 100));
  }
}
