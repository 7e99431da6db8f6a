package io.sluice.config;

import io.sluice.config.Key.Patterns;
import java.util.ArrayList;
import java.util.List;

/**
 * The management port.
 *
 * @param port 0 takes any free one
 * @param token one or two bearer tokens of the operator {@code admin}; empty: none
 * @param tokens operators by name and role
 * @param tls the certificate of the port, if it speaks TLS
 */
public record AdminConfig(
    @Key(value = "127.0.0.1", form = Patterns.HOST, expected = Patterns.HOST_EXPECTED) String host,
    @Key(value = "8081", max = 65_535) int port,
    @Key(
            form = Patterns.BEARER_OR_NONE,
            expected = Patterns.BEARER_OR_NONE_EXPECTED,
            shown = Key.Shown.SECRET)
        String token,
    @Key List<OperatorToken> tokens,
    TlsFiles tls) {
  /** The operator to whom {@code admin.token} belongs. */
  private static final String ADMIN = "admin";

  public AdminConfig {
    tls.check("admin");
    tokens = List.copyOf(tokens);
    OperatorToken.check(operators(token, tokens));
  }

  /**
   * All operators with tokens; if empty, only calls from the loopback address are accepted, if any.
   */
  public List<OperatorToken> operators() {
    return operators(token, tokens);
  }

  /** Without the tokens, since this may be logged. */
  @Override
  public String toString() {
    return "management port at " + host + ":" + port;
  }

  private static List<OperatorToken> operators(String token, List<OperatorToken> tokens) {
    List<OperatorToken> all = new ArrayList<>(tokens);
    if (!token.isEmpty()) {
      all.add(new OperatorToken(ADMIN, OperatorToken.Role.OPERATOR, Patterns.bearerTokens(token)));
    }
    return all;
  }
}
