package io.sluice.config;

import io.sluice.config.value.InvalidConfigException;
import io.sluice.config.value.Loopback;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The demands of the start on stores that are not on this machine: a database that proves its
 * identity, and logins to Redis and Kafka. A program that can answer for one, or write to one,
 * decides what is sold.
 *
 * @param accept what they may lack all the same: words of {@link Lack}, separated by commas
 */
public record StoresConfig(
    @Key(
            form = "(?:" + WORD + "(?:\\s*,\\s*" + WORD + ")*)?",
            expected =
                "any of mysql-unverified, redis-without-login and kafka-without-login, or empty")
        String accept) {
  private static final String KEY = "stores.accept";
  private static final String WORD = "(?:mysql-unverified|redis-without-login|kafka-without-login)";
  private static final String VERIFY_DATABASE = "mysql.tls must be verify";
  private static final String LOG_IN_TO_REDIS = "redis.uri must have a password";
  private static final String LOG_IN_TO_KAFKA =
      KafkaProperties.KEY + " must have a login, SASL or a certificate";

  /**
   * @param word by which it is accepted
   * @param remedy that takes it away
   */
  private record Lack(String word, String remedy) {
    @Override
    public String toString() {
      return "%s, or %s name %s".formatted(remedy, KEY, word);
    }
  }

  /** Fails, with all that is missing in one line, unless each store has what it needs. */
  public void check(MysqlConfig mysql, RedisConfig redis, KafkaConfig kafka) {
    List<String> accepted = List.of(accept.split("\\s*,\\s*", -1));
    List<Lack> missing =
        lacking(mysql, redis, kafka).stream()
            .filter(lack -> !accepted.contains(lack.word()))
            .toList();
    if (!missing.isEmpty()) {
      throw new InvalidConfigException(
          KEY,
          missing.stream().map(Lack::toString).collect(Collectors.joining("; "))
              + ": not on this machine");
    }
  }

  private static List<Lack> lacking(MysqlConfig mysql, RedisConfig redis, KafkaConfig kafka) {
    List<Lack> found = new ArrayList<>();
    if (isUnverified(mysql)) {
      found.add(new Lack("mysql-unverified", VERIFY_DATABASE));
    }
    if (isWithoutLogin(redis)) {
      found.add(new Lack("redis-without-login", LOG_IN_TO_REDIS));
    }
    if (isWithoutLogin(kafka)) {
      found.add(new Lack("kafka-without-login", LOG_IN_TO_KAFKA));
    }
    return found;
  }

  /**
   * Whether any server that answers at its address, off this machine, is taken for the database.
   */
  static boolean isUnverified(MysqlConfig mysql) {
    return !mysql.isVerified() && !Loopback.isHost(mysql.server().host());
  }

  /** Whether any program that reaches Redis, off this machine, may write to it. */
  static boolean isWithoutLogin(RedisConfig redis) {
    return redis.servers().stream()
        .anyMatch(one -> one.password().isEmpty() && !Loopback.isHost(one.host()));
  }

  /** Whether any program that reaches the brokers, off this machine, may write to the order log. */
  static boolean isWithoutLogin(KafkaConfig kafka) {
    return !kafka.properties().hasLogin()
        && !kafka.properties().hasCertificate()
        && !kafka.isOfThisMachine();
  }
}
