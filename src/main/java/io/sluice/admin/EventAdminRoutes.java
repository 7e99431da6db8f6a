package io.sluice.admin;

import io.sluice.admin.AdminCall.Outcome;
import io.sluice.feed.EventWaits;
import io.sluice.model.ProblemType;
import io.sluice.orderlog.EventCursor;
import io.sluice.orderlog.EventPages;
import io.sluice.orderlog.EventPages.Found;
import io.sluice.orderlog.EventPages.Found.Gone;
import io.sluice.orderlog.EventPages.Found.Page;
import io.sluice.orderlog.LogUnavailableException;
import io.sluice.web.Endpoint;
import io.sluice.web.Endpoint.Input;
import io.sluice.web.Exchange;
import io.sluice.web.Exchange.Guard;
import io.sluice.web.Parameters;
import io.sluice.web.Problem;
import io.sluice.web.Problem.BadInputException;
import io.sluice.web.RequestPipeline;
import io.sluice.web.Rfc3339;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The events of all orders and SKUs in pages, for listeners without Kafka.
 *
 * @param events null if their topic has more partitions than a cursor can have
 */
record EventAdminRoutes(@Nullable EventWaits events, RequestPipeline pipeline, Guard operators) {
  /** Listeners that wait at a time. */
  static final int WAITS_MAX = 50;

  private static final int WAIT_S_MAX = 30;
  static final Problem TOO_MANY_PARTITIONS =
      Problem.of(
          ProblemType.MODE_UNAVAILABLE,
          "Expected a topic of at most %d partitions, but kafka.events_topic has more: read it from Kafka"
              .formatted(EventCursor.PARTITIONS_MAX));
  private static final Problem GONE =
      Problem.of(
          ProblemType.EVENTS_GONE,
          "Expected the next of a page whose following events are kept, but some are not: take"
              + " after=newest, then export, then go on from there");

  List<Endpoint> endpoints() {
    return List.of(
        new Endpoint(
            HttpMethod.GET,
            "/admin/events",
            "admin_events",
            operators,
            Input.query("after", "limit", "heartbeats", "wait"),
            this::list));
  }

  private void list(Exchange exchange) {
    String after = Parameters.given(exchange.request(), "after").orElse(EventPages.OLDEST);
    int limit = AdminCall.limit(exchange, EventPages.PAGE_MAX);
    boolean heartbeats = isTrue(exchange, "heartbeats");
    long waitS = Parameters.wholeNumber(exchange.request(), "wait", 0, WAIT_S_MAX, 0);
    EventWaits from = events;
    if (from == null) {
      exchange.answer(TOO_MANY_PARTITIONS);
    } else if (waitS == 0) {
      AdminCall.answer(exchange, outcome(from.after(after, limit, heartbeats)));
    } else {
      Duration wait = Duration.ofSeconds(waitS);
      pipeline.poll(
          exchange,
          null,
          left -> outcome(from.after(after, limit, heartbeats, wait, left)),
          () -> outcome(from.after(after, limit, heartbeats)),
          known -> known.answer(exchange));
    }
  }

  private static boolean isTrue(Exchange exchange, String name) {
    return switch (Parameters.given(exchange.request(), name).orElse("false")) {
      case "false" -> false;
      case "true" -> true;
      default -> throw new BadInputException(name, "Expected true or false, but got another word");
    };
  }

  private static Future<Outcome> outcome(Future<Found> found) {
    return found
        .map(EventAdminRoutes::outcome)
        .recover(
            failure ->
                failure instanceof LogUnavailableException
                    ? AdminCall.no(Problem.PART_DOWN)
                    : Future.failedFuture(failure));
  }

  private static Outcome outcome(Found found) {
    if (found instanceof Page page) {
      return new Outcome.Shown(json(page));
    }
    if (found instanceof Gone gone) {
      return new Outcome.No(
          with("kept_from", gone.keptFromMs(), with("lost_from", gone.lostFromMs(), GONE)));
    }
    throw new BadInputException(
        "after", "Expected 0, newest or the next of a page, but got another text");
  }

  private static Problem with(String name, long atMs, Problem problem) {
    String at = Rfc3339.orNull(atMs);
    return at == null ? problem : problem.with(name, at);
  }

  /** An event is JSON text. */
  private static Buffer json(Page page) {
    return Buffer.buffer("{\"events\":[")
        .appendString(String.join(",", page.events()))
        .appendString("],\"next\":\"" + page.next() + "\",\"more\":" + page.more() + "}");
  }
}
