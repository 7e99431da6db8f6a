package io.sluice.tracing;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.model.BucketId;
import io.sluice.model.OrderToken;
import io.sluice.model.OrderTokens;
import java.util.Base64;
import java.util.HexFormat;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TraceContextTest {
  private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
  private static final String SPAN = "b7ad6b7169203331";
  private static final OrderTokens TOKENS = new OrderTokens(new byte[16]);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "00-" + TRACE + "-" + SPAN + "-01",
        "00-" + TRACE + "-" + SPAN + "-ff",
        "01-" + TRACE + "-" + SPAN + "-01",
        "cc-" + TRACE + "-" + SPAN + "-03-what-will-be",
      })
  void shouldReadATraceparentWhenItIsSampled(String text) {
    // when
    TraceContext read = TraceContext.sampled(text);

    // then
    assertThat(read).isEqualTo(new TraceContext(TRACE, SPAN));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "00",
        "00-" + TRACE + "-" + SPAN + "-00",
        "00-" + TRACE + "-" + SPAN + "-02",
        "00-" + TRACE + "-" + SPAN + "-1",
        "00-" + TRACE + "-" + SPAN + "-0g",
        "00-" + TRACE + "-" + SPAN + "-01-more",
        "00-" + TRACE + "-" + SPAN + "-01 ",
        "ff-" + TRACE + "-" + SPAN + "-01",
        "cc-" + TRACE + "-" + SPAN + "-01.more",
        "00-00000000000000000000000000000000-" + SPAN + "-01",
        "00-" + TRACE + "-0000000000000000-01",
        "00-0AF7651916CD43DD8448EB211C80319C-" + SPAN + "-01",
        "00-0af7651916cd43dd8448eb211c80319-" + SPAN + "-011",
        "00_" + TRACE + "-" + SPAN + "-01",
        "t1",
      })
  void shouldReadNothingWhenItIsMalformedOrNotSampled(String text) {
    // when
    TraceContext read = TraceContext.sampled(text);

    // then
    assertThat(read).isNull();
    assertThat(TraceContext.sampled(null)).isNull();
  }

  @Test
  void shouldWriteWhatItReads() {
    // given
    TraceContext context = TraceContext.fresh().child();

    // when
    String text = context.text();

    // then
    assertThat(TraceContext.sampled(text)).isEqualTo(context);
    assertThat(text).hasSize(55);
  }

  @Test
  void shouldBeTheBytesOfTheTokenWhenItIsAnOrders() {
    IntStream.range(0, 1_000)
        .forEach(
            i -> {
              // given
              OrderToken token = TOKENS.tokenFor("buyer" + i, new BucketId(1001, 7), null);
              String id = token.value().substring(token.value().length() - 22);
              String hex = HexFormat.of().formatHex(Base64.getUrlDecoder().decode(id));

              // when
              TraceContext context = TraceContext.ofOrder(token);

              // then
              assertThat(context).isEqualTo(new TraceContext(hex, hex.substring(16)));
            });
  }

  @Test
  void shouldBelongToTheSameTraceWhenItIsAChild() {
    // given
    TraceContext parent = TraceContext.fresh();

    // when
    TraceContext child = parent.child();

    // then
    assertThat(child.traceId()).isEqualTo(parent.traceId());
    assertThat(child.spanId()).matches("[0-9a-f]{16}").isNotEqualTo(parent.spanId());
  }
}
