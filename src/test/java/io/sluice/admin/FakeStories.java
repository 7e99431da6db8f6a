package io.sluice.admin;

import io.sluice.ledger.InMemoryCounts;
import io.sluice.model.BucketId;
import io.sluice.model.Cart;
import io.sluice.model.Grants;
import io.sluice.model.Order;
import io.sluice.model.OrderStatus;
import io.sluice.model.OrderToken;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Stories with scripted answers that records its calls. */
final class FakeStories extends InMemoryCounts {
  /** An order of alice. */
  static final Order PENDING =
      Order.reserved(
              Grants.of(
                  OrderToken.parse("1001.0.AAAAAAAAAAAAAAAAAAAAAA").orElseThrow(),
                  "alice",
                  1,
                  7,
                  1,
                  1795248000123L,
                  1795248300123L))
          .changed(OrderStatus.PENDING, null, 1795248000200L);

  /** An order of alice for two SKUs. */
  static final Order CART =
      Order.reserved(
              Grants.ofLead(
                  new Cart(
                      List.of(
                          new Cart.Line(PENDING.token().bucketId(), 1, 1, 7, 1),
                          new Cart.Line(new BucketId(1002, 0), 2, 1, 4, 1))),
                  PENDING.token(),
                  "alice",
                  PENDING.createdAtMs(),
                  PENDING.payBeforeMs(),
                  null))
          .changed(OrderStatus.PENDING, null, PENDING.updatedAtMs());

  final List<String> asked = new CopyOnWriteArrayList<>();
  volatile Optional<Story> story = Optional.empty();
  volatile Page page = new Page(List.of(), HoldPlace.FIRST, true);

  volatile FoundPage foundPage = new FoundPage(List.of(), Optional.empty());

  volatile Optional<SalePage> salePage = Optional.empty();

  /** Answers instead of the page of a sale, where it is set, given the number of the call. */
  volatile @Nullable IntFunction<Future<Optional<SalePage>>> salePages;

  /** Answers instead of the page, where it is set, given the number of the call. */
  volatile @Nullable IntFunction<Future<Page>> pages;

  /** The story of {@link #PENDING}, which was paid within a minute. */
  static Story paid(String paymentRef) {
    long paidAtMs = 1795248060000L;
    return new Story(
        PENDING.paid(paymentRef, paidAtMs),
        List.of(
            new Chapter("GRANTED", null, 1, null, PENDING.createdAtMs()),
            new Chapter("BOOKED", null, 1, null, PENDING.updatedAtMs()),
            new Chapter("CONFIRM", null, 1, paymentRef, paidAtMs)));
  }

  /** The story of {@link #CART}, of which a unit of the second line was paid back. */
  static Story refunded() {
    long paidAtMs = 1795248060000L;
    long backAtMs = 1795248120000L;
    return new Story(
        CART.paid("pay-81", paidAtMs),
        List.of(
            new Chapter("GRANTED", null, 3, null, CART.createdAtMs()),
            new Chapter("BOOKED", null, 3, null, CART.updatedAtMs()),
            new Chapter("CONFIRM", null, 3, "pay-81", paidAtMs),
            new Chapter("ASKED", null, 1, "r1", backAtMs, 1002),
            new Chapter("REFUND", null, 1, "r1", backAtMs + 500, 1002)));
  }

  @Override
  public Future<Optional<Story>> story(OrderToken token) {
    asked.add("story " + token);
    return Future.succeededFuture(story);
  }

  @Override
  public Future<Page> page(long skuId, HoldPlace after, int limit) {
    asked.add(
        "page %d %d.%d.%d %d".formatted(skuId, after.bucket(), after.epoch(), after.seq(), limit));
    IntFunction<Future<Page>> scripted = pages;
    return scripted == null ? Future.succeededFuture(page) : scripted.apply(asked.size());
  }

  @Override
  public Future<FoundPage> lookUp(By by, String value, FoundPlace behind, int limit) {
    String place = behind.equals(FoundPlace.NEWEST) ? "newest" : behind.text();
    asked.add("look up %s %s %s %d".formatted(by, value, place, limit));
    return Future.succeededFuture(foundPage);
  }

  @Override
  public Future<Optional<SalePage>> pageOfSale(String saleId, SalePlace after, int limit) {
    HoldPlace hold = after.hold();
    asked.add(
        "page %s %d.%d.%d.%d %d"
            .formatted(saleId, after.skuId(), hold.bucket(), hold.epoch(), hold.seq(), limit));
    IntFunction<Future<Optional<SalePage>>> scripted = salePages;
    return scripted == null ? Future.succeededFuture(salePage) : scripted.apply(asked.size());
  }
}
