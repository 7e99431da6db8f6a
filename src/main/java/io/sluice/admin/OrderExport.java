package io.sluice.admin;

import io.sluice.async.AsyncLoop;
import io.sluice.ledger.OrderStories;
import io.sluice.ledger.OrderStories.HoldPlace;
import io.sluice.ledger.OrderStories.Page;
import io.sluice.model.Order;
import io.sluice.web.Exchange;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import java.util.function.Predicate;

/**
 * All booked orders of a SKU, one JSON object a line. The next page is read once the one before has
 * been sent, so an export of any length takes the memory of a page. Where it cannot go on, its
 * connection is closed before the last chunk.
 */
final class OrderExport {
  private static final CharSequence NDJSON = HttpHeaders.createOptimized("application/x-ndjson");

  private final Exchange exchange;
  private final OrderStories stories;
  private final long skuId;
  private final Predicate<Order> filter;

  OrderExport(Exchange exchange, OrderStories stories, long skuId, Predicate<Order> filter) {
    this.exchange = exchange;
    this.stories = stories;
    this.skuId = skuId;
    this.filter = filter;
  }

  /** A failure of the first page is still answered with a problem. */
  void begin(HoldPlace after) {
    exchange.answer(
        page(after),
        first -> {
          exchange.begin(NDJSON);
          (isHead() ? Future.<Void>succeededFuture() : new Pages(first).sendAll())
              .onSuccess(sent -> exchange.end())
              .onFailure(gone -> exchange.cutOff());
        });
  }

  private boolean isHead() {
    return HttpMethod.HEAD.equals(exchange.request().method());
  }

  private Future<Page> page(HoldPlace after) {
    return stories.page(skuId, after, OrderStories.PAGE_MAX);
  }

  /** The pages from one on. */
  private final class Pages {
    private Page page;

    Pages(Page first) {
      this.page = first;
    }

    Future<Void> sendAll() {
      return AsyncLoop.whileTrue(this::sendOne);
    }

    private Future<Boolean> sendOne() {
      return exchange
          .send(lines())
          .compose(
              sent ->
                  page.complete()
                      ? Future.succeededFuture(false)
                      : page(page.last())
                          .map(
                              next -> {
                                page = next;
                                return true;
                              }));
    }

    private Buffer lines() {
      Buffer lines = Buffer.buffer();
      page.orders().stream()
          .filter(filter)
          .forEach(
              order -> lines.appendBuffer(StoryJson.of(order).toBuffer()).appendByte((byte) '\n'));
      return lines;
    }
  }
}
