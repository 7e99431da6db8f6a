package io.sluice.bench.load;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LivesLoopTest {

  @Test
  void shouldFindTheTokenOfAnOrder() {
    assertThat(LivesLoop.tokenIn(answer("{\"order_token\":\"1.0.Ab-_\",\"qty\":1}")))
        .contains("1.0.Ab-_");
    assertThat(LivesLoop.tokenIn(answer("{\"qty\":1}"))).isEqualTo(Optional.empty());
    assertThat(LivesLoop.tokenIn(answer("{\"order_token\":\"1.0.Ab"))).isEqualTo(Optional.empty());
  }

  @Test
  void shouldOrderAtItsRateAndConfirmNineInTen() throws Exception {
    try (ConstantServer server = ConstantServer.start()) {
      // given
      LoadSpec orders =
          new LoadSpec(
              server.url(), 8, Duration.ofMillis(500), 200, Buyers.NEW, "v1", 2_000_000_001L, 4);
      LivesLoop unit = new LivesLoop(new LivesSpec(orders, Duration.ofMillis(50), 8));

      // when
      LivesHeard heard = unit.run(() -> {});

      // then
      assertThat(heard.granted() + heard.unsent()).isEqualTo(100);
      assertThat(heard.granted()).isPositive();
      assertThat(heard.unpaid()).isEqualTo(heard.granted() / LivesSpec.UNPAID_ONE_IN);
      assertThat(heard.confirmed()).isEqualTo(heard.granted() - heard.unpaid());
      assertThat(heard.notPaid() + heard.refused() + heard.failed()).isZero();
    }
  }

  private static ByteBuf answer(String body) {
    return Unpooled.copiedBuffer("HTTP/1.1 201 Created\r\n\r\n" + body, US_ASCII);
  }
}
