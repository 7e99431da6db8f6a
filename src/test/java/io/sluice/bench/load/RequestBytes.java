package io.sluice.bench.load;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/**
 * The bytes of requests: a template in which only the buyer's number and the SKU are overwritten.
 */
final class RequestBytes {
  private static final String BUYER = "0000000000";

  private final LoadSpec volley;
  private final byte[] template;
  private final int buyerAt;
  private final int skuAt;
  private long number;

  RequestBytes(LoadSpec volley) {
    this.volley = volley;
    String body = "{\"sku_id\":" + volley.firstSku() + ",\"qty\":1}";
    String head =
        "POST /v1/orders HTTP/1.1\r\nHost: bench\r\nX-User-Id: "
            + volley.buyers()
            + "-"
            + BUYER
            + "\r\nContent-Type: application/json\r\nContent-Length: "
            + body.length()
            + "\r\n\r\n";
    if (String.valueOf(volley.firstSku()).length() != LoadSpec.SKU_DIGITS) {
      throw new IllegalArgumentException("Expected SKUs of ten digits");
    }
    this.template = (head + body).getBytes(US_ASCII);
    this.buyerAt = head.indexOf(BUYER);
    this.skuAt = head.length() + "{\"sku_id\":".length();
  }

  ByteBuf next(ByteBufAllocator allocator) {
    write(buyerAt, BUYER.length(), number);
    if (volley.skus() > 1) {
      write(skuAt, LoadSpec.SKU_DIGITS, volley.firstSku() + number % volley.skus());
    }
    number++;
    return allocator.directBuffer(template.length).writeBytes(template);
  }

  private void write(int at, int digits, long value) {
    long rest = value;
    for (int i = at + digits - 1; i >= at; i--) {
      template[i] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
  }
}
