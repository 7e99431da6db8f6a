package io.sluice.bench.load;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sluice.bench.load.Heard.What;
import java.time.Duration;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class LoadLoopTest {
  private static final Duration LENGTH = Duration.ofMillis(500);

  @Test
  void shouldFindTheTokenOfAnOrder() {
    assertThat(LoadLoop.tokenIn(answer("{\"order_token\":\"1.0.Ab-_\",\"qty\":1}")))
        .contains("1.0.Ab-_");
    assertThat(LoadLoop.tokenIn(answer("{\"qty\":1}"))).isEmpty();
    assertThat(LoadLoop.tokenIn(answer("{\"order_token\":\"1.0.Ab"))).isEmpty();
  }

  @Test
  void shouldOrderAtItsRateAndPayNineInTen() throws Exception {
    try (ConstantServer server = ConstantServer.start()) {
      // given
      LoadLoop unit = new LoadLoop(volley(server.url()).arriving(200).paidAfter(50, 0));

      // when
      Heard heard = unit.run(() -> {});

      // then
      assertThat(heard.accepted() + heard.get(What.UNSENT)).isEqualTo(100);
      assertThat(heard.accepted()).isPositive();
      assertThat(heard.get(What.PAID))
          .isEqualTo(heard.accepted() - heard.accepted() / LoadSpec.UNPAID_ONE_IN);
      assertThat(heard.notPaid() + heard.get(What.REFUSED) + heard.get(What.FAILED)).isZero();
    }
  }

  @Test
  void shouldOrderAsFastAsItIsAnsweredWithoutARate() throws Exception {
    try (ConstantServer server = ConstantServer.start()) {
      // given
      LoadSpec oneByOne = volley(server.url()).over(1).lasting(Duration.ofSeconds(3));
      // Classes are loaded first, which takes seconds on a machine that does other things too.
      new LoadLoop(oneByOne).run(() -> {});

      // when
      Heard heard = new LoadLoop(oneByOne).run(() -> {});

      // then
      assertThat(heard.accepted()).isGreaterThan(1);
      assertThat(heard.notAccepted() + heard.get(What.PAID)).isZero();
      assertThat(heard.get(What.YES_P99_US)).isPositive().isEqualTo(heard.get(What.P99_US));
    }
  }

  @Test
  void shouldBeTheSameWhenReadFromItsWords() {
    // given
    LoadSpec unit = volley("http://127.0.0.1:8080").arriving(3_300).paidAfter(1_000, 20_000);

    // then
    assertThat(LoadSpec.parse(unit.words())).isEqualTo(unit);
    assertThat(LongStream.range(0, 1_000).filter(unit::isPaid).count()).isEqualTo(900);
  }

  @Test
  void shouldReadWhatAGeneratorHeard() {
    // given
    Heard heard = new Heard(Map.of(What.ACCEPTED, 3L, What.PAY_P99_US, 5L));

    // then
    assertThat(Heard.parse(heard.line().substring(Heard.WORD.length())).line())
        .contains("accepted=3", "pay_p99_us=5", "refused=0");
    assertThat(Heard.parse("accepted=1 refused=2 max_us=9 us=500000.0").perSecond()).isEqualTo(6);
  }

  private static LoadSpec volley(String url) {
    return LoadSpec.closed(url, 8, LENGTH, "v1", 2_000_000_001L, 4);
  }

  private static ByteBuf answer(String body) {
    return Unpooled.copiedBuffer("HTTP/1.1 201 Created\r\n\r\n" + body, US_ASCII);
  }
}
