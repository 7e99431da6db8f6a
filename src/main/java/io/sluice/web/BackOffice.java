package io.sluice.web;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.util.NetUtil;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.net.InetAddress;
import java.security.MessageDigest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tells whether a call comes from the back office (or an operator, on the management port): by its
 * bearer token, or, where none is configured, by the loopback address.
 */
public final class BackOffice implements Guard {
  private static final String SCHEME = "Bearer ";
  private static final CharSequence FORWARDED = HttpHeaders.createOptimized("forwarded");
  private static final CharSequence FORWARDED_FOR = HttpHeaders.createOptimized("x-forwarded-for");

  private final byte[] token;
  private final CharSequence userHeader;
  private final Problem refusal;

  /**
   * Knows how to tell.
   *
   * @param token the bearer token; empty: the loopback address is taken
   * @param userHeader what a gateway marks buyers' calls with
   */
  public BackOffice(String token, String userHeader) {
    this.token = token.getBytes(UTF_8);
    this.userHeader = HttpHeaders.createOptimized(userHeader);
    this.refusal =
        Problem.of(
            ProblemType.UNAUTHORIZED,
            token.isEmpty()
                ? "Expected a call from this host without "
                    + userHeader
                    + ", Forwarded or X-Forwarded-For, since no token is configured, but this is another"
                : "Expected the bearer token of the back office, but the call carries none that fits");
  }

  public boolean admits(HttpServerRequest request) {
    return token.length == 0 ? isLocal(request) : carriesToken(request.headers());
  }

  @Override
  public @Nullable Problem refusal(HttpServerRequest request) {
    return admits(request) ? null : refusal;
  }

  private boolean carriesToken(MultiMap headers) {
    List<String> credentials = headers.getAll(HttpHeaders.AUTHORIZATION);
    if (credentials.size() != 1) {
      return false;
    }
    String credential = credentials.get(0);
    return credential.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
        && MessageDigest.isEqual(
            token, credential.substring(SCHEME.length()).strip().getBytes(UTF_8));
  }

  /** A proxy on this host must not make buyers the back office: what it forwards says so. */
  private boolean isLocal(HttpServerRequest request) {
    MultiMap headers = request.headers();
    return !headers.contains(userHeader)
        && !headers.contains(FORWARDED)
        && !headers.contains(FORWARDED_FOR)
        && isLoopback(request.remoteAddress().hostAddress());
  }

  static boolean isLoopback(@Nullable String ip) {
    if (ip == null) {
      return false;
    }
    InetAddress address = NetUtil.createInetAddressFromIpAddressString(ip);
    return address != null && address.isLoopbackAddress();
  }
}
