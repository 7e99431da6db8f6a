package io.sluice.sale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.register.Moves;
import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.sluice.testkit.site.SluiceProcess;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** An instance as a process: SIGTERM during a stampede, and the image's health check. */
class ProcessIT {
  @RegisterExtension static final SaleSite site = SaleSite.withInstances(1).withFaults();

  private static final Buyer ALICE = Buyer.named("alice");
  private static final int UNITS = 1_000_000;
  private static final int WAITING = 4;
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final String ADDRESS_FILE = "/dev/shm/sluice-admin";

  @TempDir static Path folder;

  @Test
  @Moves({
    "sluice_http_connections",
    "sluice_http_long_polls",
    "sluice_http_requests_in_flight",
    "sluice_log_in_flight"
  })
  void shouldAnswerWhoIsWaitingAndLeaveNoStackTraceWhenTerminatedInAStampede() {
    // given
    SluiceProcess instance = site.instance(0);
    Sale sale = site.sale().withStock(UNITS).open();
    String token = sale.order(ALICE).token();
    await().atMost(LIMIT).until(() -> sale.status(ALICE, token).brief().equals("200 PENDING"));
    List<Future<Answer>> waiting =
        IntStream.range(0, WAITING)
            .mapToObj(i -> sale.statusChanging(ALICE, token, LIMIT))
            .toList();
    await().atMost(LIMIT).until(() -> MetricsPage.value(site, "sluice_http_long_polls") >= WAITING);
    int said = instance.log().length();

    try (Knockers knockers = new Knockers(instance, sale.skuId())) {
      await().atMost(LIMIT).until(() -> knockers.yeses().size() > 1_000);

      // when
      SluiceProcess.Exit exit = instance.terminate();

      // then
      assertThat(exit.code()).isZero();
      assertThat(waiting).extracting(answer -> answer.await().brief()).containsOnly("200 PENDING");
      assertThat(instance.log().substring(said)).doesNotContain("Exception", "ServerBootstrap");
      instance.start().awaitReady();
      assertThat(knockers.answers())
          .allMatch(Knockers::isWhole)
          .allMatch(answer -> answer.matches("(?s)HTTP/1\\.1 (201|503) .*"));
      knockers.close();
      await()
          .atMost(LIMIT)
          .until(
              () ->
                  sale.tokens("PENDING").collect(Collectors.toSet()).containsAll(knockers.yeses()));
    }
  }

  @Test
  void shouldBeHealthyAsLongAsItRunsWhenItsManagementPortIsAnyFreeOne() throws IOException {
    // given
    Path address = folder.resolve("admin");
    SluiceProcess instance =
        site.newInstance(Map.of("SLUICE_ADMIN_PORT", "0"))
            .withArguments("--address-file", address.toString());

    // when
    boolean before = isHealthy(address);
    instance.start();

    // then
    assertThat(before).isFalse();
    await().atMost(LIMIT).until(() -> isHealthy(address));
    instance.kill();
    assertThat(isHealthy(address)).isFalse();
  }

  @Test
  void shouldLogEachEventAsAnObjectWhenAskedTo() {
    // given
    SluiceProcess instance =
        site.newInstance(Map.of("SLUICE_LOG_FORMAT", "json", "SLUICE_NO_SUCH_KEY", "1"));

    // when
    instance.start().awaitReady();
    instance.terminate();

    // then
    List<JsonObject> lines = instance.log().lines().map(JsonObject::new).toList();
    assertThat(lines)
        .extracting(line -> line.getString("level") + " " + line.getString("event"))
        .contains("WARN unknown-variable", "INFO setting", "INFO redis-connected");
    assertThat(instance.log()).contains("SLUICE_NO_SUCH_KEY");
  }

  @Test
  void shouldReadInTheImageWhatTheServiceWritesThere() throws IOException {
    // when
    List<String> check = wordsAfter("CMD ");
    List<String> start = wordsAfter("ENTRYPOINT ");

    // then
    assertThat(check.get(2)).contains("< " + ADDRESS_FILE + " ");
    assertThat(start).containsSequence("--address-file", ADDRESS_FILE);
  }

  /** Runs the image's own health check, with the address in a file of this test. */
  private static boolean isHealthy(Path address) throws IOException {
    List<String> check =
        wordsAfter("CMD ").stream()
            .map(word -> word.replace(ADDRESS_FILE, address.toString()))
            .toList();
    Process process =
        new ProcessBuilder(check)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    return process.onExit().thenApply(Process::exitValue).join() == 0;
  }

  private static List<String> wordsAfter(String instruction) throws IOException {
    return Files.readAllLines(Path.of("Dockerfile")).stream()
        .map(String::strip)
        .filter(line -> line.startsWith(instruction))
        .findFirst()
        .map(line -> new JsonArray(line.substring(instruction.length())))
        .orElseThrow()
        .stream()
        .map(String.class::cast)
        .toList();
  }
}
