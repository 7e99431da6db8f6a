package io.sluice.web;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.sluice.metrics.Meters;
import io.sluice.web.OverloadGate.GatedRequests;
import io.vertx.core.http.HttpServerOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A connection that has got its last answer, and is not closed yet. */
class RequestDecoderTest {
  private static final String PATH = "/v1/orders";
  private static final String ORDER = "POST /v1/orders HTTP/1.1\r\nHost: x\r\n";

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final RequestDecoder unit =
      new RequestDecoder(
          new HttpServerOptions(),
          new GatedRequests(
              new OverloadGate(PATH, () -> true, () -> 0, new Meters(registry).answers("place"))));
  private final EmbeddedChannel channel = new EmbeddedChannel(new Lingering(), unit);

  /** Closes late, as TLS does. */
  private static final class Lingering extends ChannelOutboundHandlerAdapter {
    @Override
    public void close(ChannelHandlerContext ctx, ChannelPromise promise) {}
  }

  @AfterEach
  void close() {
    channel.finishAndReleaseAll();
  }

  @ParameterizedTest
  @ValueSource(strings = {"POST /v1", ORDER, ORDER + "Content-Length: 9\r\n\r\n1234"})
  void shouldReadNothingWhenTheLastAnswerIsGiven(String begun) {
    // given
    send(begun);

    // when
    unit.end(Problem.LATE_REQUEST);
    send("\r\n\r\n56789" + ORDER + "Content-Length: 0\r\n\r\n");

    // then
    assertThat(written()).startsWith("HTTP/1.1 408 ").doesNotContain("503");
    assertThat(channel.<Object>readInbound()).isNull();
    assertThat(unit.isArriving()).isFalse();
  }

  @Test
  void shouldCountTheLastAnswerWhenItIsThatToARefusedRequest() {
    // given
    send(ORDER + "Content-Length: 9\r\n\r\n1234");

    // when
    unit.end(Problem.LATE_REQUEST);

    // then
    assertThat(
            registry
                .counter("sluice_http_requests", "call", "place", "outcome", "request-timeout")
                .count())
        .isEqualTo(1);
  }

  private void send(String bytes) {
    channel.writeInbound(Unpooled.copiedBuffer(bytes, ISO_8859_1));
  }

  private String written() {
    StringBuilder all = new StringBuilder();
    for (ByteBuf one = channel.readOutbound(); one != null; one = channel.readOutbound()) {
      all.append(one.toString(ISO_8859_1));
      one.release();
    }
    return all.toString();
  }
}
