package io.sluice.orderlog.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.config.InvalidConfigException;
import io.sluice.config.KafkaProperties;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class PropertyCheckTest {
  private static final String HAVE_NO_EFFECT = ", without it these have no effect: ";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "security.protocol=PLAINTEXT",
        "security.providers=a.Provider",
        "security.protocol=SSL ssl.truststore.location=f ssl.truststore.type=PEM",
        "security.protocol=SSL ssl.keystore.key=hidden ssl.keystore.certificate.chain=c",
        "security.protocol=SSL ssl.keystore.location=f ssl.keystore.password=hidden"
            + " ssl.key.password=hidden ssl.enabled.protocols=TLSv1.3 ssl.cipher.suites=a",
        "security.protocol=SSL ssl.endpoint.identification.algorithm= ssl.engine.factory.class=a",
        "security.protocol=SASL_PLAINTEXT sasl.mechanism=PLAIN sasl.jaas.config=hidden",
        "security.protocol=sasl_ssl sasl.mechanism=PLAIN ssl.truststore.certificates=c",
        "security.protocol=SASL_SSL sasl.login.callback.handler.class=a sasl.login.class=a"
            + " sasl.login.read.timeout.ms=1 sasl.client.callback.handler.class=a",
        "security.protocol=SASL_SSL sasl.oauthbearer.token.endpoint.url=u"
            + " sasl.oauthbearer.jwks.endpoint.url=u sasl.oauthbearer.scope.claim.name=s",
        "security.protocol=SASL_SSL sasl.kerberos.service.name=kafka",
      })
  void shouldAcceptWhatKafkasClientsKnowAndTheProtocolUses(String given) {
    // when
    Throwable fault = catchThrowable(() -> PropertyCheck.check(properties(given)));

    // then
    assertThat(fault).isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "security.protocl=SASL_SSL|security.protocl",
        "security.protocl=SASL_SSL sasl.jaas.config=hidden|security.protocl",
        "security.protocol=SSL ssl.trustore.location=hidden|ssl.trustore.location",
        "security.protocol=SASL_SSL sasl.jass.config=hidden sasl.a=hidden|sasl.a, sasl.jass.config",
        "security.protocol=SSL ssl.client.auth=hidden|ssl.client.auth",
        "sasl.enabled.mechanisms=hidden|sasl.enabled.mechanisms",
        "security.protocol=SASL_SSL"
            + " sasl.scram-sha-512.jaas.config=hidden|sasl.scram-sha-512.jaas.config",
      })
  void shouldNameThePropertyAndNotItsValueWhenNoClientKnowsIt(String given, String named) {
    // when
    InvalidConfigException fault = fault(given);

    // then
    assertThat(fault.key()).isEqualTo("kafka.properties");
    assertThat(fault)
        .hasMessage("kafka.properties must be known to Kafka's clients, they do not know " + named);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "sasl.jaas.config=hidden|SASL_PLAINTEXT or SASL_SSL|sasl.jaas.config",
        "ssl.key.password=hidden|SSL or SASL_SSL|ssl.key.password",
        "security.protocol=PLAINTEXT sasl.jaas.config=hidden sasl.mechanism=PLAIN|SASL_PLAINTEXT or"
            + " SASL_SSL|sasl.jaas.config, sasl.mechanism",
        "security.protocol=SASL_PLAINTEXT ssl.key.password=hidden|SSL or SASL_SSL|ssl.key.password",
        "security.protocol=SASL_PLAINTEXT sasl.mechanism=PLAIN"
            + " ssl.key.password=hidden|SASL_SSL|ssl.key.password",
        "security.protocol=SSL sasl.jaas.config=hidden"
            + " ssl.key.password=hidden|SASL_SSL|sasl.jaas.config",
        "sasl.jaas.config=hidden ssl.key.password=hidden|SASL_SSL|sasl.jaas.config,"
            + " ssl.key.password",
        "security.protocol=hidden sasl.mechanism=PLAIN|SASL_PLAINTEXT or SASL_SSL|sasl.mechanism",
      })
  void shouldNameTheProtocolsWhenTheOneSetDoesNotUseAProperty(
      String given, String protocols, String named) {
    // when
    InvalidConfigException fault = fault(given);

    // then
    assertThat(fault.key()).isEqualTo("kafka.properties");
    assertThat(fault)
        .hasMessage(
            "kafka.properties must be set with security.protocol="
                + protocols
                + HAVE_NO_EFFECT
                + named);
  }

  @Test
  void shouldReadTheProtocolAsKafkasClientsDo() {
    // given
    KafkaProperties spaced =
        new KafkaProperties(Map.of("security.protocol", " Sasl_Ssl ", "sasl.mechanism", "PLAIN"));

    // when
    Throwable fault = catchThrowable(() -> PropertyCheck.check(spaced));

    // then
    assertThat(fault).isNull();
  }

  private static InvalidConfigException fault(String given) {
    return catchThrowableOfType(
        InvalidConfigException.class, () -> PropertyCheck.check(properties(given)));
  }

  /** Reads {@code name=value name=value}. */
  private static KafkaProperties properties(String given) {
    return new KafkaProperties(
        Arrays.stream(given.split(" ", -1))
            .filter(pair -> !pair.isEmpty())
            .map(pair -> pair.split("=", 2))
            .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1])));
  }

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
