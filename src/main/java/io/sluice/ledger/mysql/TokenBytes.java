package io.sluice.ledger.mysql;

import io.sluice.model.OrderToken;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.Base64;
import java.util.Collection;
import java.util.List;

/** The id of an order token as its column has it: 16 bytes for the last 22 characters. */
final class TokenBytes {
  private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();
  private static final Base64.Decoder DECODER = Base64.getUrlDecoder();
  private static final int CHARACTERS = 22;

  private TokenBytes() {}

  static Buffer of(OrderToken token) {
    String text = token.value();
    return Buffer.buffer(DECODER.decode(text.substring(text.length() - CHARACTERS)));
  }

  /** The token of a row that begins with sku_id, bucket and order_token. */
  static OrderToken token(Row row) {
    return token(row.getLong(0), row.getInteger(1), row.getBuffer(2));
  }

  static OrderToken token(long skuId, int bucket, Buffer id) {
    String text = skuId + "." + bucket + "." + ENCODER.encodeToString(id.getBytes());
    return new OrderToken(skuId, bucket, text);
  }

  /** The parameters of a statement that looks tokens up; each token once. */
  static List<Tuple> tuples(Collection<OrderToken> tokens) {
    return tokens.stream()
        .distinct()
        .filter(OrderToken::isCanonical)
        .map(token -> Tuple.of(token.skuId(), token.bucket(), of(token)))
        .toList();
  }
}
