package io.sluice.model;

import org.jspecify.annotations.Nullable;

/**
 * The ranges of values that come from outside; docs/design.md section 10. Checked on input and
 * again before the ledger.
 */
public final class Limits {
  public static final int QTY_MAX = 1_000;
  public static final int USER_ID_MAX = 128;

  /** Of an id that every release takes. */
  private static final int PLAIN_USER_ID_MAX = 64;

  public static final int REQUEST_KEY_MAX = 128;
  public static final int RESTOCK_ID_MAX = 64;
  public static final int REFERENCE_MAX = 64;
  public static final int PAYMENT_REF_MAX = 128;
  public static final int REFUND_ID_MAX = 48;
  public static final int EXTENSION_S_MAX = 86_400;

  /** Commands in one call. */
  public static final int COMMANDS_MAX = 500;

  /** Of a new SKU: the largest number that a client in JavaScript does not round. */
  public static final long NEW_SKU_ID_MAX = (1L << 53) - 1;

  public static final int BUCKETS_MAX = 256;
  public static final long TOTAL_STOCK_MAX = 1_000_000_000L;
  public static final long PAYMENT_WINDOW_S_MAX = 2_592_000L;
  public static final int LIMIT_PER_USER_MAX = 1_000;
  public static final int SALE_ID_MAX = 64;
  public static final int SALE_NAME_MAX = 128;

  public static final int SKU_NAME_MAX = 200;

  /** SKUs of an order of several. */
  public static final int CART_LINES_MIN = 2;

  public static final int CART_LINES_MAX = 20;

  /** SKUs of a sale. */
  public static final int SALE_SKUS_MAX = 10_000;

  /** SKUs of a sale whose SKUs share carts, and with it one partition. */
  public static final int SALE_SKUS_WITH_CARTS_MAX = 500;

  /** SKUs, and their buckets, in one PUT of a sale. */
  public static final int SALE_PUT_SKUS_MAX = 1_000;

  public static final int SALE_PUT_BUCKETS_MAX = 4_000;
  public static final int REQUEST_LINE_BYTES_MAX = 4_096;

  /** Long polls at a time. */
  public static final int POLLS_PER_BUYER_MAX = 4;

  public static final int INSTANCE_ID_MAX = 64;

  /** The characters of a run id that a RESERVE carries. */
  public static final int RUN_LENGTH = 8;

  private Limits() {}

  /** Whether this is a user id: 1 to 128 visible ASCII characters. */
  public static boolean isUserId(String text) {
    return isVisible(text, USER_ID_MAX);
  }

  /**
   * Whether this is a user id that JSON need not escape: 1 to 64 characters of {@code
   * [A-Za-z0-9_.@-]}.
   */
  public static boolean isPlainUserId(String text) {
    return isWord(text, PLAIN_USER_ID_MAX, "_.@-");
  }

  /**
   * Whether this is no name in a path, but this folder or the one above: callers may not choose it,
   * whatever else the name may be. Those that exist are looked up as before.
   */
  public static boolean isDots(String text) {
    return text.equals(".") || text.equals("..");
  }

  /** Whether this is a restock id: 1 to 64 characters of {@code [A-Za-z0-9_.:@-]}. */
  public static boolean isRestockId(String text) {
    return isWord(text, RESTOCK_ID_MAX, "_.:@-");
  }

  /** Whether this is a sale id: 1 to 64 characters of {@code [A-Za-z0-9_.-]}. */
  public static boolean isSaleId(String text) {
    return isWord(text, SALE_ID_MAX, "_.-");
  }

  /** Whether this names a sale: 1 to 128 characters, none of them a control character. */
  public static boolean isSaleName(String text) {
    return isName(text, SALE_NAME_MAX);
  }

  /** Whether this names a SKU: 1 to 200 characters, none of them a control character. */
  public static boolean isSkuName(String text) {
    return isName(text, SKU_NAME_MAX);
  }

  private static boolean isName(String text, int charsMax) {
    return !text.isBlank()
        && text.length() <= charsMax
        && text.codePoints()
            .noneMatch(
                c -> Character.isISOControl(c) || Character.getType(c) == Character.SURROGATE);
  }

  /** Whether this is a request key: 1 to 128 visible ASCII characters. */
  public static boolean isRequestKey(String text) {
    return isVisible(text, REQUEST_KEY_MAX);
  }

  /** Whether this is a caller's name for an order: 1 to 64 visible ASCII characters. */
  public static boolean isReference(@Nullable String text) {
    return text != null && isVisible(text, REFERENCE_MAX);
  }

  /** Whether this is a shop's name for a payment: 1 to 128 visible ASCII characters. */
  public static boolean isPaymentRef(String text) {
    return isVisible(text, PAYMENT_REF_MAX);
  }

  /** Whether this is a refund id: 1 to 48 characters of {@code [A-Za-z0-9_.:-]}. */
  public static boolean isRefundId(String text) {
    return isWord(text, REFUND_ID_MAX, "_.:-");
  }

  /** Whether this is the begin of a run id: 1 to 8 letters and digits. */
  public static boolean isRun(@Nullable String text) {
    return text != null && isWord(text, RUN_LENGTH, "");
  }

  /** Whether this can be the id of an instance: 1 to 64 characters of {@code [A-Za-z0-9-]}. */
  public static boolean isInstanceId(@Nullable String text) {
    return text != null && isWord(text, INSTANCE_ID_MAX, "-");
  }

  /** Whether this is text of 1 to this many visible ASCII characters. */
  public static boolean isVisible(String text, int lengthMax) {
    if (text.isEmpty() || text.length() > lengthMax) {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) < '!' || text.charAt(i) > '~') {
        return false;
      }
    }
    return true;
  }

  private static boolean isWord(String text, int lengthMax, String alsoAllowed) {
    if (text.isEmpty() || text.length() > lengthMax) {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean alphanumeric =
          (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
      if (!alphanumeric && alsoAllowed.indexOf(c) < 0) {
        return false;
      }
    }
    return true;
  }
}
