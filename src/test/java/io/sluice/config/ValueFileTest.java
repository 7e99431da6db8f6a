package io.sluice.config;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Values that a variable with _FILE behind its name points to. */
class ValueFileTest {
  private static final String TOKEN = "a-token-of-16-or-more";
  private static final String VARIABLE = "SLUICE_AUTH_SERVICE_TOKEN_FILE";

  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource({"''", "'\n'", "'\r\n'"})
  void shouldDropTheLinesEnd(String end) throws IOException {
    // when
    Config config = Configs.of(Map.of(VARIABLE, file(TOKEN + end)));

    // then
    assertThat(config.auth().serviceToken()).isEqualTo(TOKEN);
  }

  @Test
  void shouldDropOneLinesEndOnly() throws IOException {
    // when
    Config config =
        Configs.of(Map.of("SLUICE_AUTH_TOKEN_SECRET_FILE", file("\na secret of 16 \n\n")));

    // then
    assertThat(config.auth().tokenSecret()).isEqualTo("\na secret of 16 \n");
  }

  @Test
  void shouldReadAnyKey() throws IOException {
    // given
    Map<String, String> environment =
        Map.of(
            "SLUICE_HTTP_PORT_FILE", file("9090\n"),
            "SLUICE_REDIS_MODE_FILE", file("standalone\n"),
            "SLUICE_REDIS_URI_FILE", file("redis://:pass@redis:6380\n"),
            "SLUICE_AUTH_TRUSTED_PROXIES_FILE", file("10.0.0.1\n"),
            "SLUICE_ADMIN_TOKENS_FILE", file("alice:reader:" + TOKEN + "\n"));

    // when
    Config config = Configs.of(environment);

    // then
    assertThat(config.http().port()).isEqualTo(9090);
    assertThat(config.redis().uri()).isEqualTo("redis://:pass@redis:6380");
    assertThat(config.auth().trustedProxies()).containsExactly(Cidr.parse("10.0.0.1"));
    assertThat(config.admin().tokens()).hasToString("[alice (reader)]");
  }

  @Test
  void shouldPreferItToTheFile() throws IOException {
    // given
    Settings settings =
        new Settings(
            new HashMap<>(Map.of("http.port", 1)), Map.of("SLUICE_HTTP_PORT_FILE", file("2")));

    // when
    Config config = Config.read(settings);

    // then
    assertThat(config.http().port()).isEqualTo(2);
    assertThat(settings.warnings()).isEmpty();
  }

  @Test
  void shouldRefuseBothByName() throws IOException {
    // given
    Map<String, String> both = Map.of(VARIABLE, file(TOKEN), "SLUICE_AUTH_SERVICE_TOKEN", TOKEN);

    // when
    InvalidConfigException fault = fault(both);

    // then
    assertThat(fault)
        .hasMessage(
            "auth.service_token must be set by one of SLUICE_AUTH_SERVICE_TOKEN and"
                + " SLUICE_AUTH_SERVICE_TOKEN_FILE, not both");
  }

  @Test
  void shouldRefuseAFileThatCannotBeRead() {
    // given: the last one is what somebody sets who takes the variable for the secret
    List<String> paths =
        List.of("", directory.resolve("missing").toString(), directory.toString(), "\0", TOKEN);

    // when
    List<InvalidConfigException> faults =
        paths.stream().map(path -> fault(Map.of(VARIABLE, path))).toList();

    // then
    assertThat(faults)
        .extracting(Throwable::getMessage)
        .containsOnly(
            "auth.service_token must be in a file that can be read (the file that "
                + VARIABLE
                + " names)");
  }

  @Test
  void shouldRefuseAFileThatIsTooLarge() throws IOException {
    // given
    String largest = file("x".repeat(64 * 1024));
    String larger = file("x".repeat(64 * 1024 + 1));

    // when
    Config config = Configs.of(Map.of("SLUICE_AUTH_TOKEN_SECRET_FILE", largest));
    InvalidConfigException fault = fault(Map.of("SLUICE_AUTH_TOKEN_SECRET_FILE", larger));

    // then
    assertThat(config.auth().tokenSecret()).hasSize(64 * 1024);
    assertThat(fault)
        .hasMessageStartingWith("auth.token_secret must be in a file of at most 65536 bytes")
        .hasMessageContaining("SLUICE_AUTH_TOKEN_SECRET_FILE");
  }

  @Test
  void shouldReadNoMoreOfAFileThanItMayHold() {
    // when: it has no end
    InvalidConfigException fault = fault(Map.of(VARIABLE, "/dev/zero"));

    // then
    assertThat(fault).hasMessageContaining("65536 bytes");
  }

  @Test
  void shouldRefuseAFileThatIsNoText() throws IOException {
    // given
    Path file = directory.resolve("latin");
    Files.write(file, "hidden-\u00e4".getBytes(ISO_8859_1));

    // when
    InvalidConfigException fault = fault(Map.of("SLUICE_AUTH_TOKEN_SECRET_FILE", file.toString()));

    // then
    assertThat(fault)
        .hasMessageStartingWith("auth.token_secret must be in a file of UTF-8 text")
        .hasMessageNotContaining("hidden");
  }

  @ParameterizedTest
  @CsvSource({
    "SLUICE_AUTH_SERVICE_TOKEN_FILE,auth.service_token must be empty or what a bearer token",
    "SLUICE_ADMIN_TOKENS_FILE,admin.tokens must be name:role:token",
    "SLUICE_AUTH_TRUSTED_PROXIES_FILE,auth.trusted_proxies must be ranges",
    "SLUICE_REDIS_URI_FILE,redis.uri must be a URI",
    "SLUICE_HTTP_PORT_FILE,http.port must be a whole number in 0..65535",
    "SLUICE_REDIS_MODE_FILE,redis.mode must be standalone",
    "SLUICE_KAFKA_LAG_ACTION_FILE,kafka.lag_action must be busy or direct",
  })
  void shouldNeverTellWhatIsInIt(String variable, String expectation) throws IOException {
    // when
    InvalidConfigException fault = fault(Map.of(variable, file("hid den")));

    // then
    assertThat(fault)
        .hasMessageStartingWith(expectation)
        .hasMessageEndingWith("(the file that " + variable + " names)")
        .hasMessageNotContaining("hid");
  }

  @Test
  void shouldWarnWhenThereIsNoSuchKey() throws IOException {
    // given
    Settings settings =
        new Settings(Map.of(), Map.of("SLUICE_HTTP_PROT_FILE", file("1"), "SLUICE_FILE", "x"));

    // when
    Config.read(settings);

    // then
    assertThat(settings.warnings())
        .containsExactly(
            "SLUICE_FILE is not a variable of the configuration",
            "SLUICE_HTTP_PROT_FILE is not a variable of the configuration");
  }

  private static InvalidConfigException fault(Map<String, String> environment) {
    return catchThrowableOfType(InvalidConfigException.class, () -> Configs.of(environment));
  }

  private String file(String content) throws IOException {
    Path file = Files.createTempFile(directory, "value", "");
    return Files.write(file, content.getBytes(UTF_8)).toString();
  }
}
