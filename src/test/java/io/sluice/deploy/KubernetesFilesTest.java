package io.sluice.deploy;

import static io.sluice.deploy.YamlFiles.at;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.config.Config;
import io.sluice.config.ConfigLoader;
import io.sluice.config.UnsafeDefaults;
import io.sluice.testkit.tls.Certificates;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The manifests in {@code conf/kubernetes/} agree with Kubernetes' API, the image, the service. */
class KubernetesFilesTest {
  private static final Path FOLDER = Path.of("conf", "kubernetes");
  private static final String SECRETS = "/run/secrets/sluice/";
  private static final String COMPONENT = "app.kubernetes.io/component";

  /** How long an instance takes to end, at most (docs/deploy.md). */
  private static final int END_S = 10;

  @TempDir Path folder;

  private final Map<String, Object> kustomization =
      YamlFiles.one(FOLDER.resolve("kustomization.yaml"));
  private final List<Map<String, Object>> objects =
      resources().flatMap(file -> YamlFiles.all(FOLDER.resolve(file)).stream()).toList();
  private final Object pod = at(object("Deployment", "sluice"), "spec", "template", "spec");
  private final Object container = at(pod, "containers", 0);

  @Test
  void shouldHaveOnlyFieldsThatTheApiKnows() {
    assertThat(objects).hasSizeGreaterThan(5).flatMap(KubernetesTypes::faults).isEmpty();
  }

  @Test
  void shouldFindWhatTheApiWouldDropOrRefuse() {
    // given
    Map<String, Object> service = new HashMap<>(object("Service", "sluice"));
    service.put("spec", Map.of("selectr", Map.of(), "ports", List.of(Map.of("port", "8080"))));

    // when
    List<String> faults = KubernetesTypes.faults(service);

    // then
    assertThat(faults)
        .containsExactlyInAnyOrder(
            "v1 Service.spec.selectr does not exist",
            "v1 Service.spec.ports[].port must be Integer, but is 8080");
  }

  @Test
  void shouldListEachFile() {
    // given
    Stream<String> configured = Stream.of("kustomization.yaml", "sluice.yaml");

    // when
    List<String> there = names();

    // then
    assertThat(there)
        .containsExactlyInAnyOrderElementsOf(Stream.concat(configured, resources()).toList());
  }

  /** TLS ends at the gateway, and the network policy guards what is behind. */
  @Test
  void shouldConfigureAnInstanceThatIsSafe() throws IOException {
    // given
    Certificates authority = Certificates.foundedIn(folder.resolve("authority"), "the authority");
    Path file =
        Files.writeString(
            folder.resolve("sluice.yaml"),
            YamlFiles.text(FOLDER.resolve("sluice.yaml"))
                .replace(SECRETS + "ca.crt", authority.ca().toString()));
    Map<String, String> contents =
        Map.of(
            "service-token", "the-word-of-the-office",
            "admin-tokens", "anne:operator:the-word-of-anne",
            "redis-uri", "rediss://sluice:secret@redis.stores:6379",
            "kafka-properties", "security.protocol=SASL_SSL",
            "mysql-uri", "mysql://sluice:secret@mysql.stores:3306/sluice");
    Map<String, String> environment = new TreeMap<>(variables());
    environment.replaceAll((name, path) -> written(contents.get(path.replace(SECRETS, ""))));

    // when
    ConfigLoader.Loaded loaded = ConfigLoader.load(file, environment);

    // then
    assertThat(variables().values()).allMatch(path -> path.startsWith(SECRETS));
    assertThat(loaded.warnings()).isEmpty();
    UnsafeDefaults.refuse(loaded.config());
    assertThat(UnsafeDefaults.of(loaded.config()))
        .extracting(UnsafeDefaults.Left::key)
        .containsExactlyInAnyOrder("http.tls.cert_file", "admin.tls.cert_file");
    assertThat(loaded.config().http().instances())
        .hasToString(at(container, "resources", "limits", "cpu").toString());
  }

