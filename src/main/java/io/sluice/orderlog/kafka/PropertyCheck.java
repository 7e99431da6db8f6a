package io.sluice.orderlog.kafka;

import io.sluice.config.InvalidConfigException;
import io.sluice.config.KafkaProperties;
import io.sluice.config.TlsFiles;
import io.sluice.monitor.ConnectFault;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.SslConfigs;
import org.apache.kafka.common.config.types.Password;
import org.apache.kafka.common.security.ssl.DefaultSslEngineFactory;
import org.jspecify.annotations.Nullable;

/**
 * Refuses {@code kafka.properties} of which some have no effect, with which Kafka's clients would
 * connect in plain text or without a login, and those that the clients or the brokers cannot use.
 * Its messages name properties, never their values.
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
      throw fault("be known to Kafka's clients, they do not know " + String.join(", ", unknown));
    }
    List<String> idle = names(properties).filter(name -> isIdle(name, properties)).toList();
    if (!idle.isEmpty()) {
      throw fault(
          "be set with security.protocol=%s, without it these have no effect: %s"
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

  /**
   * Refuses a key of another certificate, if the clients show one to the brokers: they take it, and
   * the brokers end each handshake with it. Reads the key store as the clients do, so it blocks;
   * fails as they do if it cannot be read.
   *
   * @param settings of a client
   * @throws InvalidConfigException if a key does not belong to its certificate
   */
  static void certificate(KafkaProperties properties, Map<String, Object> settings) {
    AdminClientConfig parsed = new AdminClientConfig(settings);
    if (!properties.isEncrypted()
        || parsed.getClass(SslConfigs.SSL_ENGINE_FACTORY_CLASS_CONFIG) != null) {
      return;
    }
    DefaultSslEngineFactory stores = new DefaultSslEngineFactory();
    stores.configure(parsed.values());
    KeyStore own = stores.keystore();
    if (own != null && !holdsPairs(own, password(parsed))) {
      throw fault(
          "hold a certificate with its own key, these do not belong together: "
              + names(properties)
                  .filter(name -> name.startsWith("ssl.keystore."))
                  .collect(Collectors.joining(", ")));
    }
  }

  /** Of the key, which is the store's if it has none of its own. */
  private static char @Nullable [] password(AdminClientConfig parsed) {
    Password ofKey = parsed.getPassword(SslConfigs.SSL_KEY_PASSWORD_CONFIG);
    Password password =
        ofKey == null ? parsed.getPassword(SslConfigs.SSL_KEYSTORE_PASSWORD_CONFIG) : ofKey;
    return password == null ? null : password.value().toCharArray();
  }

  private static boolean holdsPairs(KeyStore store, char @Nullable [] password) {
    try {
      for (String alias : Collections.list(store.aliases())) {
        if (store.isKeyEntry(alias)
            && store.getKey(alias, password) instanceof PrivateKey key
            && store.getCertificate(alias) instanceof X509Certificate certificate
            && TlsFiles.TYPES.contains(certificate.getPublicKey().getAlgorithm())
            && !TlsFiles.isPair(key, certificate)) {
          return false;
        }
      }
      return true;
    } catch (GeneralSecurityException unreadable) {
      // The clients read it as well, and say which properties they cannot use.
      return true;
    }
  }

  /**
   * The complaints of the clients about properties that they cannot be built with; values are not
   * repeated.
   */
  static InvalidConfigException unusable(KafkaProperties properties, RuntimeException failure) {
    String all = messages(failure);
    Set<String> named =
        properties.values().keySet().stream()
            .filter(
                name ->
                    all.contains(name) || (all.contains("jaas") && name.endsWith("jaas.config")))
            .collect(Collectors.toCollection(TreeSet::new));
    Set<String> suspects = named.isEmpty() ? suspects(properties, all) : named;
    return fault("be usable by Kafka's clients, they refuse " + String.join(", ", suspects));
  }

  /** Errors of stores name the store, not the property. */
  private static Set<String> suspects(KafkaProperties properties, String all) {
    Set<String> names = new TreeSet<>(properties.values().keySet());
    Set<String> stores = new TreeSet<>(names);
    stores.removeIf(name -> !name.startsWith("ssl.") || !name.contains("store"));
    boolean ofStore = all.contains("store") || all.contains("pem") || all.contains("certificate");
    return ofStore && !stores.isEmpty() ? stores : names;
  }

  private static String messages(Throwable failure) {
    return ConnectFault.chain(failure).stream()
        .map(cause -> String.valueOf(cause.getMessage()).toLowerCase(Locale.ROOT))
        .collect(Collectors.joining(" | "));
  }

  private static InvalidConfigException fault(String expected) {
    return new InvalidConfigException(
        KafkaProperties.KEY, KafkaProperties.KEY + " must " + expected);
  }
}
