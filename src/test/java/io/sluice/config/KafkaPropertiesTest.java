package io.sluice.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.vertx.core.json.JsonObject;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KafkaPropertiesTest {
  @Test
  void shouldReadTextAsKafkasOwnToolsDoWhenItComesFromTheEnvironment() {
    // given
    String text =
        "# of the cluster\n"
            + "security.protocol=SASL_SSL\n\n"
            + "sasl.jaas.config=a required \\\n"
            + "  password=\"p=1\";\n";

    // when
    KafkaProperties unit = KafkaProperties.parse(text);

    // then
    assertThat(unit.values())
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "security.protocol", "SASL_SSL",
                "sasl.jaas.config", "a required password=\"p=1\";"));
  }

  @Test
  void shouldTakeNumbersAndFlagsAsTextWhenTheyComeFromTheFile() {
    // given
    JsonObject map =
        new JsonObject()
            .put("ssl.protocol", "TLSv1.3")
            .put("sasl.login.refresh.window.factor", 0.8)
            .put("sasl.oauthbearer.header.urlencode", true);

    // when
    KafkaProperties unit = KafkaProperties.parse(map);

    // then
    assertThat(unit.values())
        .containsEntry("sasl.login.refresh.window.factor", "0.8")
        .containsEntry("sasl.oauthbearer.header.urlencode", "true");
  }

  @Test
  void shouldShowOnlyTheNamesWhenPrinted() {
    // given
    KafkaProperties unit = new KafkaProperties(Map.of("ssl.key.password", "hidden"));

    // when
    String shown = unit.toString();

    // then
    assertThat(shown).isEqualTo("ssl.key.password (***)");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "acks=1|acks does not",
        "bootstrap.servers=hidden:1|bootstrap.servers does not",
        "max.block.ms=7|max.block.ms does not",
        "SSL.KEY=hidden|one of them does not",
        "MIIhiddenhiddenhidden|one of them does not",
        "ssl=hidden|ssl does not",
        "ssl.a=\\uZZZZhidden|lines in the form of Java's properties",
      })
  void shouldNameThePropertyAndNotItsValueWhenItIsNotOfTheConnection(String text, String named) {
    // when
    InvalidConfigException fault =
        catchThrowableOfType(InvalidConfigException.class, () -> KafkaProperties.parse(text));

    // then
    assertThat(fault.key()).isEqualTo("kafka.properties");
    assertThat(fault.getMessage()).contains(named).doesNotContain("hidden");
  }

  @Test
  void shouldNameThePropertyWhenItsValueIsNoText() {
    // given
    JsonObject map = new JsonObject().put("ssl.truststore", new JsonObject().put("x", "hidden"));

    // when
    InvalidConfigException fault =
        catchThrowableOfType(InvalidConfigException.class, () -> KafkaProperties.parse(map));

    // then
    assertThat(fault.getMessage()).contains("ssl.truststore is none").doesNotContain("hidden");
  }
}
