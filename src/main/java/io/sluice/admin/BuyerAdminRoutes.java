package io.sluice.admin;

import io.sluice.admin.AdminCall.Outcome;
import io.sluice.admission.BlacklistKeeper;
import io.sluice.async.Poll;
import io.sluice.config.OperatorToken.Role;
import io.sluice.ledger.Blacklist;
import io.sluice.ledger.Blacklist.Ban;
import io.sluice.ledger.Blacklist.PutResult;
import io.sluice.ledger.Put;
import io.sluice.ledger.SkuLedger;
import io.sluice.ledger.SkuLedger.Forgotten;
import io.sluice.model.IfMatch;
import io.sluice.model.ProblemType;
import io.sluice.web.Endpoint;
import io.sluice.web.Endpoint.Input;
import io.sluice.web.Exchange;
import io.sluice.web.Exchange.Guard;
import io.sluice.web.JsonFields;
import io.sluice.web.Parameters;
import io.sluice.web.Problem;
import io.sluice.web.Rfc3339;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Set;

/** The operators' calls for buyers: the blacklist, and to forget one. */
record BuyerAdminRoutes(
    BlacklistKeeper blacklist, Duration ban, SkuLedger ledger, Poll poll, Operators operators) {
  /** The name of the call that takes a buyer out of the orders of ended sales. */
  static final String FORGET = "admin_forget";

  private static final String BANNED = "/admin/blacklist/:user_id";
  private static final List<String> FIELDS = List.of("ban_s", "reason");

  /** A year. */
  private static final long BAN_S_MAX = 31_536_000;

  private static final Duration FORGOTTEN_WITHIN = Duration.ofSeconds(5);
  private static final Problem NOT_BLACKLISTED =
      Problem.of(
          ProblemType.NOT_BLACKLISTED, "Expected a buyer on the blacklist, but this one is not");

  private static final SecureRandom RANDOM = new SecureRandom();
  private static final String PSEUDONYM = "forgotten-";
  private static final int PSEUDONYM_BYTES = 16;

  List<Endpoint> endpoints() {
    Guard support = operators.reading(Role.SUPPORT);
    Input ban = Input.optionalBody(FIELDS).withIfMatch();
    Input lift = Input.NONE.withIfMatch();
    return List.of(
        AdminCall.of(HttpMethod.GET, BANNED, "admin_blacklist", support, Input.NONE, this::show),
        AdminCall.of(HttpMethod.PUT, BANNED, "admin_ban", support, ban, this::ban),
        AdminCall.of(HttpMethod.DELETE, BANNED, "admin_lift", support, lift, this::lift),
        AdminCall.of(
            HttpMethod.POST,
            "/admin/buyers/:user_id/forget",
            FORGET,
            operators,
            Input.NONE,
            this::forget));
  }

  private static String userId(Exchange exchange) {
    return AdminCall.userId(exchange.pathParam("user_id"));
  }

  // ---- the blacklist

  private Future<Outcome> show(Exchange exchange) {
    return blacklist
        .find(userId(exchange))
        .map(
            page ->
                page.bans().stream()
                    .filter(ban -> ban.holdsAt(page.nowMs()))
                    .findFirst()
                    .<Outcome>map(ban -> new Outcome.Done(200, ban.tag(), json(ban)))
                    .orElse(new Outcome.No(NOT_BLACKLISTED)));
  }

  /**
   * All of the body is optional: a ban that holds keeps what is left out, a new one has the
   * defaults.
   */
  private Future<Outcome> ban(Exchange exchange) {
    IfMatch ifMatch = Parameters.ifMatch(exchange.request());
    long banS = ban.toSeconds();
    String reason = "";
    Set<String> leaves = Set.copyOf(FIELDS);
    if (exchange.body().length() > 0) {
      try (JsonFields fields = JsonFields.of(exchange.body(), FIELDS)) {
        for (String name = fields.next(); name != null; name = fields.next()) {
          switch (name) {
            case "ban_s" -> banS = fields.wholeNumber(1, BAN_S_MAX);
            case "reason" -> reason = reason(fields);
            default -> throw fields.unknown();
          }
        }
        leaves = fields.missing();
      }
    }
    return blacklist
        .put(
            userId(exchange),
            Duration.ofSeconds(banS),
            reason,
            new Put(leaves, ifMatch, false),
            operators.name(exchange.request()))
        .map(
            result ->
                result instanceof PutResult.Done done
                    ? new Outcome.Done(
                        200,
                        done.ban().tag(),
                        json(done.ban()).put("changed", new JsonArray(done.changed())))
                    : moved((PutResult.Moved) result));
  }

  private static String reason(JsonFields fields) {
    String text = fields.text();
    if (text.length() > Blacklist.REASON_MAX || text.chars().anyMatch(Character::isISOControl)) {
      throw fields.wrong(
          "Expected at most "
              + Blacklist.REASON_MAX
              + " characters without control characters, but got another");
    }
    return text;
  }

  private Future<Outcome> lift(Exchange exchange) {
    String userId = userId(exchange);
    return blacklist
        .lift(userId, Parameters.ifMatch(exchange.request()), operators.name(exchange.request()))
        .map(
            result ->
                result instanceof PutResult.Moved moved
                    ? moved(moved)
                    : AdminCall.ok(new JsonObject().put("user_id", userId).putNull("until")));
  }

  private static Outcome moved(PutResult.Moved moved) {
    return new Outcome.No(ChangeProblems.moved(moved.exists()));
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

  // ---- forgetting

  private Future<Outcome> forget(Exchange exchange) {
    String userId = userId(exchange);
    String pseudonym = pseudonym();
    return poll.until(
            poll.deadline(FORGOTTEN_WITHIN),
            () -> ledger.forget(userId, pseudonym),
            Forgotten::done)
        .map(now -> forgotten(exchange, now));
  }

  private Outcome forgotten(Exchange exchange, Forgotten now) {
    operators.forgot(exchange.request(), now);
    return new Outcome.Done(
        now.done() ? 200 : 202,
        "",
        new JsonObject()
            .put("pseudonym", now.pseudonym())
            .put("replaced", now.replaced())
            .put("left", now.left()));
  }

  /**
   * A new name for a buyer: random, so that it tells nothing of the id. It has the form of a user
   * id, so that it can be looked for as one.
   */
  private static String pseudonym() {
    byte[] bytes = new byte[PSEUDONYM_BYTES];
    RANDOM.nextBytes(bytes);
    return PSEUDONYM + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
