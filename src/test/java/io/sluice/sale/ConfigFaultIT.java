package io.sluice.sale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.site.SaleSite;
import io.sluice.testkit.site.SluiceProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An invalid configuration stops the start with exit code 2 and one line that names the key. */
class ConfigFaultIT {
  @RegisterExtension static final SaleSite site = SaleSite.withInstances(1).withFaults();

  private static final Duration LIMIT = Duration.ofSeconds(30);

  @TempDir static Path folder;

  @ParameterizedTest
  @CsvSource({
    "SLUICE_HTTP_PORT, eighty, http.port",
    "SLUICE_AUTH_SERVICE_TOKEN_FILE, missing, SLUICE_AUTH_SERVICE_TOKEN_FILE",
    "SLUICE_KAFKA_PROPERTIES, sasl.jaas.config=hidden, sasl.jaas.config",
  })
  void shouldStopWhenAValueIsBad(String variable, String value, String key) {
    // given
    SluiceProcess instance = site.newInstance(Map.of(variable, value));

    // when
    SluiceProcess.Exit exit = instance.start().awaitExit();

    // then
    assertThat(exit.code()).isEqualTo(2);
    assertOneLine(instance, key);
  }

  @Test
  void shouldStopWhenTheFileHasAnUnknownKey() throws IOException {
    // given
    SluiceProcess instance =
        site.newInstance(Map.of()).configuredBy(file("http: {port: 8080, prot: 1}\n"));

    // when
    SluiceProcess.Exit exit = instance.start().awaitExit();

    // then
    assertThat(exit.code()).isEqualTo(2);
    assertOneLine(instance, "http.prot");
  }

  @Test
  void shouldStopWhenTheFileIsNoYaml() throws IOException {
    // given
    SluiceProcess instance = site.newInstance(Map.of()).configuredBy(file("http: {port: [8080\n"));

    // when
    SluiceProcess.Exit exit = instance.start().awaitExit();

    // then
    assertThat(exit.code()).isEqualTo(2);
    assertOneLine(instance, "sluice.yaml");
  }

  @Test
  void shouldStopWhenThereIsNoFile() {
    // given
    SluiceProcess instance =
        site.newInstance(Map.of()).configuredBy(folder.resolve("missing.yaml"));

    // when
    SluiceProcess.Exit exit = instance.start().awaitExit();

    // then
    assertThat(exit.code()).isEqualTo(2);
    assertOneLine(instance, "missing.yaml");
  }

  @Test
  void shouldStopWhenThePartitionCountIsNotTheLedgers() {
    // given
    SluiceProcess instance = site.newInstance(Map.of("SLUICE_KAFKA_PARTITIONS", "7"));

    // when
    SluiceProcess.Exit exit = instance.start().awaitExit();

    // then
    assertThat(exit.code()).isEqualTo(2);
    assertThat(instance.log())
        .contains("7")
        .contains(String.valueOf(site.partitions()))
        .doesNotContain("\tat ");
  }

  @Test
  void shouldStopWhenTheGroupIsNotTheLedgers() {
    // given
    SluiceProcess instance = site.newInstance(Map.of("SLUICE_KAFKA_GROUP", "another-group"));

    // when
    SluiceProcess.Exit exit = instance.start().awaitExit();

    // then
    assertThat(exit.code()).isEqualTo(2);
    assertThat(instance.log())
        .contains("kafka.group " + site.group())
        .contains("another-group")
        .doesNotContain("\tat ");
  }

  @Test
  void shouldStopWhenTheTokenSecretIsNotTheLedgers() {
    // given
    SluiceProcess instance =
        site.newInstance(Map.of("SLUICE_AUTH_TOKEN_SECRET", "another secret than the one drawn"));

    // when
    SluiceProcess.Exit exit = instance.start().awaitExit();

    // then
    assertThat(exit.code()).isEqualTo(2);
    assertThat(instance.log())
        .contains("auth.token_secret")
        .doesNotContain("another secret")
        .doesNotContain("\tat ");
  }

  @Test
  void shouldWarnWhenAVariableIsUnknown() {
    // given
    SluiceProcess instance = site.newInstance(Map.of("SLUICE_HTTP_PROT", "1"));

    // when
    instance.start().awaitReady();

    // then
    await().atMost(LIMIT).until(() -> instance.log().contains("SLUICE_HTTP_PROT"));
    assertThat(instance.terminate().code()).isZero();
  }

  private static Path file(String yaml) throws IOException {
    return Files.writeString(folder.resolve("sluice.yaml"), yaml);
  }

  private static void assertOneLine(SluiceProcess instance, String word) {
    List<String> lines = instance.log().lines().filter(line -> !line.isBlank()).toList();
    assertThat(lines).hasSize(1);
    assertThat(lines.get(0)).contains(word);
  }
}
