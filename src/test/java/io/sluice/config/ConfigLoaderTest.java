package io.sluice.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the file and the environment may contain, and how an invalid value is reported. */
class ConfigLoaderTest {
  private static final Path SHIPPED = Path.of("conf/sluice.yaml");

  @TempDir Path directory;

  @Test
  void shouldLoadDefaultsWhenThereIsNoFile() throws Exception {
    // given
    Map<String, String> environment = Map.of("LANG", "C");

    // when
    ConfigLoader.Loaded loaded = ConfigLoader.load(null, environment);

    // then
    assertThat(loaded.config()).isEqualTo(Config.defaults());
    assertThat(loaded.warnings()).isEmpty();
  }

  @Test
  void shouldEqualTheDefaultsWhenTheShippedFileIsLoaded() throws Exception {
    // when
    ConfigLoader.Loaded loaded = ConfigLoader.load(SHIPPED, Map.of());

    // then
    assertThat(loaded.config()).isEqualTo(Config.defaults());
  }

  @Test
  void shouldShowEveryKeyOfTheRecordsWhenTheShippedFileIsRead() throws Exception {
    // given
    List<String> keys =
        Config.defaults().lines().stream().map(line -> line.replaceFirst(" = .*", "")).toList();

    // when
    List<String> shipped = keysOf(Files.readAllLines(SHIPPED));

    // then
    assertThat(shipped).containsExactlyElementsOf(keys);
  }

