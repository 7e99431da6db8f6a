package io.sluice.testkit.site;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.mysql.LedgerReader;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Collection;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/**
 * One SKU on sale, with the operations of buyers, back office and operators. Requests are spread
 * over the running instances.
 */
public final class Sale {
  private static final Duration WAIT_GRACE = Duration.ofSeconds(10);

  /** Also after an outage. */
  private static final Duration BOOKED_WITHIN = Duration.ofSeconds(90);

  private final long skuId;
  private final SaleSite site;
  private final Supplier<SluiceProcess> instance;

  Sale(long skuId, SaleSite site, Supplier<SluiceProcess> instance) {
    this.skuId = skuId;
    this.site = site;
    this.instance = instance;
  }

  public long skuId() {
    return skuId;
  }

  /** The same sale, through one instance only. */
  public Sale at(SluiceProcess only) {
    return new Sale(skuId, site, () -> only);
  }

  // ---- buyers

  /** One unit, without a request key. */
  public Answer order(Buyer buyer) {
    return order(buyer, "");
  }

  public Answer order(Buyer buyer, String key) {
    return order(buyer, key, 1);
  }

  /** An empty key means that none is sent. */
  public Answer order(Buyer buyer, String key, int qty) {
    return site.await(ordering(buyer, key, qty));
  }

  /** The same without waiting for the answer. */
  public Future<Answer> ordering(Buyer buyer, String key, int qty) {
    Call call =
        Call.post(instance.get().url() + "/v1/orders")
            .as(buyer)
            .json(new JsonObject().put("sku_id", skuId).put("qty", qty));
    Call keyed = key.isEmpty() ? call : call.header("Idempotency-Key", key);
    var wanted = new Yeses.OrderRequest(skuId, buyer.userId(), key);
    return site.http().send(keyed).onSuccess(answer -> site.yeses().heard(wanted, answer));
  }

  public Answer status(Buyer buyer, String token) {
    return site.http().ask(Call.get(orderUrl(token)).as(buyer));
  }

  /** The answer comes as soon as the status is no longer what it is now, or after that time. */
  public Future<Answer> statusChanging(Buyer buyer, String token, Duration wait) {
    Call call = Call.get(orderUrl(token) + "?wait=" + wait.toSeconds()).as(buyer);
    return site.http().send(call.within(wait.plus(WAIT_GRACE)));
  }

  public Answer cancel(Buyer buyer, String token) {
    return site.await(canceling(buyer, token));
  }

  public Future<Answer> canceling(Buyer buyer, String token) {
    return site.http().send(Call.post(orderUrl(token) + "/cancel").as(buyer));
  }

  /** The public view of the SKU. */
  public Answer level() {
    return site.http().ask(Call.get(instance.get().url() + "/v1/skus/" + skuId));
  }

  // ---- back office

  public Answer status(String token) {
    return site.http().ask(Call.get(orderUrl(token)));
  }

  public Answer pay(String token) {
    return site.await(paying(token));
  }

  public Future<Answer> paying(String token) {
    return site.http().send(Call.post(orderUrl(token) + "/confirm"));
  }

  /** A command of the back office with a body, or without where it is null. */
  public Answer tell(String token, String path, JsonObject body) {
    return site.await(telling(token, path, body));
  }

  /** The same without waiting for the answer. */
  public Future<Answer> telling(String token, String path, JsonObject body) {
    Call call = Call.post(orderUrl(token) + path);
    return site.http().send(body == null ? call : call.json(body));
  }

  /** What operators see of an order. */
  public Answer story(String token) {
    return site.http().ask(Call.get(instance.get().adminUrl() + "/admin/orders/" + token));
  }

  public Answer refund(String token) {
    return site.await(refunding(token));
  }

  Future<Answer> refunding(String token) {
    return site.http().send(Call.post(orderUrl(token) + "/refund"));
  }

  // ---- operators

  /** Adds units or, with a negative quantity, takes unsold ones back. */
  public Answer restock(String restockId, long qty) {
    return site.await(restocking(restockId, qty));
  }

  public Future<Answer> restocking(String restockId, long qty) {
    JsonObject body = new JsonObject().put("restock_id", restockId).put("qty", qty);
    return site.http().send(Call.post(deskUrl() + "/restock").json(body));
  }

  public Answer reopen() {
    return desk("/open");
  }

  public Answer close() {
    return desk("/close");
  }

  public Answer freeze() {
    return desk("/freeze");
  }

  public Answer unfreeze() {
    return desk("/unfreeze");
  }

  /** 202 until it has ended. */
  public Answer end() {
    return desk("/end");
  }

  /** Reloads all its buckets from the ledger; returns once they are open again. */
  public Answer rebuild() {
    return desk("/rebuild");
  }

  /** Moves the orders of the ended SKU to the archive. */
  public Answer archive() {
    return desk("/archive");
  }

  /** Redis and ledger side by side. */
  public Answer look() {
    return site.http().ask(Call.get(deskUrl()));
  }

  /** Puts another total. */
  public Answer total(long units) {
    return total(units, null);
  }

  /** The same if the SKU has this tag. */
  public Answer total(long units, String tag) {
    return site.await(totaling(units, tag));
  }

  /**
   * The same without waiting for the answer.
   *
   * @param tag that the SKU must have; null for any
   */
  public Future<Answer> totaling(long units, String tag) {
    Call call = Call.put(deskUrl()).json(new JsonObject().put("total_stock", units));
    return site.http().send(tag == null ? call : call.header("If-Match", tag));
  }

  /** Repeats the PUT of an existing SKU. */
  public Answer put(JsonObject body) {
    return site.http().ask(Call.put(deskUrl()).json(body));
  }

  // ---- the books

  public LedgerReader.Stock ledger() {
    return site.ledger().view(skuId).orElseThrow();
  }

  /** Tokens of this sale's orders with one of these statuses, as the ledger has them. */
  public Stream<String> tokens(String... statuses) {
    return site.ledger().orders(skuId).stream()
        .filter(order -> Stream.of(statuses).anyMatch(order.status()::equals))
        .map(LedgerReader.OrderRow::token);
  }

  /** Returns once the ledger has all of these orders, unpaid. */
  public void awaitBooked(Collection<String> tokens) {
    Awaitility.await()
        .atMost(BOOKED_WITHIN)
        .untilAsserted(() -> assertThat(tokens("PENDING")).containsAll(tokens));
  }

  private Answer desk(String action) {
    return site.http().ask(Call.post(deskUrl() + action));
  }

  private String orderUrl(String token) {
    return instance.get().url() + "/v1/orders/" + token;
  }

  private String deskUrl() {
    return instance.get().adminUrl() + "/admin/skus/" + skuId;
  }
}
