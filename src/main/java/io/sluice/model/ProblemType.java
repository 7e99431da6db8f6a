package io.sluice.model;

/**
 * The types of problems that callers may get (RFC 9457). The word is the last segment of {@code
 * type} and the metric tag.
 */
public enum ProblemType {
  BAD_REQUEST("bad-request", 400, "The request is invalid"),
  UNAUTHORIZED("unauthorized", 401, "The caller is not identified"),
  FORBIDDEN("forbidden", 403, "The caller may not do this"),
  TICKET_REQUIRED("ticket-required", 403, "A valid ticket is required"),
  NOT_FOUND("not-found", 404, "There is no such path"),
  UNKNOWN_SKU("unknown-sku", 404, "There is no such SKU"),
  UNKNOWN_SALE("unknown-sale", 404, "There is no such sale"),
  UNKNOWN_ORDER("unknown-order", 404, "There is no such order"),
  UNKNOWN_REFUND("unknown-refund", 404, "The order has no such refund"),
  NOT_BLACKLISTED("not-blacklisted", 404, "The buyer is not on the blacklist"),
  METHOD_NOT_ALLOWED("method-not-allowed", 405, "This method is not supported here"),
  REQUEST_TIMEOUT("request-timeout", 408, "The request has not arrived in time"),
  SOLD_OUT("sold-out", 409, "Sold out"),
  LIMIT_REACHED("limit-reached", 409, "The buyer's limit is reached"),
  NOT_OPEN("not-open", 409, "The SKU is not on sale now"),
  ORDER_ENDED("order-ended", 409, "The order has ended"),
  KEY_MISMATCH("key-mismatch", 409, "The key was used before for another request"),
  ALREADY_CONFIRMED("already-confirmed", 409, "The order is confirmed already"),
  ALREADY_REFUNDED("already-refunded", 409, "The order is refunded already"),
  PAYMENT_LATE("payment-late", 409, "The payment came too late"),
  NOT_CONFIRMED("not-confirmed", 409, "The order is not confirmed"),
  REFUND_EXCEEDS("refund-exceeds", 409, "Fewer units are left to refund"),
  REFUND_ENDED("refund-ended", 409, "The refund has ended"),
  ARCHIVED("archived", 409, "The order is in the archive"),
  NOT_ENDED("not-ended", 409, "The sale has not ended"),
  SETTING_FIXED("setting-fixed", 409, "This setting is fixed by the first PUT"),
  NOT_ENOUGH_UNSOLD("not-enough-unsold", 409, "Not enough unsold units"),
  NOTHING_TO_RESET("nothing-to-reset", 409, "The partition needs no reset"),
  MODE_UNAVAILABLE("mode-unavailable", 409, "This service does not have it"),
  SKU_FROZEN("sku-frozen", 409, "The SKU is frozen"),
  SALE_FROZEN("sale-frozen", 409, "The sale is frozen"),
  IN_USE("in-use", 409, "The SKU cannot join the sale"),
  IN_SALE("in-sale", 409, "The SKU's sale decides this"),
  SALE_FULL("sale-full", 409, "The sale has no room for these SKUs"),
  ENDING("ending", 409, "The SKU's sale is ending or has ended"),
  CHANGED_SINCE("changed-since", 412, "It has changed since it was read"),
  CONTENT_TOO_LARGE("content-too-large", 413, "The body is too large"),
  UNSUPPORTED_MEDIA_TYPE("unsupported-media-type", 415, "The body is not JSON"),
  NOT_TOGETHER("not-together", 422, "These SKUs cannot be ordered together"),
  TOO_EARLY("too-early", 425, "The ticket is not valid yet"),
  TOO_MANY_REQUESTS("too-many-requests", 429, "Too many requests"),
  HEADERS_TOO_LARGE("headers-too-large", 431, "The headers are too large"),
  INTERNAL("internal", 500, "Internal error"),
  BUSY("busy", 503, "Busy, retry later"),
  UNAVAILABLE("unavailable", 503, "A part of the service is down, retry later"),
  HTTP_VERSION("http-version", 505, "This version of HTTP is not supported");

  private final String word;
  private final int status;
  private final String title;

  ProblemType(String word, int status, String title) {
    this.word = word;
    this.status = status;
    this.title = title;
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

  /** Whether the answer has Retry-After: it may be another one later, without a change. */
  public boolean retries() {
    return status == 425 || status == 429 || status == 503;
  }
}
