package io.sluice.admin;

import io.sluice.ledger.DirectLedger;
import io.sluice.ledger.DirectLedger.NumberedEvent;
import io.sluice.web.Endpoint;
import io.sluice.web.Exchange;
import io.sluice.web.Guard;
import io.sluice.web.Input;
import io.sluice.web.format.Parameters;
import io.sluice.web.problem.Problem;
import io.sluice.web.problem.ProblemType;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The events of a service without an order log, in order, page by page. */
final class EventRoutes {
  private static final int LIMIT = 100;
  private static final int LIMIT_MAX = 500;

  private static final Problem ON_TOPIC =
      Problem.of(
          ProblemType.MODE_UNAVAILABLE,
          "Expected a service without Kafka, but this one has it: its events are in"
              + " kafka.events_topic");

  private final @Nullable DirectLedger events;
  private final Guard operators;

  /**
   * @param events null if there is an order log
   */
  EventRoutes(@Nullable DirectLedger events, Guard operators) {
    this.events = events;
    this.operators = operators;
  }

  Endpoint endpoint() {
    return new Endpoint(
        HttpMethod.GET,
        "/admin/events",
        "admin_events",
        operators,
        Input.query("after", "limit"),
        this::list);
  }

  private void list(Exchange exchange) {
    DirectLedger ledger = events;
    HttpServerRequest request = exchange.request();
    long after = Parameters.wholeNumber(request, "after", 0, Long.MAX_VALUE, 0);
    int limit = Math.toIntExact(Parameters.wholeNumber(request, "limit", 1, LIMIT_MAX, LIMIT));
    if (ledger == null) {
      exchange.answer(ON_TOPIC);
    } else {
      exchange.answer(ledger.events(after, limit), page -> exchange.answer(200, json(page, after)));
    }
  }

  /** The text of an event is an object with at least its type. */
  private static Buffer json(List<NumberedEvent> page, long after) {
    Buffer json = Buffer.buffer("{\"events\":[");
    long next = after;
    for (NumberedEvent event : page) {
      json.appendString(next == after ? "" : ",")
          .appendString("{\"event_no\":" + event.number() + ",")
          .appendString(event.payload().substring(1));
      next = event.number();
    }
    return json.appendString("],\"next\":" + next + "}");
  }
}
