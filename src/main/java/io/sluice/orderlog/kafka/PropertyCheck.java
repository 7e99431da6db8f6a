package io.sluice.orderlog.kafka;

import io.sluice.config.KafkaProperties;
import io.sluice.config.value.InvalidConfigException;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;

/**
 * Refuses {@code kafka.properties} of which some have no effect: Kafka's clients would ignore them
 * and connect in plain text, or without a login. Its messages name properties, never their values.
 */
public final class PropertyCheck {
  private static final String LOGIN = "sasl.";
  private static final String ENCRYPTION = "ssl.";

  /** Names of brokers alone, as in a server.properties, are not among them. */
  private static final Set<String> KNOWN =
      Stream.of(
              AdminClientConfig.configNames(),
              ProducerConfig.configNames(),
              ConsumerConfig.configNames())
          .flatMap(Set::stream)
          .collect(Collectors.toUnmodifiableSet());

  private PropertyCheck() {}

  /**
   * Unknown names come first: a misspelt {@code security.protocol} leaves all others without
   * effect.
   *
   * @throws InvalidConfigException if a name is unknown to all of Kafka's clients, or its protocol
   *     does not use it
   */
  public static void check(KafkaProperties properties) {
    List<String> unknown = names(properties).filter(name -> !KNOWN.contains(name)).toList();
    if (!unknown.isEmpty()) {
      throw fault("known to Kafka's clients, they do not know " + String.join(", ", unknown));
    }
    List<String> idle = names(properties).filter(name -> isIdle(name, properties)).toList();
    if (!idle.isEmpty()) {
      throw fault(
          "set with security.protocol=%s, without it these have no effect: %s"
              .formatted(protocols(properties), String.join(", ", idle)));
    }
  }

  private static Stream<String> names(KafkaProperties properties) {
    return properties.values().keySet().stream().sorted();
  }

  private static boolean isIdle(String name, KafkaProperties properties) {
    return (name.startsWith(LOGIN) && !properties.hasLogin())
        || (name.startsWith(ENCRYPTION) && !properties.isEncrypted());
  }

  /** The protocols with which all properties have an effect. */
  private static String protocols(KafkaProperties properties) {
    if (names(properties).noneMatch(name -> name.startsWith(LOGIN))) {
      return "SSL or SASL_SSL";
    }
    return names(properties).anyMatch(name -> name.startsWith(ENCRYPTION))
        ? "SASL_SSL"
        : "SASL_PLAINTEXT or SASL_SSL";
  }

  private static InvalidConfigException fault(String expected) {
    return new InvalidConfigException(
        KafkaProperties.KEY, KafkaProperties.KEY + " must be " + expected);
  }
}
