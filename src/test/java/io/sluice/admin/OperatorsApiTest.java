package io.sluice.admin;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.sluice.LogCapture;
import io.sluice.config.AdminConfig;
import io.sluice.config.OperatorToken;
import io.sluice.config.OperatorToken.Role;
import io.sluice.config.TlsFiles;
import io.sluice.ledger.SkuLedger.ChangeResult;
import io.sluice.web.HttpProbe.Answer;
import io.vertx.core.Future;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who an operator is, what it may do, and what is noted of it. */
class OperatorsApiTest {
  private static final String ADMIN = "the-admin-token-1";
  private static final String ALICE = "the-alice-token-1";
  private static final String ALICE_NEW = "the-alice-token-2";
  private static final String BOB = "the-bob-token-001";
  private static final AdminConfig OPERATORS =
      new AdminConfig(
          "127.0.0.1",
          0,
          ADMIN,
          List.of(
              new OperatorToken("alice", Role.OPERATOR, List.of(ALICE, ALICE_NEW)),
              new OperatorToken("bob", Role.READER, List.of(BOB))),
          TlsFiles.NONE);

  @ParameterizedTest
  @CsvSource({
    "GET,/admin/skus/1,the-bob-token-001,404",
    "GET,/admin/drift,the-bob-token-001,200",
    "GET,/metrics,the-bob-token-001,200",
    "PUT,/admin/skus/1,the-bob-token-001,403",
    "POST,/admin/skus/1/freeze,the-bob-token-001,403",
    "POST,/admin/reconcile,the-bob-token-001,403",
    "POST,/admin/partitions/1/reset,the-bob-token-001,403",
    "GET,/admin/skus/1,the-alice-token-1,404",
    "POST,/admin/skus/1/freeze,the-alice-token-1,404",
    "POST,/admin/skus/1/freeze,the-alice-token-2,404",
    "POST,/admin/skus/1/freeze,the-admin-token-1,404",
    "GET,/admin/drift,the-carol-token-1,401",
    "POST,/admin/skus/1/freeze,the-carol-token-1,401",
    "POST,/admin/skus/1/freeze,,401",
  })
  void shouldAllowWhatTheRoleMay(String method, String path, String token, int status) {
    // given
    try (AdminPortFixture fixture = fixture(OPERATORS).serving()) {

      // when
      Answer answer = send(fixture, method, path, token);

      // then
      assertThat(answer.status()).isEqualTo(status);
      if (status == 401 || status == 403) {
        assertThat(fixture.ledger.asked).isEmpty();
      }
    }
  }

  @Test
  void shouldSayThatTheRoleMayNotWhenAReaderChanges() {
    // given
    try (AdminPortFixture fixture = fixture(OPERATORS).serving()) {

      // when
      Answer answer = send(fixture, "POST", "/admin/skus/1/freeze", BOB);

      // then
      assertThat(answer.problem()).isEqualTo("forbidden");
      assertThat(answer.json().getString("detail")).contains("role of this token is reader");
      assertThat(answer.header("www-authenticate")).isNull();
      assertThat(fixture.ledger.asked).isEmpty();
    }
  }

  @Test
  void shouldNoteEachChangeWithItsOperator() {
    // given
    try (AdminPortFixture fixture = fixture(OPERATORS);
        LogCapture log = new LogCapture("operator", Level.INFO)) {

      // when
      send(fixture, "POST", "/admin/skus/1/open", ADMIN);
      fixture.serving();
      send(fixture, "GET", "/admin/skus/1", ALICE);
      send(fixture, "POST", "/admin/skus/1/freeze", ALICE_NEW);
      send(fixture, "POST", "/admin/skus/%0D%0Aoperator%22/freeze?", ALICE);
      send(fixture, "PUT", "/admin/skus/1", BOB);
      send(fixture, "POST", "/admin/skus/1/freeze", "the-carol-token-1");

      // then
      assertThat(log.lines())
          .containsExactly(
              line("admin", "POST", "/admin/skus/1/open", 503),
              line("alice", "POST", "/admin/skus/1/freeze", 404),
              line("alice", "POST", "/admin/skus/%0D%0Aoperator%22/freeze", 404),
              line("bob", "PUT", "/admin/skus/1", 403));
    }
  }

  @Test
  void shouldNoteTheLoopbackWhereThereIsNoToken() {
    // given
    try (AdminPortFixture fixture =
            fixture(new AdminConfig("127.0.0.1", 0, "", List.of(), TlsFiles.NONE)).serving();
        LogCapture log = new LogCapture("operator", Level.INFO)) {

      // when
      fixture.probe.post("/admin/skus/1/freeze");

      // then
      assertThat(log.lines())
          .containsExactly(line("loopback", "POST", "/admin/skus/1/freeze", 404));
    }
  }

  @Test
  void shouldKeepWhatACallerSentWithinItsValue() {
    // given
    Map<String, String> values =
        Map.of(
            "alice", "alice",
            "a\r\nERROR x", "a\\u000d\\u000aERROR x",
            "a\" status=\"200", "a\\u0022 status=\\u0022200",
            "a\\u000a", "a\\u005cu000a",
            "\u001b[31mred", "\\u001b[31mred",
            "m\u00fcller\u2028\u0085", "m\\u00fcller\\u2028\\u0085");

    // then
    assertThat(values)
        .allSatisfy((value, escaped) -> assertThat(OperatorLog.escaped(value)).isEqualTo(escaped));
  }

  @Test
  void shouldBoundWhatItNotes() {
    assertThat(OperatorLog.escaped("x".repeat(10_000))).isEqualTo("x".repeat(256) + "...");
  }

  @Test
  void shouldNameTheKeyWhenThePortCanBeReachedFromElsewhere() {
    // given
    try (AdminPortFixture fixture =
        new AdminPortFixture(new AdminConfig("0.0.0.0", 0, "", List.of(), TlsFiles.NONE))
            .serving()) {

      // when
      Answer answer = fixture.probe.post("/admin/skus/1/freeze");

      // then
      assertThat(answer.status()).isEqualTo(401);
      assertThat(answer.json().getString("detail"))
          .contains("set admin.token or admin.tokens, or admin.host to a loopback address");
    }
  }

  /** One whose ledger knows no SKU. */
  private static AdminPortFixture fixture(AdminConfig config) {
    AdminPortFixture fixture = new AdminPortFixture(config);
    fixture.ledger.changeResult = Future.succeededFuture(new ChangeResult.Unknown());
    return fixture;
  }

  private static Answer send(AdminPortFixture fixture, String method, String path, String token) {
    return token == null
        ? fixture.probe.send(method, path, BodyPublishers.noBody())
        : fixture.probe.send(
            method, path, BodyPublishers.noBody(), "Authorization", "Bearer " + token);
  }

  private static String line(String operator, String method, String path, int status) {
    return "INFO change [operator=\"%s\", method=\"%s\", path=\"%s\", status=\"%d\"]"
        .formatted(operator, method, path, status);
  }
}
