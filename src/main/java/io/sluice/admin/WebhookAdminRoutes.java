package io.sluice.admin;

import io.sluice.admin.AdminCall.Outcome;
import io.sluice.feed.EventWaits;
import io.sluice.ledger.Webhooks;
import io.sluice.ledger.Webhooks.Counts;
import io.sluice.ledger.Webhooks.Delivery;
import io.sluice.ledger.Webhooks.Form;
import io.sluice.ledger.Webhooks.NewWebhook;
import io.sluice.ledger.Webhooks.PutResult;
import io.sluice.ledger.Webhooks.State;
import io.sluice.ledger.Webhooks.Webhook;
import io.sluice.model.Limits;
import io.sluice.model.ProblemType;
import io.sluice.orderlog.EventPages;
import io.sluice.orderlog.EventPages.Found.Page;
import io.sluice.orderlog.LogUnavailableException;
import io.sluice.web.Endpoint;
import io.sluice.web.Endpoint.Input;
import io.sluice.web.Exchange;
import io.sluice.web.Exchange.Guard;
import io.sluice.web.JsonFields;
import io.sluice.web.Parameters;
import io.sluice.web.Problem;
import io.sluice.web.Problem.BadInputException;
import io.sluice.web.Rfc3339;
import io.sluice.webhook.AddressGuard;
import io.sluice.webhook.Message;
import io.sluice.webhook.Signature;
import io.sluice.webhook.TargetUrl;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The targets that events are sent to, and the events that they have not accepted. No secret is
 * shown.
 *
 * @param events null if their topic has more partitions than a cursor can have
 */
