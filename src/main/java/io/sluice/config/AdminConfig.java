package io.sluice.config;

import io.sluice.config.value.IntKey;
import io.sluice.config.value.Patterns;
import io.sluice.config.value.Settings;
import io.sluice.config.value.StringKey;
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
    String host, int port, String token, List<OperatorToken> tokens, TlsFiles tls) {
  /** The keys of {@code tls}. */
  public static final TlsFiles.Keys TLS = TlsFiles.keys("admin");

  static final StringKey HOST =
      StringKey.of("admin.host", "127.0.0.1", "an address or a host name", Patterns.HOST);
  static final IntKey PORT = new IntKey("admin.port", 8081, 0, 65_535);
  static final StringKey TOKEN =
      StringKey.secret(
          "admin.token", "empty or " + Patterns.BEARER_TOKENS_EXPECTED, Patterns.BEARER_OR_NONE);

  /** The operator to whom {@code admin.token} belongs. */
  private static final String ADMIN = "admin";

  public AdminConfig {
    HOST.check(host);
    PORT.check(port);
    TOKEN.check(token);
    tokens = List.copyOf(tokens);
    OperatorTokens.check(operators(token, tokens));
  }

  static AdminConfig read(Settings settings) {
    return new AdminConfig(
        settings.text(HOST),
        settings.number(PORT),
        settings.text(TOKEN),
        settings.value(OperatorTokens.KEY, List.of(), OperatorTokens::parse),
        TlsFiles.read(settings, TLS));
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
