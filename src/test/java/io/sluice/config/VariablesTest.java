package io.sluice.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An image has one file, and variables that cannot be taken away but can be empty: each mode is
 * reached from each other by variables alone.
 */
class VariablesTest {
  private static final Path SHIPPED = Path.of("conf/sluice.yaml");
  private static final String CLUSTER_FILE =
      "redis: {mode: cluster, uris: [\"redis://a\", \"redis://b\"]}\n";
  private static final String SENTINEL_FILE =
      "redis: {mode: sentinel, uris: [\"redis://a:26379\"], master: sluice}\n";
  private static final String ALONE_FILE = "redis: {uri: \"\"}\nkafka: {bootstrap_servers: \"\"}\n";
  private static final String OTHER_FILE = "redis: {uri: \"redis://another:6379\"}\n";

  private static final String KAFKA = "KAFKA_BOOTSTRAP_SERVERS=kafka:9092";

  @TempDir Path directory;

  private static Config with(Path file, String variables) throws Exception {
    return ConfigLoader.load(file, Configs.variables(variables)).config();
  }

  private List<Path> files() throws IOException {
    int at = 0;
    List<Path> files = new ArrayList<>(List.of(SHIPPED));
    for (String text : List.of(CLUSTER_FILE, SENTINEL_FILE, ALONE_FILE, OTHER_FILE)) {
      files.add(Files.writeString(directory.resolve("file-" + at++ + ".yaml"), text));
    }
    return files;
  }

  @Test
  void shouldReachEachModeOfRedisFromEachFileByVariablesAlone() throws Exception {
    for (Path file : files()) {
      // when
      Config cluster =
          with(
              file,
              "REDIS_MODE=cluster;REDIS_URI=;REDIS_URIS=redis://c,redis://d;REDIS_MASTER=;"
                  + KAFKA);
      Config sentinel =
          with(file, "REDIS_MODE=sentinel;REDIS_URI=;REDIS_URIS=redis://s;REDIS_MASTER=m;" + KAFKA);
      Config standalone =
          with(
              file, "REDIS_MODE=standalone;REDIS_URI=redis://e;REDIS_URIS=;REDIS_MASTER=;" + KAFKA);
      Config alone =
          with(
              file,
              "REDIS_MODE=standalone;REDIS_URI=;REDIS_URIS=;REDIS_MASTER=;KAFKA_BOOTSTRAP_SERVERS=");

      // then
      assertThat(cluster.redis().isCluster()).as("%s", file).isTrue();
      assertThat(cluster.redis().servers()).hasSize(2);
      assertThat(sentinel.redis().hasSentinels()).as("%s", file).isTrue();
      assertThat(standalone.redis().servers()).as("%s", file).hasSize(1);
      assertThat(alone.isLedgerAlone()).as("%s", file).isTrue();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "admin: {token: \"a-token-of-an-operator\"}|ADMIN_TOKEN",
        "admin: {tokens: {olga: {role: operator, token: \"a-token-of-an-operator\"}}}|ADMIN_TOKENS",
        "auth: {service_token: \"a-token-of-the-shop\"}|AUTH_SERVICE_TOKEN",
        "auth: {jwt_secret: \"0123456789abcdef0123456789abcdef\"}|AUTH_JWT_SECRET",
        "auth: {token_secret: \"0123456789abcdef0123456789abcdef\"}|AUTH_TOKEN_SECRET",
        "kafka: {properties: {security.protocol: SSL}}|KAFKA_PROPERTIES",
        "tracing: {endpoint: \"http://collector:4318\"}|TRACING_ENDPOINT",
        "tracing: {endpoint: \"http://collector:4318\", authorization:"
            + " a}|TRACING_ENDPOINT=;TRACING_AUTHORIZATION",
        "tracing: {link: \"http://traces/{trace_id}\"}|TRACING_LINK",
        "auth: {mode: jwt, jwt_secret: \"0123456789abcdef0123456789abcdef\", issuer: i, audience:"
            + " shop}|AUTH_MODE=header;AUTH_ISSUER=;AUTH_AUDIENCE=;AUTH_JWT_SECRET",
      })
  void shouldClearAKeyThatMayBeEmptyWhenItsVariableIsEmpty(String text, String variable)
      throws Exception {
    // given
    Path file = Configs.file(directory, text);

    // when
    Config config = with(file, variable + "=");

    // then
    assertThat(config).isEqualTo(Config.defaults());
  }

  @ParameterizedTest
  @ValueSource(strings = {"HTTP_PORT", "REDIS_MODE", "LOG_FORMAT", "MYSQL_URI", "KAFKA_GROUP"})
  void shouldRefuseAnEmptyVariableOfAKeyThatMayNotBeEmpty(String variable) {
    // when
    Throwable fault = catchThrowable(() -> with(SHIPPED, variable + "="));

    // then
    assertThat(fault).isInstanceOf(InvalidConfigException.class);
    assertThat(fault).hasStackTraceContaining("SLUICE_" + variable);
  }

  @Test
  void shouldTakeTheOtherOfAVariableAndItsFileWhenOneIsEmpty() throws Exception {
    // given
    Path secret = Files.writeString(directory.resolve("uri"), "redis://of-file\n");

    // when
    Config ofFile = with(SHIPPED, "REDIS_URI=;REDIS_URI_FILE=" + secret);
    Config ofVariable = with(SHIPPED, "REDIS_URI=redis://of-variable;REDIS_URI_FILE=");

    // then
    assertThat(ofFile.redis().uri()).isEqualTo("redis://of-file");
    assertThat(ofVariable.redis().uri()).isEqualTo("redis://of-variable");
  }
}
