package io.sluice.admin;

import io.sluice.admission.blacklist.BlacklistKeeper;
import io.sluice.config.OperatorToken.Role;
import io.sluice.ledger.Blacklist.Ban;
import io.sluice.ledger.Blacklist.Page;
import io.sluice.ledger.Blacklist.PutResult;
import io.sluice.web.Endpoint;
import io.sluice.web.Exchange;
import io.sluice.web.Input;
import io.sluice.web.format.Parameters;
import io.sluice.web.format.Rfc3339;
import io.sluice.web.problem.Problem;
import io.sluice.web.problem.ProblemType;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The operators' calls for the blacklist. */
final class BlacklistRoutes {
  private static final String BUYER = "/admin/blacklist/:user_id";
  private static final Problem NOT_BLACKLISTED =
      Problem.of(
          ProblemType.NOT_BLACKLISTED, "Expected a buyer on the blacklist, but this one is not");

  private final BlacklistKeeper blacklist;
  private final long defaultBanS;
  private final Operators operators;

  BlacklistRoutes(BlacklistKeeper blacklist, long defaultBanS, Operators operators) {
    this.blacklist = blacklist;
    this.defaultBanS = defaultBanS;
    this.operators = operators;
  }

  List<Endpoint> endpoints() {
    return List.of(
        call(HttpMethod.GET, "admin_blacklist", Input.NONE, this::show),
        call(
            HttpMethod.PUT,
            "admin_ban",
            Input.optionalBody(BlacklistBody.FIELDS).withIfMatch(),
            this::ban),
        call(HttpMethod.DELETE, "admin_lift", Input.NONE.withIfMatch(), this::lift));
  }

  private Endpoint call(HttpMethod method, String name, Input input, Endpoint.Call call) {
    return new Endpoint(method, BUYER, name, operators.reading(Role.SUPPORT), input, call);
  }

  private void show(Exchange exchange) {
    exchange.answer(
        blacklist.find(UserIdInput.ofPath(exchange)),
        page ->
            banOf(page)
                .ifPresentOrElse(
                    ban -> answer(exchange, ban, json(ban)),
                    () -> exchange.answer(NOT_BLACKLISTED)));
  }

  private void ban(Exchange exchange) {
    BlacklistBody body =
        BlacklistBody.read(exchange.body(), defaultBanS, Parameters.ifMatch(exchange.request()));
    exchange.answer(
        blacklist.put(
            UserIdInput.ofPath(exchange),
            Duration.ofSeconds(body.banS()),
            body.reason(),
            body.put(),
            operators.name(exchange.request())),
        result -> {
          if (result instanceof PutResult.Done done) {
            JsonArray changed = new JsonArray(done.changed());
            answer(exchange, done.ban(), json(done.ban()).put("changed", changed));
          } else if (result instanceof PutResult.Moved moved) {
            exchange.answer(SkuProblems.moved(moved.exists()));
          }
        });
  }

  private static void answer(Exchange exchange, Ban ban, JsonObject json) {
    exchange.tag(ban.tag());
    exchange.answer(200, json.toBuffer());
  }

  private void lift(Exchange exchange) {
    String userId = UserIdInput.ofPath(exchange);
    exchange.answer(
        blacklist.lift(
            userId, Parameters.ifMatch(exchange.request()), operators.name(exchange.request())),
        result -> {
          if (result instanceof PutResult.Moved moved) {
            exchange.answer(SkuProblems.moved(moved.exists()));
          } else {
            exchange.answer(
                200, new JsonObject().put("user_id", userId).putNull("until").toBuffer());
          }
        });
  }

  /** The ban that holds now. */
  private static Optional<Ban> banOf(Page page) {
    return page.bans().stream().filter(ban -> ban.holdsAt(page.nowMs())).findFirst();
  }

  private static JsonObject json(Ban ban) {
    return new JsonObject()
        .put("user_id", ban.userId())
        .put("since", Rfc3339.orNull(ban.bannedAtMs()))
        .put("until", Rfc3339.orNull(ban.bannedUntilMs()))
        .put("watched_until", Rfc3339.orNull(ban.watchedUntilMs()))
        .put("reason", ban.reason())
        .put("by", ban.bannedBy());
  }
}
