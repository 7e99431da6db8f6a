package io.sluice.testkit.site;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.function.Function;
import java.util.function.IntToLongFunction;

/** The terms of a sale before it is opened: the body of a SKU's first PUT. */
public final class SaleTerms {
  /** Each one waits for as long as the service does, some 10 s. */
  private static final int AGAIN_MAX = 3;

  private final IntToLongFunction ids;
  private final JsonObject body = new JsonObject();
  private final Function<Call, Answer> desk;
  private final Function<Long, Sale> opened;

  SaleTerms(IntToLongFunction ids, Function<Call, Answer> desk, Function<Long, Sale> opened) {
    this.ids = ids;
    this.desk = desk;
    this.opened = opened;
  }

  public SaleTerms withStock(long units) {
    return with("total_stock", units);
  }

  public SaleTerms withBuckets(int buckets) {
    return with("buckets", buckets);
  }

  public SaleTerms withLimit(int unitsPerUser) {
    return with("limit_per_user", unitsPerUser);
  }

  /** Sells in the ledger alone. */
  public SaleTerms direct() {
    return with("mode", "direct");
  }

  public SaleTerms withPaymentWindow(Duration window) {
    return with("payment_window_s", window.toSeconds());
  }

  public SaleTerms opensAt(Instant time) {
    return with("opens_at", text(time));
  }

  /** Also in the past. */
  public SaleTerms closesAt(Instant time) {
    return with("closes_at", text(time)).with("allow_past", true);
  }

  /** Opens the sale; returns once Redis shows it. A slow service is asked again. */
  public Sale open() {
    long skuId = ids.applyAsLong(body.getInteger("buckets", 1));
    Call put = Call.put("/admin/skus/" + skuId).json(body);
    Answer answer = desk.apply(put);
    for (int again = 0; again < AGAIN_MAX && answer.status() == 503; again++) {
      answer = desk.apply(put);
    }
    assertThat(answer.isYes()).as("PUT of SKU %d: %s", skuId, answer).isTrue();
    return opened.apply(skuId);
  }

  private static String text(Instant time) {
    return time.truncatedTo(ChronoUnit.MILLIS).toString();
  }

  private SaleTerms with(String field, Object value) {
    body.put(field, value);
    return this;
  }
}
