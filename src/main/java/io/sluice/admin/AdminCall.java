package io.sluice.admin;

import io.sluice.model.Limits;
import io.sluice.web.Endpoint;
import io.sluice.web.Endpoint.Input;
import io.sluice.web.Exchange;
import io.sluice.web.Exchange.Guard;
import io.sluice.web.Parameters;
import io.sluice.web.Problem;
import io.sluice.web.Problem.BadInputException;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonObject;
import java.util.Locale;
import java.util.function.Function;

/** A call of operators whose answer is JSON or a problem, and the parameters that several take. */
final class AdminCall {
  /** Of a page whose call does not say another. */
  private static final int LIMIT = 100;

  private AdminCall() {}

  /** The outcome of a call, which is its answer. */
  sealed interface Outcome {
    void answer(Exchange exchange);

    /**
     * It is done, or recorded.
     *
     * @param tag by which a later change can refer to what is shown; empty if none can
     */
    record Done(int status, String tag, JsonObject json) implements Outcome {
      @Override
      public void answer(Exchange exchange) {
        if (!tag.isEmpty()) {
          exchange.tag(tag);
        }
        exchange.answer(status, json.toBuffer());
      }
    }

    /**
     * It is shown as it is.
     *
     * @param json as text
     */
    record Shown(Buffer json) implements Outcome {
      @Override
      public void answer(Exchange exchange) {
        exchange.answer(200, json);
      }
    }

    /** It is refused, or Redis does not show it yet; the problem says which. */
    record No(Problem problem) implements Outcome {
      @Override
      public void answer(Exchange exchange) {
        exchange.answer(problem);
      }
    }
  }

  static Outcome ok(JsonObject json) {
    return new Outcome.Done(200, "", json);
  }

  static Future<Outcome> no(Problem problem) {
    return Future.succeededFuture(new Outcome.No(problem));
  }

  static Endpoint of(
      HttpMethod method,
      String path,
      String name,
      Guard guard,
      Input input,
      Function<Exchange, Future<Outcome>> call) {
    return new Endpoint(
        method, path, name, guard, input, exchange -> answer(exchange, call.apply(exchange)));
  }

  static void answer(Exchange exchange, Future<Outcome> outcome) {
    exchange.answer(outcome, known -> known.answer(exchange));
  }

  /** The number of items that a page may have. */
  static int limit(Exchange exchange, int max) {
    return Math.toIntExact(Parameters.wholeNumber(exchange.request(), "limit", 1, max, LIMIT));
  }

  /** How JSON and paths have this value. */
  static String wordOf(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  /**
   * The one of these that has this name. Throws {@link BadInputException} if there is none.
   *
   * @param which all of them, in words
   */
  static <E extends Enum<E>> E word(E[] all, String field, String word, String which) {
    for (E each : all) {
      if (each.name().equals(word)) {
        return each;
      }
    }
    throw new BadInputException(field, "Expected %s, but got another word".formatted(which));
  }

  /** The id, if a buyer can have it. Throws {@link BadInputException} otherwise. */
  static String userId(String text) {
    if (!Limits.isUserId(text)) {
      throw new BadInputException(
          "user_id",
          "Expected 1 to " + Limits.USER_ID_MAX + " visible ASCII characters, but got another");
    }
    return text;
  }

  /** The id, if a sale can have it. Throws {@link BadInputException} otherwise. */
  static String saleId(String text) {
    if (!Limits.isSaleId(text)) {
      throw new BadInputException(
          "sale_id",
          "Expected 1 to %d characters of A-Z, a-z, 0-9 and _.-, but got another"
              .formatted(Limits.SALE_ID_MAX));
    }
    return text;
  }
}
