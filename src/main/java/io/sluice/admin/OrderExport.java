package io.sluice.admin;

import io.sluice.admin.OrderList.Part;
import io.sluice.async.AsyncLoop;
import io.sluice.ledger.OrderPages;
import io.sluice.model.Order;
import io.sluice.web.Exchange;
import io.sluice.web.problem.Problem;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * All orders of a list, one JSON object a line. The next page is read once the one before has been
 * sent, so an export of any length takes the memory of a page. If it cannot go on, its connection
 * is closed before the last chunk.
 */
final class OrderExport {
  private static final CharSequence NDJSON = HttpHeaders.createOptimized("application/x-ndjson");

  private final Exchange exchange;
  private final OrderList list;
  private final Predicate<Order> filter;

  OrderExport(Exchange exchange, OrderList list, Predicate<Order> filter) {
    this.exchange = exchange;
    this.list = list;
    this.filter = filter;
  }

  /** A failure of the first page is still answered with a problem. */
  void begin(Optional<String> after) {
    exchange.answer(
        list.part(after, OrderPages.PAGE_MAX),
        first -> {
          if (first.isEmpty()) {
            exchange.answer(Problem.UNKNOWN_SALE);
            return;
          }
          exchange.begin(NDJSON);
          (isHead() ? Future.<Void>succeededFuture() : new Parts(first.get()).sendAll())
              .onSuccess(sent -> exchange.end())
              .onFailure(gone -> exchange.cutOff());
        });
  }

  private boolean isHead() {
    return HttpMethod.HEAD.equals(exchange.request().method());
  }

  /** The parts of the list from one on. */
  private final class Parts {
    private Part part;

    Parts(Part first) {
      this.part = first;
    }

    Future<Void> sendAll() {
      return AsyncLoop.whileTrue(this::sendOne);
    }

    private Future<Boolean> sendOne() {
      return exchange
          .send(lines())
          .compose(
              sent ->
                  part.next().isEmpty()
                      ? Future.succeededFuture(false)
                      : list.part(part.next(), OrderPages.PAGE_MAX)
                          .map(
                              next -> {
                                // A sale that there was stays.
                                part = next.orElseThrow();
                                return true;
                              }));
    }

    private Buffer lines() {
      Buffer lines = Buffer.buffer();
      part.orders().stream()
          .filter(filter)
          .forEach(
              order -> lines.appendBuffer(StoryJson.of(order).toBuffer()).appendByte((byte) '\n'));
      return lines;
    }
  }
}
