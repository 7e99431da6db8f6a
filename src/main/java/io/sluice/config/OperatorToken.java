package io.sluice.config;

import io.sluice.config.Key.Patterns;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * An operator of the management port.
 *
 * @param name as in the operator log
 * @param tokens one, or two during a rotation
 */
public record OperatorToken(String name, Role role, List<String> tokens) {
  static final String KEY = "admin.tokens";
  private static final int OPERATORS_MAX = 100;
  private static final Set<String> FIELDS = Set.of("role", "token");
  private static final Map<String, Role> ROLES =
      Map.of(
          "metrics", Role.METRICS,
          "reader", Role.READER,
          "support", Role.SUPPORT,
          "operator", Role.OPERATOR);
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.@-]{1,64}");
  private static final Pattern TOKENS = Pattern.compile(Patterns.BEARER_TOKENS);
  private static final Pattern ENTRY_END = Pattern.compile("[;\\r\\n]");
  private static final int PARTS = 3;

  /** The rights of an operator: each role has also those of the ones before. */
  public enum Role {
    /** May read the metrics. */
    METRICS,
    /** May read (GET and HEAD) what is of no single buyer. */
    READER,
    /** May read all: orders, events and bans of buyers as well. */
    SUPPORT,
    /** May do everything. */
    OPERATOR
  }

  public OperatorToken {
    tokens = List.copyOf(tokens);
  }

  /** Without the tokens, since this may be logged. */
  @Override
  public String toString() {
    return name + " (" + role.name().toLowerCase(Locale.ROOT) + ")";
  }

  /**
   * Parses {@code admin.tokens}: a map in the file, {@code alice: {role: operator, token: "..."}},
   * or text, {@code alice:operator:...}, with entries separated by semicolons or newlines. Error
   * messages never contain a token.
   */
  static List<OperatorToken> parse(@Nullable Object raw) {
    if (raw instanceof JsonObject map) {
      return map.stream()
          .map(entry -> ofMap(entry.getKey(), entry.getValue()))
          .collect(Collectors.toUnmodifiableList());
    }
    if (raw instanceof String text) {
      return ofText(text);
    }
    throw fault(KEY, "a map from names to {role, token}");
  }

  private static OperatorToken ofMap(String name, @Nullable Object value) {
    if (!(value instanceof JsonObject fields) || !fields.fieldNames().equals(FIELDS)) {
      throw fault(key(name), "{role, token} and nothing else");
    }
    return entry(name, fields.getValue("role"), fields.getValue("token"));
  }

  private static List<OperatorToken> ofText(String text) {
    List<String> entries =
        ENTRY_END.splitAsStream(text).map(String::strip).filter(part -> !part.isEmpty()).toList();
    List<OperatorToken> read = new ArrayList<>();
    for (String entry : entries) {
      String[] parts = entry.split(":", -1);
      if (parts.length != PARTS) {
        throw fault(
            KEY,
            "name:role:token, apart by semicolons or line ends; entry "
                + (read.size() + 1)
                + " is not");
      }
      read.add(entry(parts[0].strip(), parts[1].strip(), parts[2].strip()));
    }
    return read;
  }

  private static OperatorToken entry(String name, @Nullable Object role, @Nullable Object token) {
    if (!NAME.matcher(name).matches()) {
      throw fault(KEY, "by names of 1 to 64 characters of A-Z, a-z, 0-9 and _.@-");
    }
    Role known = role instanceof String word ? ROLES.get(word) : null;
    if (known == null) {
      throw fault(key(name) + ".role", "metrics, reader, support or operator");
    }
    if (!(token instanceof String tokens) || !TOKENS.matcher(tokens).matches()) {
      throw fault(key(name) + ".token", Patterns.BEARER_TOKENS_EXPECTED);
    }
    return new OperatorToken(name, known, Patterns.bearerTokens(tokens));
  }

  /**
   * Checks conditions across entries: names and tokens must be unique.
   *
   * @param all operators of all keys
   */
  static void check(List<OperatorToken> all) {
    if (all.size() > OPERATORS_MAX) {
      throw fault(KEY, "at most " + OPERATORS_MAX + " operators");
    }
    Set<String> names = new HashSet<>();
    Set<String> tokens = new HashSet<>();
    for (OperatorToken operator : all) {
      if (!names.add(operator.name())) {
        throw fault(
            KEY, "by names that differ (admin.token is admin's), " + operator.name() + " is twice");
      }
      if (operator.tokens().stream().anyMatch(token -> !tokens.add(token))) {
        throw fault(KEY, "tokens that differ, " + operator.name() + " has another's");
      }
    }
  }

  private static String key(String name) {
    return KEY + "." + name;
  }

  private static InvalidConfigException fault(String where, String expected) {
    return new InvalidConfigException(KEY, where + " must be " + expected);
  }
}
