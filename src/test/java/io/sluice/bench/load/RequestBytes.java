package io.sluice.bench.load;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** The bytes of orders: a template in which only the buyer and the SKU are overwritten. */
final class RequestBytes {
  private static final String DIGITS = "0000000000";
  private static final String PAYMENT =
      // The loopback address, as the back office needs it that has no token.
      "POST /v1/orders/%s/confirm HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 0\r\n\r\n";

  private final LoadSpec volley;
  private final byte[] template;
  private final int buyerAt;
  private final int skuAt;
  private long number;

  RequestBytes(LoadSpec volley) {
    this.volley = volley;
    String body =
        volley.lines() == 1
            ? line(volley.firstSku())
            : LongStream.range(volley.firstSku(), volley.firstSku() + volley.lines())
                .mapToObj(RequestBytes::line)
                .collect(Collectors.joining(",", "{\"lines\":[", "]}"));
    String buyer =
        "POST /v1/orders HTTP/1.1\r\nHost: bench\r\nX-User-Id: " + volley.buyers() + "-" + DIGITS;
    String head =
        "%s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
            .formatted(buyer, body.length());
    this.template = (head + body).getBytes(US_ASCII);
    this.buyerAt = buyer.length() - DIGITS.length();
    this.skuAt = head.length() + "{\"sku_id\":".length();
  }

  private static String line(long sku) {
    return "{\"sku_id\":" + sku + ",\"qty\":1}";
  }

  /** The order of another buyer. */
  ByteBuf next(ByteBufAllocator allocator) {
    write(buyerAt, DIGITS.length(), number);
    if (volley.skus() > 1) {
      write(skuAt, LoadSpec.SKU_DIGITS, volley.firstSku() + number % volley.skus());
    }
    number++;
    return allocator.directBuffer(template.length).writeBytes(template);
  }

  static ByteBuf payment(ByteBufAllocator allocator, String token) {
    byte[] bytes = PAYMENT.formatted(token).getBytes(US_ASCII);
    return allocator.directBuffer(bytes.length).writeBytes(bytes);
  }

  private void write(int at, int digits, long value) {
    long rest = value;
    for (int i = at + digits - 1; i >= at; i--) {
      template[i] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
  }
}
