package io.sluice.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.config.Config;
import io.sluice.config.ConfigLoader;
import io.sluice.config.UnsafeDefaults;
import io.sluice.testkit.server.DockerServers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The trial on one machine, {@code conf/compose/}, agrees with the service and with itself. */
class ComposeFileTest {
  private static final Pattern SERVER = Pattern.compile("server +([a-z0-9-]+:\\d+);");
  private static final Pattern LISTEN = Pattern.compile("listen +(\\d+);");
  private static final Pattern BEARER = Pattern.compile("Bearer ([a-z-]+-of-a-trial)");
  private static final Pattern LOGIN = Pattern.compile("-u ([a-z]+):");
  private static final String DASHBOARDS = "/var/lib/grafana/dashboards";

  private final ComposeFile compose = ComposeFile.read();
  private final String nginx = YamlFiles.text(ComposeFile.FOLDER.resolve("nginx.conf"));
  private final Map<String, Object> prometheus =
      YamlFiles.one(ComposeFile.FOLDER.resolve("prometheus.yml"));

  @Test
  void shouldConfigureEveryInstanceWithKeysThatExist() {
    // when
    List<ConfigLoader.Loaded> loaded =
        compose.instances().keySet().stream()
            .map(name -> ConfigLoader.load(null, compose.environment(name)))
            .toList();

    // then
    assertThat(loaded).hasSize(2).allMatch(each -> each.warnings().isEmpty());
    loaded.forEach(each -> UnsafeDefaults.refuse(each.config()));
  }

  @Test
  void shouldNameTheStoresThatItStarts() {
    // when
    Config config = config();

    // then
    assertThat(config.redis().uri()).isEqualTo("redis://redis:6379");
    assertThat(compose.service("redis").get("command").toString()).contains("noeviction");
    assertThat("PLAINTEXT://" + config.kafka().bootstrapServers())
        .isEqualTo(compose.environment("kafka").get("KAFKA_ADVERTISED_LISTENERS"));
    assertThat(config.mysql().server().host()).isIn(compose.services().keySet());
    assertThat(compose.mountedFiles())
        .anyMatch(
            mount ->
                mount[0].equals("../ledger.sql")
                    && mount[1].startsWith("/docker-entrypoint-initdb.d/"));
    assertThat(compose.service("redis").get("image")).isEqualTo("redis:7");
    assertThat(compose.service("mysql").get("image")).isEqualTo("mysql:8.4");
    assertThat(compose.service("kafka").get("image")).isEqualTo(DockerServers.kafkaImage());
  }

  @Test
  void shouldTrustNobodyButItsGateway() {
    // when
    Object address = YamlFiles.at(compose.service("nginx"), "networks", "front", "ipv4_address");

    // then
    assertThat(config().auth().trustedProxies()).hasToString("[" + address + "]");
    assertThat(compose.publishedPorts())
        .isNotEmpty()
        .allMatch(port -> port.startsWith("127.0.0.1:"));
    assertThat(YamlFiles.at(compose.content(), "networks", "back", "internal")).isEqualTo(true);
    assertThat(
            Stream.of("redis", "kafka", "mysql")
                .map(store -> compose.service(store).get("networks")))
        .containsOnly(List.of("back"));
  }

  @Test
  void shouldReachTheInstancesAtThePortsOfTheImage() {
    // given
    Config config = config();
    Set<String> exposed =
        Stream.of(YamlFiles.inDockerfile("EXPOSE ").split(" ")).collect(Collectors.toSet());

    // when
    List<String> upstream = found(SERVER, nginx);
    Object targets = YamlFiles.at(prometheus, "scrape_configs", 0, "static_configs", 0, "targets");

    // then
    assertThat(exposed)
        .containsExactlyInAnyOrder(
            String.valueOf(config.http().port()), String.valueOf(config.admin().port()));
    assertThat(upstream).containsExactlyElementsOf(instancesAt(config.http().port()));
    assertThat(targets).isEqualTo(instancesAt(config.admin().port()));
    assertThat(found(LISTEN, nginx))
        .allMatch(
            port ->
                ((List<?>) compose.service("nginx").get("ports"))
                    .contains("127.0.0.1:%s:%s".formatted(port, port)));
    assertThat(compose.instances().values())
        .extracting(instance -> ((List<?>) instance.get("ports")).get(0).toString())
        .allMatch(port -> port.endsWith(":" + config.admin().port()));
  }