record WebhookAdminRoutes(
    Webhooks ledger, @Nullable EventWaits events, AddressGuard guard, Guard operators) {
  private static final String WEBHOOKS = "/admin/webhooks";
  private static final String WEBHOOK = WEBHOOKS + "/:webhook_id";
  private static final List<String> FIELDS = List.of("url", "secret", "types", "form");
  private static final int TYPES_MAX = 50;
  private static final Problem UNKNOWN =
      Problem.of(ProblemType.UNKNOWN_WEBHOOK, "Expected the id of a webhook, but there is none");
  private static final Problem FULL =
      Problem.of(
          ProblemType.WEBHOOKS_FULL,
          "Expected at most %d webhooks, but there are as many".formatted(Webhooks.TARGETS_MAX));

  List<Endpoint> endpoints() {
    return List.of(
        call(HttpMethod.GET, WEBHOOKS, "webhooks", Input.NONE, this::list),
        call(HttpMethod.GET, WEBHOOK, "webhook", Input.NONE, this::show),
        call(HttpMethod.PUT, WEBHOOK, "webhook_put", Input.body(FIELDS), this::put),
        call(HttpMethod.DELETE, WEBHOOK, "webhook_delete", Input.NONE, this::delete),
        call(
            HttpMethod.GET,
            WEBHOOK + "/failures",
            "webhook_failures",
            Input.query("after", "limit"),
            this::failures),
        call(HttpMethod.POST, WEBHOOK + "/replay", "webhook_replay", Input.NONE, this::replay));
  }

  private Endpoint call(
      HttpMethod method,
      String path,
      String name,
      Input input,
      Function<Exchange, Future<Outcome>> call) {
    return AdminCall.of(method, path, "admin_" + name, operators, input, call);
  }

  /** The id in the path: of the same characters as that of a sale. */
  private static String id(Exchange exchange) {
    String text = exchange.pathParam("webhook_id");
    if (!Limits.isSaleId(text)) {
      throw new BadInputException(
          "webhook_id",
          "Expected 1 to %d characters of A-Z, a-z, 0-9 and _.-, but got another"
              .formatted(Limits.SALE_ID_MAX));
    }
    return text;
  }

  // ---- targets

  private Future<Outcome> list(Exchange exchange) {
    return ledger
        .webhooks()
        .compose(
            all ->
                Future.all(all.stream().map(this::shown).toList())
                    .map(
                        shown ->
                            AdminCall.ok(
                                new JsonObject().put("webhooks", new JsonArray(shown.list())))));
  }

  private Future<Outcome> show(Exchange exchange) {
    return of(id(exchange), webhook -> shown(webhook).map(AdminCall::ok));
  }

  private Future<Optional<Webhook>> find(String webhookId) {
    return ledger
        .webhooks()
        .map(all -> all.stream().filter(each -> each.webhookId().equals(webhookId)).findFirst());
  }

  private Future<Outcome> of(String webhookId, Function<Webhook, Future<Outcome>> call) {
    return find(webhookId).compose(found -> found.map(call).orElseGet(() -> AdminCall.no(UNKNOWN)));
  }

  private Future<JsonObject> shown(Webhook webhook) {
    return ledger.counts(webhook.webhookId()).map(counts -> json(webhook, counts));
  }

  private static JsonObject json(Webhook webhook, Counts counts) {
    return new JsonObject()
        .put("webhook_id", webhook.webhookId())
        .put("url", webhook.url())
        .put("types", new JsonArray(List.of(webhook.types().split(","))))
        .put("form", AdminCall.wordOf(webhook.form()))
        .put(
            "former_secret_until",
            webhook.isRotating() ? Rfc3339.orNull(webhook.formerUntilMs()) : null)
        .put("stopped", webhook.stopped().isEmpty() ? null : webhook.stopped())
        .put("waiting", counts.waiting())
        .put("failed", counts.failed())
        .put("oldest_at", Rfc3339.orNull(counts.oldestAtMs()));
  }

  private Future<Outcome> put(Exchange exchange) {
    NewWebhook wanted = body(exchange);
    EventWaits kept = events;
    if (kept == null) {
      return AdminCall.no(EventAdminRoutes.TOO_MANY_PARTITIONS);
    }
    return ledger
        .put(wanted)
        .compose(
            result ->
                result instanceof PutResult.NoCursor
                    ? beginning(wanted, kept).compose(ledger::put)
                    : Future.succeededFuture(result))
        .compose(this::answer)
        .recover(
            failure ->
                failure instanceof LogUnavailableException
                    ? AdminCall.no(Problem.PART_DOWN)
                    : Future.failedFuture(failure));
  }

  /** A new target gets the events from now on. */
  private static Future<NewWebhook> beginning(NewWebhook wanted, EventWaits kept) {
    return kept.after(EventPages.NEWEST, 1, false)
        .map(
            found ->
                new NewWebhook(
                    wanted.webhookId(),
                    wanted.url(),
                    wanted.secret(),
                    wanted.types(),
                    wanted.form(),
                    ((Page) found).next()));
  }

  private Future<Outcome> answer(PutResult result) {
    if (result instanceof PutResult.Done done) {
      return shown(done.webhook())
          .map(json -> new Outcome.Done(done.created() ? 201 : 200, "", json));
    }
    if (result instanceof PutResult.Missing missing) {
      throw new BadInputException(
          missing.field(),
          "Expected the field " + missing.field() + " of a new webhook, but it is missing");
    }
    return AdminCall.no(FULL);
  }

  private NewWebhook body(Exchange exchange) {
    String webhookId = id(exchange);
    String url = null;
    String secret = null;
    String types = null;
    Form form = null;
    try (JsonFields fields = JsonFields.of(exchange.body(), FIELDS)) {
      for (String name = fields.next(); name != null; name = fields.next()) {
        switch (name) {
          case "url" -> url = url(fields);
          case "secret" -> secret = secret(fields);
          case "types" -> types = types(fields);
          case "form" -> form = form(fields);
          default -> throw fields.unknown();
        }
      }
    }
    return new NewWebhook(webhookId, url, secret, types, form, null);
  }

  private String url(JsonFields fields) {
    String text = fields.text();
    Optional<TargetUrl> url = TargetUrl.parse(text);
    if (url.isEmpty()) {
      throw fields.wrong(
          "Expected an http or https URL of at most %d characters, without user and fragment, but got another"
              .formatted(TargetUrl.LENGTH_MAX));
    }
    if (url.get().isRefusedBy(guard)) {
      throw fields.wrong(
          "Expected an address that webhooks.allow_private admits, but it is private or no host's");
    }
    return text;
  }

  private static String secret(JsonFields fields) {
    String text = fields.text();
    if (!Signature.isSecret(text)) {
      throw fields.wrong("Expected whsec_ and 24 to 64 bytes in base64, but got another");
    }
    return text;
  }

  private static String types(JsonFields fields) {
    List<String> types = fields.texts(TYPES_MAX);
    boolean isAll = types.equals(List.of(Webhooks.ALL_TYPES));
    if (!isAll && !types.stream().allMatch(Message::isType)) {
      throw fields.wrong("Expected * alone, or types of events, but got another");
    }
    return types.stream().distinct().collect(Collectors.joining(","));
  }

  private static Form form(JsonFields fields) {
    return switch (fields.text()) {
      case "thin" -> Form.THIN;
      case "full" -> Form.FULL;
      default -> throw fields.wrong("Expected thin or full, but got another");
    };
  }

  private Future<Outcome> delete(Exchange exchange) {
    return ledger
        .delete(id(exchange))
        .compose(
            found ->
                found
                    ? Future.succeededFuture(
                        AdminCall.ok(new JsonObject().put("webhook_id", id(exchange))))
                    : AdminCall.no(UNKNOWN));
  }

  // ---- events that were not accepted

  private Future<Outcome> failures(Exchange exchange) {
    int limit = AdminCall.limit(exchange, Webhooks.PAGE_MAX);
    long after = Parameters.wholeNumber(exchange.request(), "after", 0, Long.MAX_VALUE, 0);
    return of(
        id(exchange),
        webhook ->
            ledger
                .deliveries(webhook.webhookId(), after, limit)
                .map(
                    page ->
                        AdminCall.ok(
                            new JsonObject()
                                .put(
                                    "failures",
                                    new JsonArray(
                                        page.stream().map(WebhookAdminRoutes::json).toList()))
                                .put(
                                    "next",
                                    page.size() == limit
                                        ? page.get(page.size() - 1).no()
                                        : null))));
  }

  private static JsonObject json(Delivery delivery) {
    return new JsonObject()
        .put("message_id", delivery.messageId())
        .put("type", delivery.eventType())
        .put("order_key", delivery.orderKey())
        .put("state", AdminCall.wordOf(delivery.state()))
        .put("attempts", delivery.attempts())
        .put("first_at", Rfc3339.orNull(delivery.firstAtMs()))
        .put(
            "next_at",
            delivery.state() == State.WAITING ? Rfc3339.orNull(delivery.nextAtMs()) : null)
        .put("why", delivery.why());
  }

  private Future<Outcome> replay(Exchange exchange) {
    return of(
        id(exchange),
        webhook ->
            ledger
                .replay(webhook.webhookId())
                .map(count -> AdminCall.ok(new JsonObject().put("replayed", count))));
  }
}
