package io.sluice.config;

import java.util.ArrayList;
import java.util.List;

/** Defaults that trust more callers, or networks, than a sale should; logged at each start. */
public final class UnsafeDefaults {
  /**
   * A default that is still in use.
   *
   * @param key the key to set
   * @param why what it allows until then
   */
  public record Left(String key, String why) {}

  private UnsafeDefaults() {}

  /** All that are in use; empty where each key is set. */
  public static List<Left> of(Config config) {
    List<Left> left = new ArrayList<>();
    AuthConfig auth = config.auth();
    if (auth.serviceToken().isEmpty()) {
      left.add(
          new Left(
              AuthConfig.SERVICE_TOKEN.key(),
              withoutToken("the back office", HttpConfig.HOST.key(), config.http().host())));
    }
    if (config.admin().operators().isEmpty()) {
      left.add(
          new Left(
              AdminConfig.TOKEN.key(),
              withoutToken("operators", AdminConfig.HOST.key(), config.admin().host())));
    }
    if (auth.isJwt() && auth.issuer().isEmpty()) {
      left.add(new Left(AuthConfig.ISSUER.key(), "the tokens of every issuer with this key pass"));
    }
    if (auth.isJwt() && auth.audience().isEmpty()) {
      left.add(
          new Left(
              AuthConfig.AUDIENCE.key(),
              "tokens that were made for another service pass, and tickets as well"));
    }
    if (!auth.isJwt() && auth.trustedProxies().equals(AuthConfig.TRUSTED_BY_DEFAULT)) {
      left.add(
          new Left(
              AuthConfig.TRUSTED_PROXIES,
              auth.userHeader()
                  + " is accepted from every loopback, private and link-local address, not only the gateway's"));
    }
    left.addAll(plainConnections(config));
    return left;
  }

  /** Within one machine nobody listens who could not read the password anyway. */
  private static List<Left> plainConnections(Config config) {
    List<Left> left = new ArrayList<>();
    if (!config.mysql().isTls() && !Loopback.isHost(config.mysql().server().host())) {
      left.add(
          new Left(
              MysqlConfig.TLS.key(),
              "statements travel to the database as plain text, and nothing proves that it is the right one"));
    }
    if (!config.redis().isTls() && !Loopback.isHost(config.redis().server().host())) {
      left.add(
          new Left(
              RedisConfig.URI.key(),
              "redis:// sends the password and the stock as plain text; rediss:// encrypts, and verifies the server"));
    }
    return left;
  }

  private static String withoutToken(String whose, String hostKey, String host) {
    return Loopback.isHost(host)
        ? "no token is set: every program of this machine may make the calls of " + whose
        : "no token is set, and %s is not loopback: the calls of %s are refused"
            .formatted(hostKey, whose);
  }
}