  @Test
  void shouldPreferTheEnvironmentWhenBothNameAKey() throws Exception {
    // given
    Path file = Configs.file(directory, "http: {port: 1}\nkafka: {group: from-file}");
    Map<String, String> environment =
        Map.of(
            "SLUICE_HTTP_PORT", "0",
            "SLUICE_REDIS_URI", "rediss://:pass@redis.example:6380/2",
            "SLUICE_KAFKA_BOOTSTRAP_SERVERS", "a:1,[::1]:65535",
            "SLUICE_MYSQL_URI", "mariadb://u:p@db/sluice",
            "SLUICE_REDIS_MODE", "standalone");

    // when
    Config config = ConfigLoader.load(file, environment).config();

    // then
    assertThat(config.http().port()).isZero();
    assertThat(config.redis().uri()).isEqualTo("rediss://:pass@redis.example:6380/2");
    assertThat(config.kafka().bootstrapServers()).isEqualTo("a:1,[::1]:65535");
    assertThat(config.kafka().group()).isEqualTo("from-file");
    assertThat(config.mysql().uri()).isEqualTo("mariadb://u:p@db/sluice");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "# nothing\n", "http:\n", "http: {}\n", "http: {port: \"8080\"}\n"})
  void shouldLoadDefaultsWhenTheFileSaysNothingElse(String content) throws Exception {
    // given
    Path file = Configs.file(directory, content);

    // when
    Config config = ConfigLoader.load(file, Map.of()).config();

    // then
    assertThat(config).isEqualTo(Config.defaults());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "http: {port: abc}|http.port|http.port must be a whole number in 0..65535, was \"abc\"",
        "http: {port: 65536}|http.port|http.port must be a whole number in 0..65535, was 65536",
        "http: {port: -1}|http.port|in 0..65535, was -1",
        "http: {port: 80.5}|http.port|in 0..65535, was 80.5",
        "http: {port: 99999999999}|http.port|in 0..65535, was 99999999999",
        "http: {port: }|http.port|in 0..65535, was null",
        "http: {port: true}|http.port|in 0..65535, was true",
        "http: {port: [1]}|http.port|in 0..65535, was",
        "http: {host: \"\"}|http.host|must be an address or a host name",
        "http: {host: 127}|http.host|must be text (in quotes), was 127",
        "http: {instances: 257}|http.instances|in 0..256",
        "http: {queue_max: 0}|http.queue_max|in 1..1000000",
        "http: {prot: 8080}|http.prot|http.prot is not a key of the configuration",
        "htpp: {port: 8080}|htpp.port|htpp.port is not a key of the configuration",
        "htpp: |htpp|htpp is not a key of the configuration",
        "http: 8080|http|http must be a section of keys",
        "admin: {port: 8080, host: 0.0.0.0}|admin.port|must differ from http.port",
        "admin: {token: \"a b\"}|admin.token|what a bearer token may hold",
        "admin: {token: 1234}|admin.token|must be text (in quotes)",
        "auth: {mode: jwt}|auth.mode|auth.mode must not be jwt without one of auth.jwt_secret",
        "auth: {mode: none}|auth.mode|must be header or jwt, was \"none\"",
        "auth: {user_header: \"a b\"}|auth.user_header|must be the name of a header",
        "auth: {service_token: \"ä\"}|auth.service_token|what a bearer token may hold",
        "redis: {uri: \"http://localhost\"}|redis.uri|must be a URI like redis://",
        "redis: {uri: \"redis://\"}|redis.uri|must be a URI like redis://",
        "redis: {uri: \"redis://host:70000\"}|redis.uri|must be a URI like redis://",
        "redis: {cluster: false}|redis.cluster|must be taken out: redis.mode has taken its place",
        "redis: {uris: 26379}|redis.uris|must be text (in quotes)",
        "redis: {timeout_ms: 0}|redis.timeout_ms|in 1..60000",
        "kafka: {bootstrap_servers: localhost}|kafka.bootstrap_servers|a list like",
        "kafka: {bootstrap_servers: \"a:1,\"}|kafka.bootstrap_servers|a list like",
        "kafka: {bootstrap_servers: \"\"}|redis.uri|must both be set, or both be empty",
        "reservation: {payment_window_s: -1}|reservation.payment_window_s|in 0..2592000",
        "kafka: {orders_topic: \"a b\"}|kafka.orders_topic|a topic name",
        "kafka: {orders_topic: \"..\"}|kafka.orders_topic|a topic name",
        "kafka: {events_topic: seckill-orders}|kafka.events_topic|must differ from",
        "kafka: {partitions: 0}|kafka.partitions|in 1..1024",
        "kafka: {replication_factor: -1}|kafka.replication_factor|in 0..15",
        "kafka: {group: \"\"}|kafka.group|a group name",
        "kafka: {request_timeout_ms: 1501}|kafka.request_timeout_ms|at most"
            + " kafka.delivery_timeout_ms (1500), was 1501",
        "kafka: {max_block_ms: 1501}|kafka.max_block_ms|at most kafka.delivery_timeout_ms (1500),"
            + " was 1501",
        "kafka: {delivery_timeout_ms: 2000}|reservation.grant_deadline_ms|more than"
            + " kafka.delivery_timeout_ms (2000), was 2000",
        "kafka: {lag_limit: 0}|kafka.lag_limit|in 1..100000000",
        "kafka: {lag_action: drop}|kafka.lag_action|must be busy or direct, was \"drop\"",
        "mysql: {uri: \"mysql://127.0.0.1/sluice\"}|mysql.uri|must be a URI like mysql://",
        "mysql: {uri: \"mysql://u:p@127.0.0.1\"}|mysql.uri|must be a URI like mysql://",
        "mysql: {uri: \"jdbc:mysql://u:p@h/d\"}|mysql.uri|must be a URI like mysql://",
        "mysql: {pool_size: 0}|mysql.pool_size|in 1..1000",
        "mysql: {timeout_ms: 0}|mysql.timeout_ms|in 1..600000",
        "mysql: {writers: 0}|mysql.writers|in 1..16",
        "mysql: {writers: 5}|mysql.writers|less than the connections of owners (5), was 5",
        "reservation: {payment_window_s: 2592001}|reservation.payment_window_s|in 0..2592000",
        "reservation: {grant_deadline_ms: 1500}|reservation.grant_deadline_ms|more than"
            + " kafka.delivery_timeout_ms (1500), was 1500",
        "reservation: {sweep_after_ms: 2000}|reservation.sweep_after_ms|more than"
            + " reservation.grant_deadline_ms (2000), was 2000",
        "reservation: {timeout_scan_ms: 9}|reservation.timeout_scan_ms|in 10..3600000",
        "reservation: {command_wait_ms: 30001}|reservation.command_wait_ms|in 0..30000",
        "reconcile: {interval_ms: 99}|reconcile.interval_ms|in 100..86400000",
        "redis: {uri: \"redis://h?ssl=true\"}|redis.uri|must not have the parameter ssl: use"
            + " rediss:// and redis.ca_file",
        "redis: {uri: \"redis://h?password=x\"}|redis.uri|the parameter password: use"
            + " user:password@ before the host",
        "redis: {uri: \"redis://h?db=1\"}|redis.uri|the parameter db: it takes only client",
        "redis: {uri: \"redis://h?a%20b=1\"}|redis.uri|the parameter that it has",
        "redis: {ca_file: ca.pem}|redis.ca_file|must be empty or a PEM file that can be read",
        "mysql: {uri: \"mysql://u:p@h/d?sslMode=REQUIRED\"}|mysql.uri|must not have the parameter"
            + " sslMode: use mysql.tls and mysql.ca_file",
        "mysql: {uri: \"mysql://u:p@h/d?a=1&useSSL=true\"}|mysql.uri|the parameter a: it takes"
            + " none",
        "mysql: {tls: preferred}|mysql.tls|must be disabled, required or verify, was \"preferred\"",
        "mysql: {ca_file: pom.xml}|mysql.ca_file|must be empty or a PEM file with certificates",
        "webhooks: {ca_file: ca.pem}|webhooks.ca_file|must be empty or a PEM file that can be read",
        "webhooks: {ca_file: pom.xml}|webhooks.ca_file|must be empty or a PEM file with"
            + " certificates",
      })
  void shouldNameTheKeyWhenTheFileIsWrong(String content, String key, String sentence) {
    // when
    InvalidConfigException fault = Configs.fault(directory, content);

    // then
    assertThat(fault.key()).isEqualTo(key);
    assertThat(fault).hasMessageContaining(sentence).hasMessageStartingWith(key);
  }

  @ParameterizedTest
  @ValueSource(strings = {"http: {port", "- a\n- b", "just text", "http: {port: 1}\n bad"})
  void shouldNameTheFileWhenItIsNotYaml(String content) {
    // when
    InvalidConfigException fault = Configs.fault(directory, content);

    // then
    assertThat(fault.key()).isEqualTo(directory.resolve("sluice.yaml").toString());
    assertThat(fault)
        .hasMessageContaining("must be a YAML file that can be read")
        .hasMessageNotContaining("\n");
  }

  @Test
  void shouldNameTheFileWhenItIsMissing() {
    // given
    Path file = directory.resolve("missing.yaml");

    // when
    Throwable fault = catchThrowable(() -> ConfigLoader.load(file, Map.of()));

    // then
    assertThat(fault)
        .isInstanceOf(InvalidConfigException.class)
        .hasMessageStartingWith(file.toString());
  }

  @Test
  void shouldNameTheVariableTooWhenTheEnvironmentIsWrong() {
    // given
    Map<String, String> environment = Map.of("SLUICE_HTTP_PORT", "abc");

    // when
    Throwable fault = catchThrowable(() -> ConfigLoader.load(null, environment));

    // then
    assertThat(fault)
        .isInstanceOf(InvalidConfigException.class)
        .hasMessage("http.port must be a whole number in 0..65535, was \"abc\" (SLUICE_HTTP_PORT)");
  }

  @Test
  void shouldWarnWhenAVariableOnlyLooksLikeOurs() throws Exception {
    // given
    Map<String, String> environment =
        Map.of(
            "SLUICE_HTTP_PROT", "1",
            "SLUICE_CONFIG", "conf/sluice.yaml",
            "SLUICE_TEST_REDIS_URI", "redis://localhost",
            "OTHER", "2");

    // when
    List<String> warnings = ConfigLoader.load(null, environment).warnings();

    // then
    assertThat(warnings).containsExactly("SLUICE_HTTP_PROT is not a variable of the configuration");
  }

  private static List<String> keysOf(List<String> yaml) {
    List<String> keys = new ArrayList<>();
    String[] path = new String[3];
    for (String line : yaml) {
      String name = line.replaceFirst(":.*", "").strip();
      int depth = (line.length() - line.stripLeading().length()) / 2;
      if (!line.isBlank() && !name.startsWith("#")) {
        path[depth] = name;
        if (!line.matches(" *\\w+:(\\s+#.*)?")) {
          keys.add(String.join(".", Arrays.asList(path).subList(0, depth + 1)));
        }
      }
    }
    return keys;
  }
}
