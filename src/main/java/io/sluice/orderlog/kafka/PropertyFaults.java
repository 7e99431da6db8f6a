package io.sluice.orderlog.kafka;

import io.sluice.config.KafkaProperties;
import io.sluice.config.value.InvalidConfigException;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The complaints of Kafka's clients about {@code kafka.properties}, in words that name a property
 * and never its value.
 */
final class PropertyFaults {
  private static final int CAUSES_MAX = 20;

  private PropertyFaults() {}

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
    return new InvalidConfigException(
        KafkaProperties.KEY,
        KafkaProperties.KEY
            + " must be usable by Kafka's clients, they refuse "
            + String.join(", ", suspects));
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
    return chain(failure)
        .map(cause -> String.valueOf(cause.getMessage()).toLowerCase(Locale.ROOT))
        .collect(Collectors.joining(" | "));
  }

  private static Stream<Throwable> chain(Throwable failure) {
    return Stream.iterate(failure, cause -> cause != null, Throwable::getCause).limit(CAUSES_MAX);
  }
}
