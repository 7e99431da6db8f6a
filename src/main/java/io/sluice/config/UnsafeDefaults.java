package io.sluice.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What is not safe: connections that the start refuses unless they are accepted; and, logged at
 * each start, defaults that trust more callers, or networks, than a sale should, and settings that
 * switch a check off.
 */
public final class UnsafeDefaults {
  /**
   * A default that is still in use.
   *
   * @param key the key to set
   * @param why what it allows until then
   */
  public record Left(String key, String why) {}

  private static final String REDIS_URI = "redis.uri";

  private static final String ACCEPT = "stores.accept";
  private static final String VERIFY_DATABASE = "mysql.tls must be verify";
  private static final String LOG_IN_TO_REDIS = "redis.uri must have a password";
  private static final String LOG_IN_TO_KAFKA =
      KafkaProperties.KEY + " must have a login, SASL or a certificate";

  private UnsafeDefaults() {}

  /** All that are in use; empty if each key is set. */
  public static List<Left> of(Config config) {
    Found found = new Found(new ArrayList<>());
    missingTokens(config, found);
    trustedTokens(config.auth(), found);
    trustedAddresses(config, found);
    plainPorts(config, found);
    plainConnections(config, found);
    unprovenBrokers(config.kafka(), found);
    openKeyFile("http.tls.key_file", config.http().tls(), found);
    openKeyFile("admin.tls.key_file", config.admin().tls(), found);
    return found.all();
  }

  private record Found(List<Left> all) {
    void addIf(boolean isUnsafe, String key, String why) {
      if (isUnsafe) {
        all.add(new Left(key, why));
      }
    }
  }

  /** Private keys that others than the user of this process, and his group, may read. */
  private static void openKeyFile(String key, TlsFiles files, Found found) {
    found.addIf(
        !files.keyFile().isEmpty() && isReadByOthers(files.keyFile()),
        key,
        "every user of this machine may read the private key");
  }

  private static boolean isReadByOthers(String file) {
    try {
      return Files.getPosixFilePermissions(Path.of(file)).contains(PosixFilePermission.OTHERS_READ);
    } catch (IOException | UnsupportedOperationException | InvalidPathException unknown) {
      // A value that cannot be read at all is reported where it is read.
      return false;
    }
  }

  private static void missingTokens(Config config, Found found) {
    found.addIf(
        config.auth().serviceToken().isEmpty(),
        "auth.service_token",
        withoutToken("the back office", "http.host", config.http().host()));
    found.addIf(
        config.admin().operators().isEmpty(),
        "admin.token",
        withoutToken("operators", "admin.host", config.admin().host()));
  }

  private static void trustedTokens(AuthConfig auth, Found found) {
    found.addIf(
        auth.hasTokenKeys() && auth.issuer().isEmpty(),
        "auth.issuer",
        "the %s of every issuer with this key pass"
            .formatted(auth.isJwt() ? "tokens and tickets" : "tickets"));
    found.addIf(
        auth.isJwt() && auth.audience().isEmpty(),
        "auth.audience",
        "tokens that were made for another service pass, and tickets as well");
  }

  /** The same key decides whose user header and whose X-Forwarded-For is accepted. */
  private static void trustedAddresses(Config config, Found found) {
    AuthConfig auth = config.auth();
    boolean areAddressesLimited = config.admission().addressPerMinute() > 0;
    found.addIf(
        (!auth.isJwt() || areAddressesLimited) && auth.isTrustedByDefault(),
        AuthConfig.TRUSTED_PROXIES,
        (auth.isJwt() ? "X-Forwarded-For" : auth.userHeader())
            + " is accepted from every loopback, private and link-local address, not only the"
            + " gateway's");
  }

  /** A port that only this machine can reach needs no TLS. */
  private static void plainPorts(Config config, Found found) {
    found.addIf(
        !config.http().tls().isOn() && !Loopback.isHost(config.http().host()),
        "http.tls.cert_file",
        plainPort(
            config.auth().isJwt()
                ? "tokens of buyers and back office"
                : "requests and the token of the back office"));
    found.addIf(
        !config.admin().tls().isOn() && !Loopback.isHost(config.admin().host()),
        "admin.tls.cert_file",
        plainPort("tokens of operators"));
  }