  @Test
  void shouldBuildTheImageOfTheRepository() {
    // when
    Set<Object> builds =
        compose.instances().values().stream()
            .map(instance -> YamlFiles.at(instance, "build", "context"))
            .collect(Collectors.toSet());

    // then
    assertThat(builds).containsExactly("../..");
    assertThat(inFolder("../..").resolve("Dockerfile")).exists();
    assertThat(YamlFiles.inDockerfile("COPY ")).startsWith("target/sluice.jar ");
  }

  @Test
  void shouldMountOnlyWhatIsThere() {
    assertThat(compose.mountedFiles())
        .isNotEmpty()
        .allMatch(mount -> Files.exists(inFolder(mount[0])))
        .allMatch(mount -> mount[2].equals("ro"));
  }

  @Test
  void shouldScrapeWithATokenThatMayDoNothingElse() {
    // given
    Object token = YamlFiles.at(prometheus, "scrape_configs", 0, "authorization", "credentials");

    // when
    String operators = compose.environment("sluice-1").get("SLUICE_ADMIN_TOKENS");

    // then
    assertThat(operators.split(";")).contains("prometheus:metrics:" + token);
    assertThat(YamlFiles.at(prometheus, "scrape_configs", 0, "job_name")).isEqualTo("sluice");
    assertThat(prometheus.get("rule_files")).isEqualTo(List.of("sluice.yml"));
  }

  @Test
  void shouldShowOurDashboardsOfItsPrometheus() {
    // given
    Path folder = ComposeFile.FOLDER.resolve("grafana");

    // when
    Object source =
        YamlFiles.at(YamlFiles.one(folder.resolve("datasources.yaml")), "datasources", 0);
    Object provider =
        YamlFiles.at(YamlFiles.one(folder.resolve("dashboards.yaml")), "providers", 0);

    // then
    assertThat(YamlFiles.at(source, "type")).isEqualTo("prometheus");
    assertThat(YamlFiles.at(source, "isDefault")).isEqualTo(true);
    assertThat(YamlFiles.at(source, "url")).isEqualTo("http://prometheus:9090");
    assertThat(YamlFiles.at(provider, "options", "path")).isEqualTo(DASHBOARDS);
    assertThat(compose.mountedFiles())
        .anyMatch(mount -> mount[0].equals("../grafana") && mount[1].equals(DASHBOARDS));
  }

  @Test
  void shouldShowOnThePageWhatIsShipped() {
    // given
    Stream<String> statements =
        YamlFiles.text(Path.of("conf", "ledger.sql"))
            .lines()
            .filter(line -> !line.startsWith("--"));
    String gateway = YamlFiles.text(ComposeFile.FOLDER.resolve("buyers"));

    // when
    String page = YamlFiles.text(Path.of("docs", "deploy.md"));

    // then
    assertThat(statements).isNotEmpty().allMatch(page::contains);
    assertThat(found(BEARER, page)).isNotEmpty().allMatch(isSecretOfAnInstance());
    assertThat(found(LOGIN, page)).isNotEmpty().allMatch(gateway::contains);
  }

  private Predicate<String> isSecretOfAnInstance() {
    Map<String, String> set = compose.environment("sluice-1");
    return token -> set.values().stream().anyMatch(value -> value.contains(token));
  }

  private Config config() {
    return ConfigLoader.load(null, compose.environment("sluice-1")).config();
  }

  private List<String> instancesAt(int port) {
    return compose.instances().keySet().stream().map(name -> name + ":" + port).toList();
  }

  private static Path inFolder(String file) {
    return ComposeFile.FOLDER.resolve(file).normalize();
  }

  private static List<String> found(Pattern pattern, String text) {
    return pattern.matcher(text).results().map((MatchResult match) -> match.group(1)).toList();
  }
}
