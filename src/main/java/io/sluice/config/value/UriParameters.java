package io.sluice.config.value;

import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Refuses parameters of a URI that Sluice does not honour. Drivers ignore what they do not know, so
 * that {@code ?sslMode=REQUIRED} would leave a connection unencrypted without a warning.
 */
public final class UriParameters {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.-]{1,40}");
  private static final Pattern OF_TLS =
      Pattern.compile(".*(?:ssl|tls|cert|trust|verif|keystore).*");
  private static final Set<String> OF_LOGIN = Set.of("user", "username", "password");

  private UriParameters() {}

  /**
   * Fails if the URI has any other parameter, and names it, but not its value.
   *
   * @param known the parameters that are honoured
   * @param insteadOfTls which keys set TLS
   */
  public static void check(
      String key, Map<String, String> parameters, Set<String> known, String insteadOfTls) {
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
}
