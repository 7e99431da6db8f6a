package io.sluice.sale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.sluice.ledger.Levels;
import io.sluice.ledger.mysql.FoundationTable;
import io.sluice.testkit.site.Release;
import io.sluice.testkit.site.SaleSite;
import io.sluice.testkit.site.SluiceProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** An invalid configuration stops the start with exit code 2 and one line that names the key. */
class ConfigFaultIT {
  @RegisterExtension static final SaleSite site = SaleSite.withInstances(1).withFaults();

  @TempDir static Path folder;

  /** An instance, and what the one line of its log names. */
  static Stream<Arguments> faults() throws IOException {
    return Stream.of(
        arguments(with("SLUICE_HTTP_PORT", "eighty"), "http.port"),
        arguments(
            with("SLUICE_AUTH_SERVICE_TOKEN_FILE", "missing"), "SLUICE_AUTH_SERVICE_TOKEN_FILE"),
        arguments(with("SLUICE_KAFKA_PROPERTIES", "sasl.jaas.config=hidden"), "sasl.jaas.config"),
        arguments(configuredBy("http: {port: 8080, prot: 1}\n", "typo.yaml"), "http.prot"),
        arguments(configuredBy("http: {port: [8080\n", "broken.yaml"), "broken.yaml"),
        arguments(
            site.newInstance(Map.of()).configuredBy(folder.resolve("missing.yaml")),
            "missing.yaml"));
  }

  private static SluiceProcess with(String variable, String value) {
    return site.newInstance(Map.of(variable, value));
  }

  private static SluiceProcess configuredBy(String yaml, String name) throws IOException {
    return site.newInstance(Map.of()).configuredBy(Files.writeString(folder.resolve(name), yaml));
  }

  @ParameterizedTest
  @MethodSource("faults")
  void shouldStopWithOneLineWhenTheConfigurationIsBad(SluiceProcess instance, String word) {
    // when
    SluiceProcess.Exit exit = instance.start().awaitExit();

    // then
    assertThat(exit.code()).isEqualTo(2);
    assertThat(instance.log().lines().filter(line -> !line.isBlank()))
        .singleElement()
        .asString()
        .contains(word);
  }

  /** Named is what is not secret. */
  @ParameterizedTest
  @CsvSource({
    "SLUICE_KAFKA_PARTITIONS, 7, '7 partitions, but it has ', true",
    "SLUICE_KAFKA_GROUP, another-group, kafka.group ledger-, true",
    "SLUICE_AUTH_TOKEN_SECRET, another secret than the one drawn, auth.token_secret, false",
  })
  void shouldStopWhenASettingIsNotTheLedgers(
      String variable, String value, String said, boolean named) {
    // given
    SluiceProcess instance = with(variable, value);

    // when
    SluiceProcess.Exit exit = instance.start().awaitExit();

    // then
    assertThat(exit.code()).isEqualTo(2);
    assertThat(instance.log()).contains(said).doesNotContain("\tat ");
    assertThat(instance.log().contains(value)).isEqualTo(named);
  }

  @Test
  void shouldNotStartOnALedgerOfAHigherLevel() {
    // given
    String higher = ", level " + (Levels.LEVEL + 1);
    SluiceProcess newcomer = site.newInstance(Map.of(), Release.present());
    String before = kept();
    keep(before.replaceFirst(", level .*", "") + higher);

    // when
    int code = newcomer.start().awaitExit().code();

    // then
    keep(before);
    assertThat(code).isEqualTo(2);
    assertThat(newcomer.log()).contains("level " + (Levels.LEVEL + 1));
  }

  private static String kept() {
    return site.ledger()
        .query(
            "SELECT value FROM foundation WHERE name = ?",
            row -> row.getString(0),
            FoundationTable.PARTITIONS)
        .get(0);
  }

  private static void keep(String value) {
    sql("UPDATE foundation SET value = ? WHERE name = ?", value, FoundationTable.PARTITIONS);
  }

  private static void sql(String text, Object... parameters) {
    site.ledger().query(text, row -> row, parameters);
  }
}
