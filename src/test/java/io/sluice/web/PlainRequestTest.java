package io.sluice.web;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlainRequestTest {
  private static final String LINE = "POST /v1/orders HTTP/1.1\r\n";
  private static final String PLAIN =
      LINE + "Host: shop\r\nX-User-Id: alice\r\nContent-Length: 3\r\n\r\n{1}";
  private static final long SEED = 20_261_124;
  private static final int MUTATIONS = 200_000;

  private final PlainRequest unit = new PlainRequest("/v1/orders");

  @ParameterizedTest
  @ValueSource(
      strings = {
        PLAIN,
        LINE + "\r\n",
        LINE + "content-length:  0\r\n\r\n",
        LINE + "Accept: a, b;q=0.5\r\nContent-Length: 2\r\nidempotency-key: k~1\r\n\r\n{}"
      })
  void shouldKnowTheLengthWhenTheRequestIsPlain(String request) {
    assertThat(lengthOf(request)).isEqualTo(request.length());
    assertThat(lengthOf(request + "POST /v1")).isEqualTo(request.length());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /v1/orders HTTP/1.1\r\n\r\n",
        "POST /v1/orders HTTP/1.0\r\n\r\n",
        "POST /v1/orders/ HTTP/1.1\r\n\r\n",
        "POST  /v1/orders HTTP/1.1\r\n\r\n",
        "\r\n" + LINE + "\r\n",
        LINE,
        LINE + "\r",
        LINE + "\n",
        LINE + "Host: shop\n\r\n",
        LINE + "Host: shop\r\n folded\r\n\r\n",
        LINE + "Host : shop\r\n\r\n",
        LINE + "Ho\0st: shop\r\n\r\n",
        LINE + ": shop\r\n\r\n",
        LINE + "Host\r\n\r\n",
        LINE + "Host: sh\u00f6p\r\n\r\n",
        LINE + "Host: sh\top\r\n\r\n",
        LINE + "Host: shop\r\r\n\r\n",
        LINE + "connection: close\r\n\r\n",
        LINE + "Expect: 100-continue\r\n\r\n",
        LINE + "Upgrade: h2c\r\n\r\n",
        LINE + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        LINE + "TRANSFER-ENCODING: chunked\r\nContent-Length: 3\r\n\r\n{1}",
        LINE + "Content-Length: 3\r\nContent-Length: 3\r\n\r\n{1}",
        LINE + "Content-Length: 3\r\n\r\n{1",
        LINE + "Content-Length: +3\r\n\r\n{1}",
        LINE + "Content-Length: -1\r\n\r\n",
        LINE + "Content-Length: 3 \r\n\r\n{1}",
        LINE + "Content-Length: 3, 3\r\n\r\n{1}",
        LINE + "Content-Length: 0x3\r\n\r\n{1}",
        LINE + "Content-Length:\r\n\r\n",
        LINE + "Content-Length: 4294967299\r\n\r\n{1}"
      })
  void shouldLeaveTheRequestToTheDecoderWhenItIsNotPlain(String request) {
    assertThat(lengthOf(request)).isEqualTo(PlainRequest.OTHER);
  }

  @Test
  void shouldLeaveTheRequestToTheDecoderWhenItsHeadIsLarge() {
    assertThat(lengthOf(LINE + "X-A: " + "a".repeat(8 * 1024) + "\r\n\r\n"))
        .isEqualTo(PlainRequest.OTHER);
  }

  /** What it takes for one request, the decoder must take for the same one. */
  @Test
  void shouldReadAsTheDecoderDoesWhenBytesAreChanged() {
    Random random = new Random(SEED);
    int plain = 0;
    for (int i = 0; i < MUTATIONS; i++) {
      String mutated = mutated(random);
      int length = lengthOf(mutated);
      if (length != PlainRequest.OTHER) {
        plain++;
        assertThat(isOneRequest(mutated.substring(0, length))).as(mutated).isTrue();
      }
    }
    assertThat(plain).isGreaterThan(MUTATIONS / 100);
  }

  private static String mutated(Random random) {
    String bytes = "\r\n :;,\t\0-_09azAZ\u007f\u00e4{}";
    StringBuilder request = new StringBuilder(PLAIN + PLAIN);
    for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
      int at = random.nextInt(PLAIN.length());
      char other = bytes.charAt(random.nextInt(bytes.length()));
      switch (random.nextInt(3)) {
        case 0 -> request.setCharAt(at, other);
        case 1 -> request.insert(at, other);
        default -> request.deleteCharAt(at);
      }
    }
    return request.toString();
  }

  /** Whether the decoder reads exactly one order of these bytes, which asks for no other answer. */
  private static boolean isOneRequest(String bytes) {
    EmbeddedChannel channel = new EmbeddedChannel(new HttpRequestDecoder());
    channel.writeInbound(Unpooled.copiedBuffer(bytes, ISO_8859_1));
    int heads = 0;
    int ends = 0;
    boolean plain = true;
    for (HttpObject part = channel.readInbound(); part != null; part = channel.readInbound()) {
      plain &= part.decoderResult().isSuccess();
      if (part instanceof HttpRequest request) {
        heads++;
        plain &=
            request.uri().equals("/v1/orders")
                && request.method().name().equals("POST")
                && !request.headers().contains(HttpHeaderNames.CONNECTION)
                && !request.headers().contains(HttpHeaderNames.TRANSFER_ENCODING)
                && !request.headers().contains(HttpHeaderNames.EXPECT);
      }
      ends += part instanceof LastHttpContent ? 1 : 0;
      ReferenceCountUtil.release(part);
    }
    channel.finishAndReleaseAll();
    return plain && heads == 1 && ends == 1;
  }

  private int lengthOf(String request) {
    ByteBuf bytes = Unpooled.copiedBuffer("x" + request, ISO_8859_1).skipBytes(1);
    try {
      return unit.lengthOf(bytes);
    } finally {
      bytes.release();
    }
  }
}
