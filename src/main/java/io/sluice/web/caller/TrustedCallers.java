package io.sluice.web.caller;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.config.value.Loopback;
import io.sluice.web.caller.LoopbackRule.Mark;
import io.sluice.web.problem.Problem;
import io.sluice.web.problem.ProblemType;
import io.vertx.core.http.HttpServerRequest;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Identifies callers that are not buyers by a bearer token; or, if none is configured and the port
 * listens on loopback only, by {@link LoopbackRule}.
 */
public final class TrustedCallers {
  /** The name of callers without a token, if none is configured. */
  public static final String LOOPBACK = "loopback";

  private final List<Credential> credentials = new ArrayList<>();
  private final boolean isLoopbackOnly;
  private final LoopbackRule loopback;
  private final Problem refusal;
  private final Map<Mark, Problem> loopbackRefusals = new EnumMap<>(Mark.class);

  private record Credential(String name, byte[] token) {}

  /**
   * The port of these callers, and the keys that configure them.
   *
   * @param role their name in problems
   * @param tokenKey the key of their tokens
   * @param hostKey the key of the host
   * @param host that their port listens on
   * @param userHeader the header with which a gateway marks buyers' calls
   */
  public record Port(
      String role, String tokenKey, String hostKey, String host, String userHeader) {}

  /**
   * @param tokens by the caller's name; empty: calls from the loopback address are accepted
   */
  public TrustedCallers(Port port, Map<String, List<String>> tokens) {
    tokens.forEach(
        (name, carried) ->
            carried.forEach(token -> credentials.add(new Credential(name, token.getBytes(UTF_8)))));
    this.isLoopbackOnly = Loopback.isHost(port.host());
    this.loopback = new LoopbackRule(port.userHeader());
    this.refusal =
        Problem.of(
            ProblemType.UNAUTHORIZED,
            credentials.isEmpty()
                ? "Expected the bearer token of %s, but none is configured: set %s, or %s to a loopback address"
                    .formatted(port.role(), port.tokenKey(), port.hostKey())
                : "Expected the bearer token of %s (%s), but the call carries none that fits"
                    .formatted(port.role(), port.tokenKey()));
    for (Mark mark : Mark.values()) {
      loopbackRefusals.put(
          mark,
          Problem.of(
              ProblemType.UNAUTHORIZED,
              "Expected a call of %s by a program of this machine, but %s; set %s for all others"
                  .formatted(port.role(), mark.words(), port.tokenKey())));
    }
  }

  /** The name of the caller; null for an unknown one. */
  public @Nullable String name(HttpServerRequest request) {
    if (!credentials.isEmpty()) {
      String carried = BearerToken.of(request);
      return carried == null ? null : named(carried.getBytes(UTF_8));
    }
    return isLoopbackOnly && loopback.markOf(request) == null ? LOOPBACK : null;
  }

  /** The answer to an unknown caller. */
  public Problem refusal(HttpServerRequest request) {
    Mark mark = credentials.isEmpty() && isLoopbackOnly ? loopback.markOf(request) : null;
    return mark == null ? refusal : loopbackRefusals.getOrDefault(mark, refusal);
  }

  /**
   * Compares with every token, each in constant time, so that the duration reveals nothing about a
   * token.
   */
  private @Nullable String named(byte[] carried) {
    String name = null;
    for (Credential credential : credentials) {
      if (MessageDigest.isEqual(carried, credential.token())) {
        name = credential.name();
      }
    }
    return name;
  }
}
