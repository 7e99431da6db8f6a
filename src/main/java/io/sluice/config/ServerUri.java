package io.sluice.config;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLDecoder;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The parts of a server's URI, decoded: host, login and what is behind. The drivers' own parsers
 * are not used: they quote the whole URI in their errors, take a plus sign for a space, and ignore
 * parameters that they do not know.
 *
 * @param port -1 if there is none
 * @param user empty if there is none
 * @param password empty if there is none
 * @param path behind the slash; empty if there is none
 * @param parameters the query, by name
 */
public record ServerUri(
    String scheme,
    String host,
    int port,
    String user,
    String password,
    String path,
    Map<String, String> parameters) {
  private static final String HIDDEN = "***";
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.-]{1,40}");
  private static final Pattern OF_TLS =
      Pattern.compile(".*(?:ssl|tls|cert|trust|verif|keystore).*");
  private static final Set<String> OF_LOGIN = Set.of("user", "username", "password");

  public ServerUri {
    parameters = Map.copyOf(parameters);
  }

  /** Parses a URI whose form was checked. */
  public static ServerUri parse(String uri) {
    int scheme = uri.indexOf("://");
    String rest = uri.substring(scheme + 3);
    String query = behind(rest, '?');
    String beforeQuery = before(rest, '?');
    String authority = before(beforeQuery, '/');
    int at = authority.lastIndexOf('@');
    String login = at < 0 ? "" : authority.substring(0, at);
    String server = authority.substring(at + 1);
    // The colons of an IPv6 address stand within brackets.
    int colon = server.indexOf(':', Math.max(0, server.indexOf(']')));
    String host = colon < 0 ? server : server.substring(0, colon);
    return new ServerUri(
        uri.substring(0, scheme),
        host.startsWith("[") ? host.substring(1, host.length() - 1) : host,
        colon < 0 ? -1 : Integer.parseInt(server.substring(colon + 1)),
        decoded(before(login, ':')),
        decoded(behind(login, ':')),
        decoded(behind(beforeQuery, '/')),
        parameters(query));
  }

  /** The port, or this one if none is given. */
  public int portOr(int byDefault) {
    return port < 0 ? byDefault : port;
  }

  /** The host as it stands in a URI. */
  public String hostInUri() {
    return inUri(host);
  }

  /** Any host as it stands in a URI: an IPv6 address within brackets. */
  public static String inUri(String host) {
    return host.indexOf(':') < 0 ? host : "[" + host + "]";
  }

  /** The URI without its password and the values of its parameters. */
  @Override
  public String toString() {
    StringBuilder shown = new StringBuilder(scheme).append("://").append(user);
    if (!password.isEmpty()) {
      shown.append(':').append(HIDDEN);
    }
    if (!user.isEmpty() || !password.isEmpty()) {
      shown.append('@');
    }
    shown.append(hostInUri()).append(port < 0 ? "" : ":" + port);
    return shown.append(path.isEmpty() ? "" : "/" + path).toString();
  }

  /**
   * Fails if the URI has any other parameter, and names it, but not its value. Drivers ignore what
   * they do not know, so that {@code ?sslMode=REQUIRED} would leave a connection unencrypted
   * without a warning.
   *
   * @param known the parameters that are honoured
   * @param insteadOfTls which keys set TLS
   */
  public void checkParameters(String key, Set<String> known, String insteadOfTls) {
    for (String name : new TreeSet<>(parameters.keySet())) {
      if (!known.contains(name)) {
        throw new InvalidConfigException(
            key,
            key
                + " must not have the parameter "
                + (NAME.matcher(name).matches() ? name : "that it has")
                + ": "
                + instead(name.toLowerCase(Locale.ROOT), known, insteadOfTls));
      }
    }
  }

  private static String instead(String name, Set<String> known, String insteadOfTls) {
    if (OF_TLS.matcher(name).matches()) {
      return "use " + insteadOfTls;
    }
    if (OF_LOGIN.contains(name)) {
      return "use user:password@ before the host";
    }
    return known.isEmpty() ? "it takes none" : "it takes only " + String.join(", ", known);
  }

  private static Map<String, String> parameters(String query) {
    Map<String, String> parameters = new LinkedHashMap<>();
    for (String parameter : query.split("&", -1)) {
      if (!parameter.isEmpty()) {
        parameters.put(decoded(before(parameter, '=')), decoded(behind(parameter, '=')));
      }
    }
    return parameters;
  }

  private static String before(String text, char mark) {
    int at = text.indexOf(mark);
    return at < 0 ? text : text.substring(0, at);
  }

  private static String behind(String text, char mark) {
    int at = text.indexOf(mark);
    return at < 0 ? "" : text.substring(at + 1);
  }

  /** Decodes %XX as UTF-8. A plus sign is one: this is no form. */
  private static String decoded(String text) {
    return URLDecoder.decode(text.replace("+", "%2B"), UTF_8);
  }
}
