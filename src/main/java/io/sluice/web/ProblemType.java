package io.sluice.web;

/**
 * The kinds of problems that callers may meet; the name is the last segment of {@code type} and the
 * metric's tag.
 */
public enum ProblemType {
  BAD_REQUEST("bad-request", 400, "The request is not understood"),
  UNAUTHORIZED("unauthorized", 401, "The caller is not known"),
  FORBIDDEN("forbidden", 403, "The caller may not do this"),
  NOT_FOUND("not-found", 404, "There is nothing here"),
  UNKNOWN_SKU("unknown-sku", 404, "There is no such SKU"),
  UNKNOWN_ORDER("unknown-order", 404, "There is no such order"),
  METHOD_NOT_ALLOWED("method-not-allowed", 405, "This method does not apply here"),
  SOLD_OUT("sold-out", 409, "Sold out"),
  LIMIT_REACHED("limit-reached", 409, "The buyer's limit is reached"),
  NOT_OPEN("not-open", 409, "The SKU is not on sale now"),
  ORDER_ENDED("order-ended", 409, "The order has ended"),
  KEY_MISMATCH("key-mismatch", 409, "The same key was used for something else"),
  ALREADY_CONFIRMED("already-confirmed", 409, "The order is confirmed already"),
  ALREADY_REFUNDED("already-refunded", 409, "The order is refunded already"),
  PAYMENT_LATE("payment-late", 409, "The payment came too late"),
  NOT_CONFIRMED("not-confirmed", 409, "The order is not confirmed"),
  SETTING_FIXED("setting-fixed", 409, "This setting is fixed by the first PUT"),
  NOT_ENOUGH_UNSOLD("not-enough-unsold", 409, "Fewer units are unsold"),
  NOTHING_TO_RESET("nothing-to-reset", 409, "The log has all that is booked"),
  SKU_FROZEN("sku-frozen", 409, "The SKU is frozen"),
  CONTENT_TOO_LARGE("content-too-large", 413, "The body is too large"),
  UNSUPPORTED_MEDIA_TYPE("unsupported-media-type", 415, "The body is not JSON"),
  TOO_MANY_REQUESTS("too-many-requests", 429, "Too many requests"),
  INTERNAL("internal", 500, "Something went wrong"),
  BUSY("busy", 503, "Busy, come back"),
  UNAVAILABLE("unavailable", 503, "A part is down, come back");

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

  String title() {
    return title;
  }

  /** Whether the answer says when to come back. */
  boolean retries() {
    return this == BUSY || this == UNAVAILABLE || this == TOO_MANY_REQUESTS;
  }

  /** The type of this word; expects one that exists. */
  public static ProblemType of(String word) {
    for (ProblemType type : values()) {
      if (type.word.equals(word)) {
        return type;
      }
    }
    throw new IllegalArgumentException("Expected a problem type, but got " + word);
  }
}