  @Test
  void shouldProbeAndServeThePortsOfTheService() {
    // given
    Config config = Config.defaults();
    Map<Object, Object> ports =
        Map.of("http", config.http().port(), "admin", config.admin().port());

    // when
    Map<Object, Object> declared =
        ((List<?>) at(container, "ports"))
            .stream().collect(Collectors.toMap(p -> at(p, "name"), p -> at(p, "containerPort")));

    // then
    assertThat(declared).isEqualTo(ports);
    assertThat(Stream.of("startupProbe", "livenessProbe").map(this::probe)).containsOnly("/livez");
    assertThat(probe("readinessProbe")).isEqualTo("/readyz");
    for (String service : List.of("sluice", "sluice-admin")) {
      Object port = at(object("Service", service), "spec", "ports", 0);
      assertThat(at(port, "port")).isEqualTo(ports.get(at(port, "targetPort")));
    }
    Object scraped = at(object("ServiceMonitor", "sluice"), "spec");
    assertThat(at(scraped, "endpoints", 0, "port")).isEqualTo("admin");
    assertThat(at(scraped, "endpoints", 0, "path")).isEqualTo("/metrics");
    assertThat(at(scraped, "selector", "matchLabels", COMPONENT))
        .isEqualTo(at(object("Service", "sluice-admin"), "metadata", "labels", COMPONENT));
  }

  @Test
  void shouldSelectThePodsOfTheDeployment() {
    // given
    Object deployment = at(object("Deployment", "sluice"), "spec");
    Object labels = at(deployment, "template", "metadata", "labels");

    // when
    Stream<Object> selectors =
        Stream.of(
            at(deployment, "selector", "matchLabels"),
            at(object("Service", "sluice"), "spec", "selector"),
            at(object("Service", "sluice-admin"), "spec", "selector"),
            at(object("PodDisruptionBudget", "sluice"), "spec", "selector", "matchLabels"),
            at(object("NetworkPolicy", "sluice"), "spec", "podSelector", "matchLabels"));

    // then
    assertThat(selectors).containsOnly(labels);
    assertThat(at(kustomization, "labels", 0, "includeSelectors")).isEqualTo(true);
  }

  @Test
  void shouldRunAsTheUserOfTheImageWithNoMoreThanItNeeds() {
    // when
    String user = YamlFiles.inDockerfile("USER ");

    // then
    assertThat(at(pod, "securityContext", "runAsUser")).hasToString(user);
    assertThat(at(pod, "securityContext", "runAsNonRoot")).isEqualTo(true);
    assertThat(at(pod, "securityContext", "seccompProfile", "type")).isEqualTo("RuntimeDefault");
    assertThat(at(container, "securityContext", "readOnlyRootFilesystem")).isEqualTo(true);
    assertThat(at(container, "securityContext", "allowPrivilegeEscalation")).isEqualTo(false);
    assertThat(at(container, "securityContext", "capabilities", "drop")).isEqualTo(List.of("ALL"));
    assertThat(at(container, "resources", "limits", "memory")).isEqualTo("512Mi");
    assertThat(mounts()).contains("/tmp", "/dev/shm", "/etc/sluice", "/run/secrets/sluice");
    assertThat(at(pod, "enableServiceLinks")).isEqualTo(false);
  }

  @Test
  void shouldGiveAnInstanceTheTimeToEnd() {
    // when
    List<?> waits = (List<?>) at(container, "lifecycle", "preStop", "exec", "command");
    int graceS = (Integer) at(pod, "terminationGracePeriodSeconds");

    // then
    assertThat(waits.get(0)).isEqualTo("sleep");
    assertThat(graceS).isGreaterThan(Integer.parseInt(waits.get(1).toString()) + END_S);
  }

  private Object probe(String name) {
    assertThat(at(container, name, "httpGet", "port")).isEqualTo("admin");
    return at(container, name, "httpGet", "path");
  }

  private List<Object> mounts() {
    return ((List<?>) at(container, "volumeMounts"))
        .stream().map(mount -> at(mount, "mountPath")).toList();
  }

  private Map<String, String> variables() {
    return ((List<?>) at(container, "env"))
        .stream()
            .collect(
                Collectors.toMap(
                    entry -> (String) at(entry, "name"), entry -> (String) at(entry, "value")));
  }

  private Stream<String> resources() {
    return ((List<?>) kustomization.get("resources")).stream().map(String::valueOf);
  }

  private Map<String, Object> object(String kind, String name) {
    return objects.stream()
        .filter(object -> object.get("kind").equals(kind))
        .filter(object -> name.equals(at(object, "metadata", "name")))
        .findFirst()
        .orElseThrow();
  }

  private static List<String> names() {
    try (Stream<Path> files = Files.list(FOLDER)) {
      return files.map(file -> file.getFileName().toString()).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String written(String content) {
    try {
      return Files.writeString(Files.createTempFile(folder, "secret", ""), content).toString();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
