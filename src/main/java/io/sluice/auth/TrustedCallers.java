package io.sluice.auth;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.auth.TrustedCallers.LoopbackRule.Mark;
import io.sluice.config.Loopback;
import io.sluice.model.ProblemType;
import io.sluice.web.Problem;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
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
                  .formatted(port.role(), mark.words, port.tokenKey())));
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

  /**
   * Decides whether a call was made by a program of this machine, on its own behalf.
   *
   * <p>The address alone is not enough: a proxy on this machine has it too, and so has a browser
   * that shows another site's page. Both leave marks in the headers, and any mark is a reason to
   * refuse. A call without marks cannot be distinguished, which is why tokens exist.
   */
  static final class LoopbackRule {
    private static final CharSequence ORIGIN = HttpHeaders.createOptimized("origin");
    private static final CharSequence FETCH_SITE = HttpHeaders.createOptimized("sec-fetch-site");
    private static final Set<String> OWN_PAGES = Set.of("same-origin", "none");
    private static final Set<String> OWN_CONNECTION = Set.of("close", "keep-alive");
    private static final Pattern COMMA = Pattern.compile(",");

    /** Headers of forwarded calls; further ones are recognized by {@link #FORWARDED_PREFIX}. */
    private static final Map<String, Mark> MARKS =
        Map.of(
            "forwarded", Mark.FORWARDED,
            "x-real-ip", Mark.REAL_IP,
            "via", Mark.VIA,
            "authorization", Mark.AUTHORIZATION);

    private static final String FORWARDED_PREFIX = "x-forwarded";

    /**
     * The marks of a call that was not made by a program of this machine on its own behalf, as text
     * for the caller.
     */
    enum Mark {
      ADDRESS("it comes from another address"),
      VERSION("it is HTTP/1.0, as proxies speak"),
      USER_HEADER("it carries the header of buyers"),
      FORWARDED("it carries Forwarded"),
      X_FORWARDED("it carries an X-Forwarded header"),
      REAL_IP("it carries X-Real-IP"),
      VIA("it carries Via"),
      AUTHORIZATION("it carries Authorization, and no token is set"),
      HOST("its Host is another's"),
      ORIGIN("its Origin is another's"),
      FETCH_SITE("its Sec-Fetch-Site is another's"),
      CONNECTION("its Connection names other headers");

      private final String words;

      Mark(String words) {
        this.words = words;
      }
    }

    private final CharSequence userHeader;

    /**
     * @param userHeader the header with which a gateway marks buyers' calls
     */
    LoopbackRule(String userHeader) {
      this.userHeader = HttpHeaders.createOptimized(userHeader);
    }

    /** The first mark of the call; null if there is none. */
    @Nullable Mark markOf(HttpServerRequest request) {
      MultiMap headers = request.headers();
      if (headers.contains(userHeader)) {
        return Mark.USER_HEADER;
      }
      if (!Loopback.isAddress(request.remoteAddress().hostAddress())) {
        return Mark.ADDRESS;
      }
      // The default version of a common proxy for its backends.
      if (request.version() == HttpVersion.HTTP_1_0) {
        return Mark.VERSION;
      }
      Mark passedOn = passedOn(headers);
      return passedOn == null ? foreign(request) : passedOn;
    }

    private static @Nullable Mark passedOn(MultiMap headers) {
      for (String name : headers.names()) {
        String lower = name.toLowerCase(Locale.ROOT);
        if (lower.startsWith(FORWARDED_PREFIX)) {
          return Mark.X_FORWARDED;
        }
        Mark mark = MARKS.get(lower);
        if (mark != null) {
          return mark;
        }
      }
      return null;
    }

    private static @Nullable Mark foreign(HttpServerRequest request) {
      MultiMap headers = request.headers();
      List<String> hosts = headers.getAll(HttpHeaders.HOST);
      // If the request target is an absolute URI, its host applies, whatever the Host header is.
      if (!request.uri().startsWith("/")
          || hosts.isEmpty()
          || !hosts.stream().allMatch(Loopback::isAuthority)) {
        return Mark.HOST;
      }
      if (!headers.getAll(ORIGIN).stream().allMatch(Loopback::isOrigin)) {
        return Mark.ORIGIN;
      }
      if (!OWN_PAGES.containsAll(headers.getAll(FETCH_SITE))) {
        return Mark.FETCH_SITE;
      }
      return headers.getAll(HttpHeaders.CONNECTION).stream()
              .flatMap(COMMA::splitAsStream)
              .map(name -> name.strip().toLowerCase(Locale.ROOT))
              .allMatch(name -> name.isEmpty() || OWN_CONNECTION.contains(name))
          ? null
          : Mark.CONNECTION;
    }
  }

  /** The token of {@code Authorization: Bearer}. */
  static final class BearerToken {
    private static final String SCHEME = "Bearer ";

    private BearerToken() {}

    /** Null if the header is missing, of another scheme, or there more than once. */
    static @Nullable String of(HttpServerRequest request) {
      List<String> all = request.headers().getAll(HttpHeaders.AUTHORIZATION);
      if (all.size() != 1 || !all.get(0).regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
        return null;
      }
      return all.get(0).substring(SCHEME.length()).strip();
    }
  }
}
