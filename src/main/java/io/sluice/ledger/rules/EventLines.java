package io.sluice.ledger.rules;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.sluice.model.BucketId;
import io.sluice.model.Cart;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The lines of an order of several SKUs in the JSON of an event. */
final class EventLines {
  static final String FIELD = "lines";

  private EventLines() {}

  static void append(StringBuilder json, Cart cart) {
    json.append(",\"").append(FIELD).append("\":[");
    String between = "";
    for (Cart.Line line : cart.lines()) {
      json.append(between).append("{\"sku_id\":").append(line.bucket().skuId());
      json.append(",\"bucket\":").append(line.bucket().bucket());
      json.append(",\"qty\":").append(line.qty()).append(",\"seq\":").append(line.seq());
      json.append(",\"epoch\":").append(line.epoch());
      json.append(",\"sale_no\":").append(line.saleNo());
      json.append(",\"refunded_qty\":").append(line.refundedQty()).append('}');
      between = ",";
    }
    json.append(']');
  }

  /** Reads the value of the field, whose first token is the current one. */
  static Cart read(JsonParser json) throws IOException {
    List<Cart.Line> lines = new ArrayList<>();
    while (json.nextToken() == JsonToken.START_OBJECT) {
      lines.add(readLine(json));
    }
    return new Cart(lines);
  }

  private static Cart.Line readLine(JsonParser json) throws IOException {
    long skuId = 0;
    int bucket = 0;
    int qty = 0;
    long seq = 0;
    long epoch = 0;
    long saleNo = 0;
    int refundedQty = 0;
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String name = json.currentName();
      json.nextToken();
      switch (name) {
        case "sku_id" -> skuId = json.getLongValue();
        case "bucket" -> bucket = json.getIntValue();
        case "qty" -> qty = json.getIntValue();
        case "seq" -> seq = json.getLongValue();
        case "epoch" -> epoch = json.getLongValue();
        case "sale_no" -> saleNo = json.getLongValue();
        case "refunded_qty" -> refundedQty = json.getIntValue();
        default -> json.skipChildren();
      }
    }
    return new Cart.Line(new BucketId(skuId, bucket), qty, epoch, seq, saleNo, refundedQty);
  }
}
