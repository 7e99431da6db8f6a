package io.sluice.bench.row;

import io.sluice.bench.BenchException;
import io.sluice.bench.Figure;
import io.sluice.bench.Measurement;
import io.sluice.bench.Result;
import io.sluice.bench.load.LoadSpec;
import io.sluice.bench.site.Site;
import io.sluice.bench.site.Spent;
import io.sluice.model.Limits;
import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Call;
import io.sluice.testkit.site.Crowd;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Payments in lists, beside the same number of single calls. */
public final class Commands {
  private static final int ORDERS = Integer.getInteger("commands", 40_000);
  private static final int CALLERS = 64;
  private static final int LISTS_AT_ONCE = 4;
  private static final int THREADS = 2;

  /** Of new SKUs, so none has ended. The view of orders takes too long if there are millions. */
  private static final String TOKENS =
      """
      SELECT CONVERT(CONCAT(sku_id, '.', bucket, '.',
        REPLACE(REPLACE(TRIM(TRAILING '=' FROM TO_BASE64(order_token)), '+', '-'), '/', '_')) USING utf8mb4)
      FROM order_hold FORCE INDEX (PRIMARY)
      WHERE sku_id BETWEEN ? AND ?
      """;

  private final Site site;
  private final Crowd singly;
  private final Crowd inLists;

  private Commands(Site site, Vertx vertx) {
    this.site = site;
    this.singly = new Crowd(vertx, THREADS, CALLERS);
    this.inLists = new Crowd(vertx, THREADS, LISTS_AT_ONCE);
  }

  public static Measurement.Maker payments() {
    return (site, plan, step) -> {
      Vertx vertx = Vertx.vertx();
      Commands commands = new Commands(site, vertx);
      step.accept("warming up");
      commands.run(new Result(), step);
      return new Measurement() {
        @Override
        public void run(Result result) {
          commands.run(result, step);
        }

        @Override
        public void close() {
          vertx.close();
        }
      };
    };
  }

  private void run(Result result, Consumer<String> step) {
    step.accept("ordering");
    long first = site.newSkus(Lives.SKUS, Saturated.PLENTY);
    LoadSpec volley = site.volley(Saturated.STAMPEDE, first, Lives.SKUS);
    Backlog.order(site, volley, ORDERS);
    site.drain();
    List<String> tokens =
        site.ledger().query(TOKENS, row -> row.getString(0), first, first + Lives.SKUS - 1);
    List<String> half = tokens.subList(0, ORDERS / 2);
    List<String> rest = tokens.subList(ORDERS / 2, ORDERS);
    step.accept("single calls");
    Measured single = measure(half.size(), () -> singly.send(half, this::pay));
    step.accept("lists");
    Measured listed = measure(rest.size(), () -> inLists.send(lists(rest), this::payAll));
    site.books().notePaid(first, ORDERS);
    result.addAll(listed.spent());
    result.add(Figure.RATE, listed.perS());
    result.add(Figure.RATIO, listed.perS() / single.perS());
    result.add(Figure.COST_RATIO, listed.us() / single.us());
    result.note("single calls: %,.0f a second at %,.0f us".formatted(single.perS(), single.us()));
  }

  private record Measured(double perS, double us, Result spent) {}

  /** What is booked and told after the last answer is part of the cost, and not of the time. */
  private Measured measure(int count, Supplier<List<Answer>> calls) {
    Spent spent = Spent.begin(site);
    long startNs = System.nanoTime();
    List<Answer> answers = calls.get();
    double seconds = (System.nanoTime() - startNs) / 1e9;
    answers.forEach(Commands::expectPaid);
    site.drain();
    Result each = new Result();
    return new Measured(count / seconds, spent.on(count, each), each);
  }

  private static void expectPaid(Answer answer) {
    boolean isPaid =
        answer.status() == 200
            && (!answer.json().containsKey("results")
                || answer.json().getJsonArray("results").stream()
                    .allMatch(each -> ((JsonObject) each).getInteger("status") == 200));
    if (!isPaid) {
      throw new BenchException("Expected only payments, but got " + answer);
    }
  }

  private Future<Answer> pay(String token) {
    String url = site.service().url() + "/v1/orders/" + token + "/confirm";
    return site.caller().send(Call.post(url).json(payment(token)));
  }

  private static JsonObject payment(String token) {
    return new JsonObject().put("payment_ref", "pay-" + token.hashCode());
  }

  private static List<JsonObject> lists(List<String> tokens) {
    List<JsonObject> lists = new ArrayList<>();
    for (int from = 0; from < tokens.size(); from += Limits.COMMANDS_MAX) {
      JsonArray commands = new JsonArray();
      tokens
          .subList(from, Math.min(from + Limits.COMMANDS_MAX, tokens.size()))
          .forEach(
              token ->
                  commands.add(payment(token).put("order_token", token).put("command", "confirm")));
      lists.add(new JsonObject().put("commands", commands));
    }
    return lists;
  }

  private Future<Answer> payAll(JsonObject list) {
    return site.caller().send(Call.post(site.service().url() + "/v1/orders/commands").json(list));
  }
}
