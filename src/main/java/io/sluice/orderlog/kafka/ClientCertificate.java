package io.sluice.orderlog.kafka;

import io.sluice.config.KafkaProperties;
import io.sluice.config.value.InvalidConfigException;
import io.sluice.config.value.KeyProof;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Collections;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.config.SslConfigs;
import org.apache.kafka.common.config.types.Password;
import org.apache.kafka.common.security.ssl.DefaultSslEngineFactory;
import org.jspecify.annotations.Nullable;

/**
 * Checks the certificate that Kafka's clients show to the brokers, if {@code kafka.properties} has
 * one. The clients take a key of another certificate, and the brokers end each handshake with it.
 */
final class ClientCertificate {
  private ClientCertificate() {}

  /**
   * Reads the key store as the clients do, so it blocks; fails as they do if it cannot be read.
   *
   * @param settings of a client
   * @throws InvalidConfigException if a key does not belong to its certificate
   */
  static void check(KafkaProperties properties, Map<String, Object> settings) {
    AdminClientConfig parsed = new AdminClientConfig(settings);
    if (!properties.isEncrypted()
        || parsed.getClass(SslConfigs.SSL_ENGINE_FACTORY_CLASS_CONFIG) != null) {
      return;
    }
    DefaultSslEngineFactory stores = new DefaultSslEngineFactory();
    stores.configure(parsed.values());
    KeyStore own = stores.keystore();
    if (own != null && !holdsPairs(own, password(parsed))) {
      throw new InvalidConfigException(
          KafkaProperties.KEY,
          KafkaProperties.KEY
              + " must hold a certificate with its own key, these do not belong together: "
              + names(properties).collect(Collectors.joining(", ")));
    }
  }

  private static Stream<String> names(KafkaProperties properties) {
    return properties.values().keySet().stream()
        .filter(name -> name.startsWith("ssl.keystore."))
        .sorted();
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
            && KeyProof.TYPES.contains(certificate.getPublicKey().getAlgorithm())
            && !KeyProof.isPair(key, certificate)) {
          return false;
        }
      }
      return true;
    } catch (GeneralSecurityException unreadable) {
      // The clients read it as well, and say which properties they cannot use.
      return true;
    }
  }
}
