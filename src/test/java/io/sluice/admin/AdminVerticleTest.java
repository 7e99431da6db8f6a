package io.sluice.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.config.AdminConfig;
import io.sluice.config.Config.HttpConfig;
import io.sluice.config.TlsFiles;
import io.sluice.testkit.tls.Certificates;
import io.sluice.testkit.tls.Certificates.Issued;
import io.sluice.web.HttpProbe.Answer;
import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The management port: what it answers before the service is ready, and who may call it. */
class AdminVerticleTest {
  private static final String TOKEN = "the-operators-token";

  /** A request must arrive within a second. */
  private static final HttpConfig HASTY =
      new HttpConfig("127.0.0.1", 0, 1, 100, 100, 0, 1, 0, 16_384, TlsFiles.NONE);

  @Test
  void shouldBeAliveWhenNothingElseIs() {
    // given
    try (AdminPortFixture fixture = new AdminPortFixture("")) {

      // when
      Answer answer = fixture.probe.get("/livez");

      // then
      assertThat(answer.status()).isEqualTo(200);
    }
  }

  @Test
  void shouldBeReadyWhenAllPartsAre() {
    // given
    try (AdminPortFixture fixture = new AdminPortFixture("")) {
      fixture.readiness.report("mysql", true, "answers");
      fixture.readiness.report("redis", true, "answers");

      // when
      Answer ready = fixture.probe.get("/readyz");
      fixture.readiness.report("redis", false, "does not answer");
      Answer lost = fixture.probe.get("/readyz");

      // then
      assertThat(ready.status()).isEqualTo(200);
      assertThat(ready.json().getBoolean("ready")).isTrue();
      assertThat(lost.status()).isEqualTo(503);
    }
  }

  @Test
  void shouldCloseAConnectionWhenItsHandshakeTakesLongerThanARequestMay(@TempDir Path folder)
      throws IOException {
    // given
    Issued issued = Certificates.foundedIn(folder, "the authority").issue("port", "127.0.0.1");
    TlsFiles tls = new TlsFiles(issued.certificate().toString(), issued.key().toString());
    try (AdminPortFixture fixture =
            new AdminPortFixture(new AdminConfig("127.0.0.1", 0, TOKEN, List.of(), tls), HASTY);
        Socket silent = fixture.connection()) {
      silent.setSoTimeout(5_000);

      // when
      int received = silent.getInputStream().read();

      // then
      assertThat(received).isEqualTo(-1);
    }
  }

  @Test
  void shouldShowMetricsWhenScraped() {
    // given
    try (AdminPortFixture fixture = new AdminPortFixture("")) {
      fixture.probe.get("/livez");

      // when
      Answer answer = fixture.probe.get("/metrics");

      // then
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.header("content-type")).startsWith("text/plain; version=0.0.4");
      assertThat(answer.text())
          .contains("sluice_http_requests_total{call=\"livez\",outcome=\"ok\"} 1.0");
    }
  }

  @Test
  void shouldAnswer503WhenOperatorsComeTooEarly() {
    // given
    try (AdminPortFixture fixture = new AdminPortFixture("")) {

      // when
      Answer early = fixture.probe.get("/admin/skus");
      fixture.serving();
      Answer later = fixture.probe.get("/admin/skus");

      // then
      assertThat(early.problem()).isEqualTo("unavailable");
      assertThat(early.header("retry-after")).isNotNull();
      assertThat(later.status()).isEqualTo(200);
    }
  }

  @Test
  void shouldAnswerProbesWithoutATokenWhenOneIsConfigured() {
    // given
    try (AdminPortFixture fixture = new AdminPortFixture(TOKEN).serving()) {

      // when
      Answer alive = fixture.probe.get("/livez");
      Answer ready = fixture.probe.get("/readyz");
      Answer skus = fixture.probe.get("/admin/skus", "Authorization", "Bearer " + TOKEN);

      // then
      assertThat(alive.status()).isEqualTo(200);
      assertThat(ready.status()).isEqualTo(503);
      assertThat(skus.status()).isEqualTo(200);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "POST,/livez,405,'GET, HEAD, OPTIONS'",
    "POST,/admin/skus,405,'GET, HEAD, OPTIONS'",
    "DELETE,/admin/skus/1/open,405,'POST, OPTIONS'",
    "GET,/admin/skus/1/restock,405,'POST, OPTIONS'",
    "PUT,/admin/skus/1/open,405,'POST, OPTIONS'",
    "GET,/admin/reconcile,405,'POST, OPTIONS'",
    "POST,/admin/drift,405,'GET, HEAD, OPTIONS'",
    "GET,/admin/partitions/1/reset,405,'POST, OPTIONS'",
    "GET,/admin,404,",
    "GET,/admin/skus/1/sell,404,",
    "GET,/v1/orders/x,404,",
  })
  void shouldAnswerItsProblemWhenThereIsNoSuchCall(
      String method, String path, int status, String allow) {
    // given
    try (AdminPortFixture fixture = new AdminPortFixture(TOKEN).serving()) {

      // when: the caller is not authorized either, but 404 and 405 come first
      Answer answer = fixture.probe.send(method, path, BodyPublishers.noBody());

      // then
      assertThat(answer.problem()).isEqualTo(status == 404 ? "not-found" : "method-not-allowed");
      assertThat(answer.header("allow")).isEqualTo(allow);
    }
  }
}
