package io.sluice.config;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.StringReader;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Properties of Kafka's clients that concern the connection: a map in the file, or text in the form
 * of Java's properties, which is what Kafka's own tools take. The values are secret: neither
 * messages nor {@link #toString} contain them. Only {@code orderlog.kafka} can tell whether Kafka's
 * clients know the names.
 *
 * @param values by name
 */
public record KafkaProperties(Map<String, String> values) {
  public static final String KEY = "kafka.properties";
  public static final KafkaProperties NONE = new KafkaProperties(Map.of());

  /** Sluice itself sets none of these. */
  private static final Pattern ALLOWED = Pattern.compile("(?:security|sasl|ssl)\\.[a-z0-9._-]+");

  /** A name that may be shown; a line that was cut at the wrong place may be part of a secret. */
  private static final Pattern NAME = Pattern.compile("[a-z]+(?:[._-][a-z0-9]+)*");

  private static final String KEY_STORE = "ssl.keystore.";

  private static final int PROPERTIES_MAX = 100;

  public KafkaProperties {
    values = Map.copyOf(values);
    if (values.size() > PROPERTIES_MAX) {
      throw fault("at most " + PROPERTIES_MAX + " properties");
    }
    values.keySet().forEach(KafkaProperties::checkName);
  }

  private static void checkName(String name) {
    if (!ALLOWED.matcher(name).matches()) {
      throw fault(
          "properties whose names begin with security., sasl. or ssl., "
              + shown(name)
              + " does not");
    }
  }

  static KafkaProperties parse(@Nullable Object raw) {
    if (raw instanceof JsonObject map) {
      return ofMap(map);
    }
    if (raw instanceof String text) {
      return ofText(text);
    }
    throw fault("a map from names to values");
  }

  private static KafkaProperties ofMap(JsonObject map) {
    Map<String, String> values = new TreeMap<>();
    for (Map.Entry<String, Object> property : map) {
      Object value = property.getValue();
      checkName(property.getKey());
      if (!(value instanceof String || value instanceof Number || value instanceof Boolean)) {
        throw fault("a map from names to texts, that of " + property.getKey() + " is none");
      }
      values.put(property.getKey(), value.toString());
    }
    return new KafkaProperties(values);
  }

  private static KafkaProperties ofText(String text) {
    Properties read = new Properties();
    try {
      read.load(new StringReader(text));
    } catch (IOException | IllegalArgumentException malformed) {
      throw fault("name=value lines in the form of Java's properties");
    }
    Map<String, String> values = new TreeMap<>();
    read.stringPropertyNames().forEach(name -> values.put(name, read.getProperty(name)));
    return new KafkaProperties(values);
  }

  /** Whether the protocol encrypts, so that {@code ssl.*} has an effect. */
  public boolean isEncrypted() {
    return protocol().equals("SSL") || protocol().equals("SASL_SSL");
  }

  /** Whether the protocol has a login, so that {@code sasl.*} has an effect. */
  public boolean hasLogin() {
    return protocol().equals("SASL_PLAINTEXT") || protocol().equals("SASL_SSL");
  }

  /** Whether the clients show a certificate of their own, which the brokers take for a login. */
  boolean hasCertificate() {
    return isEncrypted()
        && (values.containsKey(KEY_STORE + "location") || values.containsKey(KEY_STORE + "key"));
  }

  /** Whether a broker's certificate must be for its host name, if the protocol encrypts. */
  boolean verifiesHostNames() {
    String algorithm = values.get("ssl.endpoint.identification.algorithm");
    return algorithm == null || !algorithm.trim().isEmpty();
  }

  /** As Kafka's clients read it: trimmed, in any case, and plain text if nothing is set. */
  private String protocol() {
    return values.getOrDefault("security.protocol", "PLAINTEXT").trim().toUpperCase(Locale.ROOT);
  }

  private static String shown(String name) {
    return NAME.matcher(name).matches() ? name : "one of them";
  }

  private static InvalidConfigException fault(String expected) {
    return new InvalidConfigException(KEY, KEY + " must be " + expected);
  }

  /** Only the names. */
  @Override
  public String toString() {
    return values.isEmpty() ? "{}" : String.join(", ", new TreeMap<>(values).keySet()) + " (***)";
  }
}
