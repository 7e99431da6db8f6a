package io.sluice.bench.load;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.sluice.auth.TokenSigner;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * The bytes of requests: a template in which only the buyer, the key and the SKU are overwritten.
 */
final class RequestBytes {
  private static final String DIGITS = "0000000000";
  private static final String CROWD = "crowd-";
  private static final Duration TOKEN_LIFE = Duration.ofHours(12);

  private final LoadSpec volley;
  private final byte[][] tokens;
  private final byte[] template;
  private final int buyerAt;
  private final int keyAt;
  private final int skuAt;
  private long number;

  RequestBytes(LoadSpec volley) {
    this.volley = volley;
    this.tokens = volley.kind() == Buyers.WITH_TOKENS ? tokens() : new byte[0][];
    if (String.valueOf(volley.firstSku()).length() != LoadSpec.SKU_DIGITS) {
      throw new IllegalArgumentException("Expected SKUs of ten digits");
    }
    boolean isNew = volley.kind().areNew();
    String body = body(volley);
    String buyer =
        tokens.length > 0
            ? "Authorization: Bearer " + new String(tokens[0], US_ASCII)
            : "X-User-Id: " + (isNew ? volley.buyers() + "-" : CROWD) + DIGITS;
    String first = "POST /v1/orders HTTP/1.1\r\nHost: bench\r\n" + buyer;
    String key = isNew ? "" : "\r\nIdempotency-Key: " + volley.buyers() + "-" + DIGITS;
    String head =
        first
            + key
            + "\r\nContent-Type: application/json\r\nContent-Length: "
            + body.length()
            + "\r\n\r\n";
    this.template = (head + body).getBytes(US_ASCII);
    this.buyerAt = first.length() - (tokens.length > 0 ? tokens[0].length : DIGITS.length());
    this.keyAt = first.length() + key.length() - DIGITS.length();
    this.skuAt = head.length() + "{\"sku_id\":".length();
  }

  private static String body(LoadSpec volley) {
    if (volley.kind().lines() == 1) {
      return line(volley.firstSku());
    }
    return LongStream.range(volley.firstSku(), volley.firstSku() + volley.kind().lines())
        .mapToObj(RequestBytes::line)
        .collect(Collectors.joining(",", "{\"lines\":[", "]}"));
  }

  private static String line(long sku) {
    return "{\"sku_id\":" + sku + ",\"qty\":1}";
  }

  /** All of the same length. */
  private static byte[][] tokens() {
    TokenSigner issuer = TokenSigner.hmac(Buyers.SECRET.getBytes(UTF_8));
    long end = Instant.now().plus(TOKEN_LIFE).getEpochSecond();
    byte[][] tokens = new byte[Buyers.CROWD][];
    for (int i = 0; i < tokens.length; i++) {
      JsonObject claims = new JsonObject().put("sub", CROWD + "%010d".formatted(i)).put("exp", end);
      tokens[i] = issuer.token(claims).getBytes(US_ASCII);
    }
    return tokens;
  }

  ByteBuf next(ByteBufAllocator allocator) {
    if (volley.kind().areNew()) {
      write(buyerAt, DIGITS.length(), number);
    } else {
      writeReturning((int) (number % Buyers.CROWD));
    }
    if (volley.skus() > 1) {
      write(skuAt, LoadSpec.SKU_DIGITS, volley.firstSku() + number % volley.skus());
    }
    number++;
    return allocator.directBuffer(template.length).writeBytes(template);
  }

  private void writeReturning(int buyer) {
    write(keyAt, DIGITS.length(), number);
    if (tokens.length > 0) {
      System.arraycopy(tokens[buyer], 0, template, buyerAt, tokens[buyer].length);
    } else {
      write(buyerAt, DIGITS.length(), buyer);
    }
  }

  private void write(int at, int digits, long value) {
    long rest = value;
    for (int i = at + digits - 1; i >= at; i--) {
      template[i] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
  }
}
