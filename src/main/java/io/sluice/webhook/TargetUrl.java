package io.sluice.webhook;

import io.netty.util.NetUtil;
import io.sluice.config.Loopback;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;

/**
 * The address of a target.
 *
 * @param host without the brackets of an IPv6 address
 * @param path with the query
 */
public record TargetUrl(boolean isHttps, String host, int port, String path) {
  public static final int LENGTH_MAX = 1_000;
  private static final int HTTPS_PORT = 443;
  private static final int HTTP_PORT = 80;
  private static final int PORT_MAX = 65_535;

  /** Parses a URL with http or https, without user and fragment; empty if it is none. */
  public static Optional<TargetUrl> parse(String text) {
    if (text.length() > LENGTH_MAX || !text.chars().allMatch(c -> c > ' ' && c <= '~')) {
      return Optional.empty();
    }
    try {
      URI uri = new URI(text);
      boolean isHttps = "https".equals(uri.getScheme());
      String host = uri.getHost();
      if ((!isHttps && !"http".equals(uri.getScheme()))
          || host == null
          || uri.getRawUserInfo() != null
          || uri.getRawFragment() != null
          || uri.getPort() == 0
          || uri.getPort() > PORT_MAX) {
        return Optional.empty();
      }
      String path = uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
      return Optional.of(
          new TargetUrl(
              isHttps,
              host.startsWith("[") ? host.substring(1, host.length() - 1) : host,
              uri.getPort() > 0 ? uri.getPort() : isHttps ? HTTPS_PORT : HTTP_PORT,
              uri.getRawQuery() == null ? path : path + "?" + uri.getRawQuery()));
    } catch (URISyntaxException none) {
      return Optional.empty();
    }
  }

  /** Whether it names an address that may not be sent to. Of a name only the resolver can tell. */
  public boolean isRefusedBy(AddressGuard guard) {
    boolean isAddress = NetUtil.isValidIpV4Address(host) || NetUtil.isValidIpV6Address(host);
    return isAddress ? !guard.admits(host) : Loopback.isHost(host) && !guard.allowsPrivate();
  }
}
