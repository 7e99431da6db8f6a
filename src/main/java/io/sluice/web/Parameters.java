package io.sluice.web;

import io.sluice.model.IfMatch;
import io.sluice.web.Problem.BadInputException;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads parameters of the path and the query. */
public final class Parameters {
  private static final int DIGITS_MAX = 19;

  /** One of RFC 9110: weak or not, with a comma in it or not. */
  private static final Pattern ENTITY_TAG =
      Pattern.compile("(W/)?\"[\\x21\\x23-\\x7e\\x80-\\xff]*\"");

  private Parameters() {}

  /** Parses a SKU id of the path, 1 to 2^63 - 1, without leading zeros. */
  public static OptionalLong skuId(String text) {
    OptionalLong id = digits(text);
    return id.isPresent() && id.getAsLong() > 0 && text.charAt(0) != '0'
        ? id
        : OptionalLong.empty();
  }

  /** Parses an integer of the path, without leading zeros. */
  public static OptionalLong wholeNumber(String text) {
    return text.length() > 1 && text.charAt(0) == '0' ? OptionalLong.empty() : digits(text);
  }

  /** A query parameter that is an integer within these limits, or its default if it is missing. */
  public static long wholeNumber(
      HttpServerRequest request, String name, long min, long max, long byDefault) {
    List<String> values = values(request, name);
    if (values.isEmpty()) {
      return byDefault;
    }
    OptionalLong value = values.size() == 1 ? digits(values.get(0)) : OptionalLong.empty();
    if (value.isPresent() && value.getAsLong() >= min && value.getAsLong() <= max) {
      return value.getAsLong();
    }
    throw new BadInputException(
        name,
        "Expected one "
            + name
            + " that is a whole number in "
            + min
            + ".."
            + max
            + ", but got another");
  }

  /** A query parameter as it is given, which may be an empty text. */
  public static Optional<String> given(HttpServerRequest request, String name) {
    List<String> values = values(request, name);
    if (values.size() > 1) {
      throw new BadInputException(name, "Expected one " + name + ", but got several");
    }
    return values.stream().findFirst();
  }

  /**
   * The header If-Match, which may come in several lines. Empty elements of its list are nothing,
   * as RFC 9110 says; a list of nothing is malformed.
   */
  public static IfMatch ifMatch(HttpServerRequest request) {
    List<String> lines = request.headers().getAll(HttpHeaders.IF_MATCH);
    if (lines.isEmpty()) {
      return IfMatch.NOTHING;
    }
    String header = String.join(",", lines);
    return header.strip().equals("*") ? IfMatch.EXISTS : new IfMatch(tags(header));
  }

  private static Set<String> tags(String list) {
    Set<String> tags = new HashSet<>();
    Matcher tag = ENTITY_TAG.matcher(list);
    boolean isSeparated = true;
    int at = 0;
    while (at < list.length()) {
      char next = list.charAt(at);
      if (next == ',' || next == ' ' || next == '\t') {
        isSeparated |= next == ',';
        at++;
      } else if (isSeparated && tag.region(at, list.length()).lookingAt()) {
        tags.add(tag.group());
        isSeparated = false;
        at = tag.end();
      } else {
        throw noTags();
      }
    }
    if (tags.isEmpty()) {
      throw noTags();
    }
    return tags;
  }

  /** Fails if one of the SKUs of this list in a body comes twice. */
  public static void requireDistinct(String list, List<Long> skuIds) {
    Set<Long> seen = new HashSet<>();
    for (Long skuId : skuIds) {
      if (!seen.add(skuId)) {
        throw new BadInputException(
            "%s[%d].sku_id".formatted(list, seen.size()),
            "Expected each SKU once, but %d comes twice".formatted(skuId));
      }
    }
  }

  /** The parameter after of a call for a page is none that a page has named. */
  public static BadInputException noNext() {
    return new BadInputException("after", "Expected the next of a page, but got another text");
  }

  private static BadInputException noTags() {
    return new BadInputException(
        "If-Match",
        "Expected * or the ETag of an answer with its quotes, or several with commas between them,"
            + " but got another");
  }

  private static List<String> values(HttpServerRequest request, String name) {
    try {
      return request.params().getAll(name);
    } catch (IllegalArgumentException undecodable) {
      throw new BadInputException(
          "query",
          "Expected a query whose % are followed by two hexadecimal digits, but got another");
    }
  }

  private static OptionalLong digits(String text) {
    if (text.isEmpty() || text.length() > DIGITS_MAX) {
      return OptionalLong.empty();
    }
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) < '0' || text.charAt(i) > '9') {
        return OptionalLong.empty();
      }
    }
    try {
      return OptionalLong.of(Long.parseLong(text));
    } catch (NumberFormatException beyondLong) {
      return OptionalLong.empty();
    }
  }
}
