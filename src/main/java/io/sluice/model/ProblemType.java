package io.sluice.model;

/**
 * The types of problems that callers may get (RFC 9457). The word is the last segment of {@code
 * type} and the metric tag.
 */
public enum ProblemType {
  BAD_REQUEST(
      "bad-request",
      400,
      "The request is invalid",
      "A fault of the caller: `field` names the field, header or parameter, `detail` what was"
          + " expected. Do not repeat it unchanged."),
  UNAUTHORIZED(
      "unauthorized",
      401,
      "The caller is not identified",
      "A buyer comes through the gateway that names him, or with a valid token; the back office and"
          + " operators send their bearer token. `detail` says what is missing."),
  FORBIDDEN(
      "forbidden",
      403,
      "The caller may not do this",
      "The token is valid, but its role does not allow this call: use one whose role does."),
  TICKET_REQUIRED(
      "ticket-required",
      403,
      "A valid ticket is required",
      "The SKU is sold to holders of a ticket: send the buyer through the waiting room, and its"
          + " ticket as `Sluice-Ticket`."),
  NOT_FOUND(
      "not-found",
      404,
      "There is no such path",
      "Compare the path with the contract at `/openapi.yaml`, and look whether the call is one of"
          + " the other port."),
  UNKNOWN_SKU(
      "unknown-sku",
      404,
      "There is no such SKU",
      "Look at the id of the SKU; an operator creates SKUs by PUT. Of a cart, `sku_id` names it."),
  UNKNOWN_SALE(
      "unknown-sale",
      404,
      "There is no such sale",
      "Look at the id of the sale; an operator creates sales by PUT."),
  UNKNOWN_ORDER(
      "unknown-order",
      404,
      "There is no such order",
      "Look at the token of the order. To a buyer, the orders of others are unknown. To a payment:"
          + " its money must be paid back, once."),
  UNKNOWN_REFUND(
      "unknown-refund",
      404,
      "The order has no such refund",
      "Look at the id of the refund: it must be requested before it is completed or rejected. This"
          + " call refunded nothing."),
  UNKNOWN_JOB(
      "unknown-job",
      404,
      "There is no such job",
      "Look at the id of the job; an operator starts jobs by PUT."),
  UNKNOWN_WEBHOOK(
      "unknown-webhook",
      404,
      "There is no such webhook",
      "Look at the id of the webhook; an operator creates webhooks by PUT."),
  NOT_BLACKLISTED(
      "not-blacklisted",
      404,
      "The buyer is not on the blacklist",
      "Nothing is to be done: the buyer is not banned, and not watched."),
  METHOD_NOT_ALLOWED(
      "method-not-allowed",
      405,
      "This method is not supported here",
      "The header `Allow` names the methods of this path."),
  REQUEST_TIMEOUT(
      "request-timeout",
      408,
      "The request has not arrived in time",
      "Send the whole request within `http.body_timeout_s`; then repeat it with the same key."),
  SOLD_OUT(
      "sold-out",
      409,
      "Sold out",
      "Tell the buyer. Units that are not paid come back: ask again while `GET /v1/skus/{sku_id}`"
          + " does not say `SOLD_OUT`."),
  LIMIT_REACHED(
      "limit-reached",
      409,
      "The buyer's limit is reached",
      "Tell the buyer that he has as many units as he may. `open_orders` names his orders of the"
          + " SKU that he may still pay or cancel; a unit of a canceled one comes back."),
  NOT_OPEN(
      "not-open",
      409,
      "The SKU is not on sale now",
      "Tell the buyer. `opens_at` says when the SKU is to open; without it, or once it has passed,"
          + " the SKU is closed or its sale is over."),
  ORDER_ENDED(
      "order-ended",
      409,
      "The order has ended",
      "The order is over: it was canceled, timed out or refunded. A new try to buy takes a new"
          + " `Idempotency-Key`."),
  KEY_MISMATCH(
      "key-mismatch",
      409,
      "The key was used before for another request",
      "A fault of the caller: the key, or the id of a refund, restock or job, was used before for"
          + " something else. Use a new one for something new."),
  ALREADY_CONFIRMED(
      "already-confirmed",
      409,
      "The order is confirmed already",
      "The order is paid. A payment that `payment_to_return` names is a further one: pay it back,"
          + " once. To end the order, refund it."),
  ALREADY_REFUNDED(
      "already-refunded",
      409,
      "The order is refunded already",
      "The order was paid back. A payment that `payment_to_return` names is a further one: pay it"
          + " back, once."),
  PAYMENT_LATE(
      "payment-late",
      409,
      "The payment came too late",
      "The order had ended before the payment came: pay the money back, once."),
  NOT_CONFIRMED(
      "not-confirmed",
      409,
      "The order is not confirmed",
      "Only a paid order is refunded: look at the order. This call refunded nothing."),
  REFUND_EXCEEDS(
      "refund-exceeds",
      409,
      "Fewer units are left to refund",
      "Look at the order: open requests count against what is left of it. Reject one, or ask for"
          + " less."),
  REFUND_ENDED(
      "refund-ended",
      409,
      "The refund has ended",
      "The refund was completed or rejected before: look at the order. This call changed nothing."),
  ARCHIVED(
      "archived",
      409,
      "The order is in the archive",
      "The order can only be looked at. A payment that `payment_to_return` names must be paid back,"
          + " once."),
  NOT_ENDED(
      "not-ended",
      409,
      "The sale has not ended",
      "End the sale or the SKU first, and wait until it is ENDED."),
  HAS_ORDERS(
      "has-orders",
      409,
      "There are orders of it",
      "What has an order, of whatever status, stays: archive it instead. Nothing was deleted."),
  SETTING_FIXED(
      "setting-fixed",
      409,
      "This setting is fixed by the first PUT",
      "Keep the value of the first PUT; `field` names the setting. `total_stock` is fixed by the"
          + " first order, and changes by a restock then; a SKU without an order can be ended,"
          + " deleted and made again."),
  NOT_ENOUGH_UNSOLD(
      "not-enough-unsold",
      409,
      "Not enough unsold units",
      "Take back at most the units that nobody holds or has bought, with a new `restock_id`;"
          + " `detail` says how many these are."),
  NOTHING_TO_RESET(
      "nothing-to-reset",
      409,
      "The partition needs no reset",
      "Nothing is to be done: the partition books what it reads."),
  MODE_UNAVAILABLE(
      "mode-unavailable",
      409,
      "This service does not have it",
      "The service runs without what the call needs; `detail` says what. Without Redis and Kafka,"
          + " SKUs have the mode `direct`."),
  SKU_FROZEN(
      "sku-frozen",
      409,
      "The SKU is frozen",
      "Find out why the SKU is frozen, then unfreeze it first."),
  SALE_FROZEN(
      "sale-frozen",
      409,
      "The sale is frozen",
      "Find out why the sale is frozen, then unfreeze it first."),
  IN_USE(
      "in-use",
      409,
      "The SKU is in another sale",
      "A SKU is in one sale at a time: end it where `sale_id` says it is, or use another SKU. A"
          + " sale is deleted after the SKUs that have gone on to another one. Nothing was"
          + " changed."),
  IN_SALE(
      "in-sale",
      409,
      "The SKU's sale decides this",
      "Change it by the sale of the SKU, which `detail` names."),
  SALE_FULL(
      "sale-full",
      409,
      "The sale has no room for these SKUs",
      "Put these SKUs into another sale. Nothing was changed."),
  WEBHOOKS_FULL(
      "webhooks-full",
      409,
      "There is no room for another webhook",
      "Delete a webhook that nobody needs any more, or let one target pass the events on. Nothing"
          + " was changed."),
  ENDING(
      "ending",
      409,
      "The SKU's sale is ending or has ended",
      "An end cannot be taken back. To sell the SKU again, put it into its next sale once it is"
          + " ENDED."),
  EVENTS_GONE(
      "events-gone",
      410,
      "Events are not kept any more",
      "Events were missed, from `lost_from` to `kept_from`. Store the `next` of"
          + " `GET /admin/events?after=newest`, read the state by exports, then go on behind it."),
  CHANGED_SINCE(
      "changed-since",
      412,
      "It has changed since it was read",
      "Read it again, look at what has changed, and repeat the change with the new `ETag` in"
          + " `If-Match`."),
  CONTENT_TOO_LARGE(
      "content-too-large",
      413,
      "The body is too large",
      "Send less; `detail` says how much is taken."),
  UNSUPPORTED_MEDIA_TYPE(
      "unsupported-media-type",
      415,
      "The body is not JSON",
      "Send `Content-Type: application/json`, in UTF-8."),
  NOT_TOGETHER(
      "not-together",
      422,
      "These SKUs cannot be ordered together",
      "Order these SKUs one by one. An order of several takes SKUs of one sale with carts, and of"
          + " one mode."),
  TOO_EARLY(
      "too-early",
      425,
      "The ticket is not valid yet",
      "Nothing was done: repeat it after `Retry-After`, when the ticket is valid."),
  TOO_MANY_REQUESTS(
      "too-many-requests",
      429,
      "Too many requests",
      "Nothing was done: repeat it after `Retry-After`. `RateLimit-Policy` names the limit."),
  HEADERS_TOO_LARGE(
      "headers-too-large",
      431,
      "The headers are too large",
      "Send a shorter request line or fewer headers."),
  INTERNAL(
      "internal",
      500,
      "Internal error",
      "The outcome is open: repeat it with the same key. Its reason is in the log of the"
          + " instance."),
  BUSY(
      "busy",
      503,
      "Busy, retry later",
      "Repeat it with the same key after `Retry-After`; of an order, that shows the outcome."),
  UNAVAILABLE(
      "unavailable",
      503,
      "A part of the service is down, retry later",
      "A part of the service is away; the outcome is open. Repeat it with the same key after"
          + " `Retry-After`, until there is another answer."),
  HTTP_VERSION("http-version", 505, "This version of HTTP is not supported", "Use HTTP/1.1.");

  private final String word;
  private final int status;
  private final String title;
  private final String remedy;

  ProblemType(String word, int status, String title, String remedy) {
    this.word = word;
    this.status = status;
    this.title = title;
    this.remedy = remedy;
  }

  /** The last segment of the type, e.g. {@code sold-out}. */
  public String word() {
    return word;
  }

  public int status() {
    return status;
  }

  public String title() {
    return title;
  }

  /** What to do, in whole sentences; names of the API are between backticks. */
  public String remedy() {
    return remedy;
  }

  /** Whether the answer has Retry-After: it may be another one later, without a change. */
  public boolean retries() {
    return status == 425 || status == 429 || status == 503;
  }
}
