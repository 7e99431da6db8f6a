package io.sluice.config;

import java.util.List;
import java.util.Locale;

/**
 * Whoever may use the management port.
 *
 * @param name as the operator log tells it
 * @param tokens what its calls may carry: one, or two while they are exchanged
 */
public record OperatorToken(String name, Role role, List<String> tokens) {

  /** What an operator may do. */
  public enum Role {
    /** Look: GET and HEAD. */
    READER,
    /** All there is. */
    OPERATOR
  }

  /** Copies the list. */
  public OperatorToken {
    tokens = List.copyOf(tokens);
  }

  /** Without the tokens: this may be printed. */
  @Override
  public String toString() {
    return name + " (" + role.name().toLowerCase(Locale.ROOT) + ")";
  }
}
