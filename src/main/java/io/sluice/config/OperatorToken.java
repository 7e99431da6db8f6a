package io.sluice.config;

import java.util.List;
import java.util.Locale;

/**
 * An operator of the management port.
 *
 * @param name as in the operator log
 * @param tokens one, or two during a rotation
 */
public record OperatorToken(String name, Role role, List<String> tokens) {

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
}
