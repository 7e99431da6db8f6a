package io.sluice.orderlog.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.config.KafkaProperties;
import io.sluice.config.value.InvalidConfigException;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class PropertyFaultsTest {

  static Stream<Arguments> unusable() {
    return Stream.of(
        Arguments.of(Map.of("security.protocol", "HIDDEN"), "they refuse security.protocol"),
        Arguments.of(
            Map.of(
                "security.protocol", "SASL_SSL",
                "sasl.mechanism", "SCRAM-SHA-512",
                "sasl.jaas.config", "hidden hidden hidden"),
            "they refuse sasl.jaas.config"),
        Arguments.of(
            Map.of(
                "security.protocol", "SSL",
                "ssl.truststore.type", "PEM",
                "ssl.truststore.location", "/hidden/ca.pem"),
            "they refuse ssl.truststore.location, ssl.truststore.type"));
  }

  @ParameterizedTest
  @MethodSource("unusable")
  void shouldNameThePropertyAndNotItsValueWhenNoClientCanBeBuiltWithIt(
      Map<String, String> values, String named) {
    // given
    KafkaProperties properties = new KafkaProperties(values);
    KafkaException failure = catchThrowableOfType(KafkaException.class, () -> connect(values));

    // when
    InvalidConfigException fault = PropertyCheck.unusable(properties, failure);

    // then
    assertThat(fault.getMessage()).endsWith(named).doesNotContainIgnoringCase("hidden");
  }

  private static void connect(Map<String, String> values) {
    Map<String, Object> settings = new HashMap<>(values);
    settings.put("bootstrap.servers", "127.0.0.1:1");
    Admin.create(settings).close();
  }
}
