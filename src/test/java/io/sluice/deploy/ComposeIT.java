package io.sluice.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.testkit.process.ChildProgram;
import io.sluice.testkit.process.Executables;
import io.sluice.testkit.process.FreePort;
import io.sluice.testkit.process.Watchdog;
import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Call;
import io.sluice.testkit.site.HttpCaller;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What reads the files of the trial, where this machine has it: Docker's Compose, and nginx. */
class ComposeIT {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private static final Path HERE = Path.of("").toAbsolutePath();
  private static final String LOGIN = "Authorization";
  private static final String OFFICE = "Bearer the-back-office";
  private static final String ALICE =
      "Basic " + Base64.getEncoder().encodeToString("alice:alice".getBytes(StandardCharsets.UTF_8));

  @TempDir Path folder;

  @Test
  void shouldBeUnderstoodByDockerCompose() {
    // given
    Optional<List<String>> client =
        Stream.of(List.of("docker", "compose"), List.of("docker-compose"))
            .filter(this::answers)
            .findFirst();
    assumeTrue(
        client.isPresent(),
        "Expected docker compose to read conf/compose/compose.yaml, but this machine has none");
    List<String> command = new ArrayList<>(client.orElseThrow());
    command.addAll(List.of("-f", ComposeFile.FILE.toString(), "config", "--quiet"));

    // when
    ChildProgram asked = ChildProgram.in(HERE, "compose-config", LIMIT);
    int code = asked.exitCode("docker compose does not run", command);

    // then
    assertThat(code).as("%s", asked.tail()).isZero();
  }

  /** A buyer is who logged in, and nobody else can be claimed on either port. */
  @Test
  void shouldReplaceWhatCallersSayAboutThemselvesWhenNginxIsInFront() throws Exception {
    // given
    Optional<Path> nginx = nginx();
    assumeTrue(
        nginx.isPresent(),
        "Expected nginx to read conf/compose/nginx.conf, but this machine has none");
    Vertx vertx = Vertx.vertx();
    HttpServer instance =
        vertx
            .createHttpServer()
            .requestHandler(ComposeIT::tellHeaders)
            .listen(0, "127.0.0.1")
            .await(LIMIT.toSeconds(), TimeUnit.SECONDS);
    int buyers = FreePort.next();
    int office = FreePort.next();
    Path file = configuration(instance.actualPort(), buyers, office);
    Process server = run(nginx.orElseThrow(), file);

    // when
    HttpCaller caller = new HttpCaller(vertx);
    Call claim = claiming(buyers, "/v1/orders/x");
    Answer stranger = await().atMost(LIMIT).until(() -> caller.ask(claim), Answer::came);
    JsonObject alice = caller.ask(claim.header(LOGIN, ALICE)).json();
    JsonObject open = caller.ask(claiming(buyers, "/v1/skus/1").header(LOGIN, ALICE)).json();
    JsonObject desk = caller.ask(claiming(office, "/v1/orders/x").header(LOGIN, OFFICE)).json();
    Answer page = caller.ask(claiming(buyers, "/admin/skus/1"));
    server.destroy();
    vertx.close().await(LIMIT.toSeconds(), TimeUnit.SECONDS);

    // then
    assertThat(stranger.status()).isEqualTo(401);
    assertThat(alice.getString("x-user-id")).isEqualTo("alice");
    assertThat(alice.getString("authorization")).isNull();
    assertThat(alice.getString("x-forwarded-for")).isEqualTo("127.0.0.1");
    assertThat(open.getString("x-user-id")).isNull();
    assertThat(open.getString("authorization")).isNull();
    assertThat(desk.getString("x-user-id")).isNull();
    assertThat(desk.getString("authorization")).isEqualTo(OFFICE);
    assertThat(page.status()).isEqualTo(404);
  }

  /** A call of somebody who says that he is another buyer, at another address. */
  private static Call claiming(int port, String path) {
    return Call.get("http://127.0.0.1:" + port + path)
        .header("X-User-Id", "mallory")
        .header("X-Forwarded-For", "10.9.9.9");
  }

  private static void tellHeaders(HttpServerRequest request) {
    JsonObject headers = new JsonObject();
    request
        .headers()
        .forEach(
            header -> headers.put(header.getKey().toLowerCase(Locale.ROOT), header.getValue()));
    request.response().end(headers.encode());
  }

  private boolean answers(List<String> client) {
    if (Executables.find(client.get(0)).isEmpty()) {
      return false;
    }
    List<String> command = new ArrayList<>(client);
    command.add("version");
    return ChildProgram.in(HERE, "compose-version", LIMIT).exitCode("no docker compose", command)
        == 0;
  }

  /** It is in a folder that only root has in its path. */
  private static Optional<Path> nginx() {
    Path installed = Path.of("/usr/sbin/nginx");
    return Executables.find("nginx")
        .or(() -> Optional.of(installed).filter(path -> Files.isExecutable(path)));
  }

  /** Ours on other ports, in front of one instance. */
  private Path configuration(int instance, int buyers, int office) throws IOException {
    String text =
        YamlFiles.text(ComposeFile.FOLDER.resolve("nginx.conf"))
            .replace("server sluice-1:8080;", "server 127.0.0.1:" + instance + ";")
            .replace("server sluice-2:8080;", "")
            .replace("listen 8080;", "listen 127.0.0.1:" + buyers + ";")
            .replace("listen 8090;", "listen 127.0.0.1:" + office + ";")
            .replace("/tmp/nginx.pid", folder.resolve("nginx.pid").toString());
    // Its workers are another user.
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.copy(ComposeFile.FOLDER.resolve("buyers"), folder.resolve("buyers"));
    return Files.writeString(folder.resolve("nginx.conf"), text);
  }

  private Process run(Path nginx, Path file) throws IOException {
    return Watchdog.launch(
        new ProcessBuilder(
                nginx.toString(),
                "-p",
                folder.toString(),
                "-c",
                file.toString(),
                "-g",
                "daemon off;")
            .redirectErrorStream(true)
            .redirectOutput(new File(folder.toFile(), "nginx.log")));
  }
}