  private static String plainPort(String what) {
    return what
        + " travel to this port as plain text: where a gateway in front ends TLS, nobody else may"
        + " reach the network behind it";
  }

  /** Within one machine nobody listens who could not read the password anyway. */
  private static void plainConnections(Config config, Found found) {
    found.addIf(
        isUnverified(config.mysql()),
        "mysql.tls",
        (config.mysql().isTls() ? "" : "statements travel to the database as plain text, and ")
            + "nothing proves that it is the right one");
    found.addIf(
        !config.redis().isTls()
            && config.redis().servers().stream().anyMatch(one -> !Loopback.isHost(one.host())),
        REDIS_URI,
        "redis:// sends the password and the stock as plain text; rediss:// encrypts, and"
            + " verifies the server");
    found.addIf(
        isWithoutLogin(config.redis()),
        REDIS_URI,
        "there is no password: any program that reaches Redis may grant units");
  }

  private static void unprovenBrokers(KafkaConfig kafka, Found found) {
    KafkaProperties properties = kafka.properties();
    List<String> why = new ArrayList<>();
    if (properties.isEncrypted() && !properties.verifiesHostNames()) {
      why.add(
          "ssl.endpoint.identification.algorithm is empty: a broker's certificate passes for every"
              + " host name");
    }
    if (!properties.isEncrypted() && !kafka.isOfThisMachine()) {
      why.add(
          "%s travel to the brokers as plain text, and nothing proves that they are the right ones"
              .formatted(properties.hasLogin() ? "login, orders and events" : "orders and events"));
    }
    if (isWithoutLogin(kafka)) {
      why.add(
          "there is no login: any program that reaches the brokers may write orders and events");
    }
    found.addIf(!why.isEmpty(), KafkaProperties.KEY, String.join("; ", why));
  }

  private static String withoutToken(String whose, String hostKey, String host) {
    return Loopback.isHost(host)
        ? "no token is set: every program of this machine may make the calls of " + whose
        : "no token is set, and %s is not loopback: the calls of %s are refused"
            .formatted(hostKey, whose);
  }

  /**
   * Fails, with all that is missing in one line, unless each store that is not on this machine has
   * what it needs, or may lack it: a database that proves its identity, and logins to Redis and
   * Kafka. A program that can answer for one, or write to one, decides what is sold.
   */
  public static void refuse(Config config) {
    List<String> accepted = List.of(config.stores().accept().split("\\s*,\\s*", -1));
    Map<String, String> missing = remedies(config.mysql(), config.redis(), config.kafka());
    missing.keySet().removeAll(accepted);
    if (!missing.isEmpty()) {
      throw new InvalidConfigException(
          ACCEPT,
          missing.entrySet().stream()
              .map(lack -> "%s, or %s name %s".formatted(lack.getValue(), ACCEPT, lack.getKey()))
              .collect(Collectors.joining("; ", "", ": not on this machine")));
    }
  }

  /** What takes each lack away, by the word by which it is accepted. */
  private static Map<String, String> remedies(
      MysqlConfig mysql, RedisConfig redis, KafkaConfig kafka) {
    Map<String, String> found = new LinkedHashMap<>();
    if (isUnverified(mysql)) {
      found.put("mysql-unverified", VERIFY_DATABASE);
    }
    if (isWithoutLogin(redis)) {
      found.put("redis-without-login", LOG_IN_TO_REDIS);
    }
    if (isWithoutLogin(kafka)) {
      found.put("kafka-without-login", LOG_IN_TO_KAFKA);
    }
    return found;
  }

  /**
   * Whether any server that answers at its address, off this machine, is taken for the database.
   */
  private static boolean isUnverified(MysqlConfig mysql) {
    return !mysql.isVerified() && !Loopback.isHost(mysql.server().host());
  }

  /** Whether any program that reaches Redis, off this machine, may write to it. */
  private static boolean isWithoutLogin(RedisConfig redis) {
    return redis.servers().stream()
        .anyMatch(one -> one.password().isEmpty() && !Loopback.isHost(one.host()));
  }

  /** Whether any program that reaches the brokers, off this machine, may write to the order log. */
  private static boolean isWithoutLogin(KafkaConfig kafka) {
    return !kafka.properties().hasLogin()
        && !kafka.properties().hasCertificate()
        && !kafka.isOfThisMachine();
  }
}
