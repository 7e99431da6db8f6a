package io.sluice.admin;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.sluice.admin.AdminCalls.Call;
import io.sluice.config.AdminConfig;
import io.sluice.config.OperatorToken;
import io.sluice.config.OperatorToken.Role;
import io.sluice.config.TlsFiles;
import io.sluice.ledger.SkuLedger.ChangeResult;
import io.sluice.ledger.SkuLedger.DeleteResult;
import io.sluice.testkit.process.LogWatch;
import io.sluice.web.HttpProbe.Answer;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
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
              new OperatorToken("bob", Role.READER, List.of(BOB)),
              new OperatorToken("sue", Role.SUPPORT, List.of("the-sue-token-001")),
              new OperatorToken("prom", Role.METRICS, List.of("the-prom-token-01"))),
          TlsFiles.NONE);

  @ParameterizedTest
  @CsvSource({
    "GET,/admin/skus/1,the-bob-token-001,404",
    "GET,/admin/drift,the-bob-token-001,200",
    "GET,/metrics,the-bob-token-001,200",
    "PUT,/admin/skus/1,the-bob-token-001,403",
    "DELETE,/admin/skus/1,the-bob-token-001,403",
    "DELETE,/admin/sales/phones-12,the-sue-token-001,403",
    "POST,/admin/skus/1/freeze,the-bob-token-001,403",
    "POST,/admin/reconcile,the-bob-token-001,403",
    "POST,/admin/partitions/1/reset,the-bob-token-001,403",
    "GET,/admin/orders?sku_id=1,the-bob-token-001,403",
    "GET,/admin/orders?sku_id=1&format=ndjson,the-bob-token-001,403",
    "GET,/admin/orders/1.0.AAAAAAAAAAAAAAAAAAAAAA,the-bob-token-001,403",
    "GET,/admin/events,the-bob-token-001,403",
    "GET,/admin/blacklist/eve,the-bob-token-001,403",
    "GET,/admin/webhooks,the-bob-token-001,403",
    "GET,/admin/webhooks,the-sue-token-001,200",
    "POST,/admin/webhooks/shop/replay,the-sue-token-001,403",
    "GET,/admin/orders?sku_id=1,the-sue-token-001,200",
    "GET,/admin/blacklist/eve,the-sue-token-001,404",
    "GET,/metrics,the-sue-token-001,200",
    "POST,/admin/skus/1/freeze,the-sue-token-001,403",
    "PUT,/admin/blacklist/eve,the-sue-token-001,403",
    "GET,/metrics,the-prom-token-01,200",
    "GET,/readyz,the-prom-token-01,503",
    "GET,/admin/skus/1,the-prom-token-01,403",
    "GET,/admin/orders?sku_id=1,the-prom-token-01,403",
    "GET,/openapi.yaml,the-prom-token-01,403",
    "POST,/admin/skus/1/freeze,the-prom-token-01,403",
    "GET,/admin/skus/1,the-alice-token-1,404",
    "POST,/admin/skus/1/freeze,the-alice-token-1,404",
    "DELETE,/admin/skus/1,the-alice-token-1,404",
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
      assertThat(answer.header("www-authenticate") != null).isEqualTo(status == 401);
      if (status == 401 || status == 403) {
        assertThat(fixture.ledger.asked).isEmpty();
      }
    }
  }

  @Test
  void shouldNoteEachChangeWithItsOperator() {
    // given
    try (AdminPortFixture fixture = fixture(OPERATORS);
        LogWatch log = LogWatch.of("operator", Level.INFO)) {

      // when
      send(fixture, "POST", "/admin/skus/1/open", ADMIN);
      fixture.serving();
      send(fixture, "GET", "/admin/skus/1", ALICE);
      send(fixture, "POST", "/admin/skus/1/freeze", ALICE_NEW);
      send(fixture, "DELETE", "/admin/skus/1", ALICE);
      send(fixture, "POST", "/admin/" + "./".repeat(130) + "skus/1/fre%65ze", ALICE);
      send(fixture, "POST", "/admin/skus/%0D%0Aoperator%22/freeze?", ALICE);
      send(fixture, "POST", "/admin/buyers/eve/%66orget", ALICE);
      send(fixture, "PUT", "/admin/skus/1", BOB);
      send(fixture, "POST", "/admin/skus/1/freeze", "the-carol-token-1");
      fixture.probe.json(
          "PUT",
          "/admin/blacklist/eve",
          "{" + " ".repeat(400) + "\"ban_s\":60,\"reason\":\"a\\\"b\"}",
          "Authorization",
          "Bearer " + ALICE);

      // then
      assertThat(log.lines().stream().filter(line -> line.contains(" change ")).toList())
          .containsExactly(
              line("admin", "POST", "none", "", "", 503),
              line("alice", "POST", "admin_freeze", "sku_id=1", "", 404),
              line("alice", "DELETE", "admin_delete", "sku_id=1", "", 404),
              line("alice", "POST", "admin_freeze", "sku_id=1", "", 404),
              line(
                  "alice", "POST", "admin_freeze", "sku_id=\\u000d\\u000aoperator\\u0022", "", 404),
              line("alice", "POST", "admin_forget", "user_id={user_id}", "", 500),
              line("bob", "PUT", "admin_put", "sku_id=1", "", 403),
              line("alice", "PUT", "admin_ban", "user_id=eve", "ban_s=60 reason=a\\u0022b", 200));
      assertThat(log.lines())
          .contains("WARN wrong token address=\"127.0.0.1\" call=\"admin_freeze\"");
    }
  }

  @Test
  void shouldNoteNoSecret() {
    // given
    String body =
        "{\"url\":\"https://a.example/\",\"%s\":\"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\"}";
    try (AdminPortFixture fixture = fixture(OPERATORS).serving();
        LogWatch log = LogWatch.of("operator", Level.INFO)) {

      // when
      for (String field : List.of("secret", "Secret")) {
        fixture.probe.json(
            "PUT",
            "/admin/webhooks/shop",
            body.formatted(field),
            "Authorization",
            "Bearer " + ALICE);
      }

      // then
      assertThat(log.lines()).hasSize(2).allMatch(line -> line.contains("ecret=***"));
    }
  }

  @Test
  void shouldBoundTheWrongTokensOfAnAddressAndStillTakeRightOnes() {
    // given
    try (AdminPortFixture fixture = fixture(OPERATORS).serving();
        LogWatch log = LogWatch.of("operator", Level.INFO)) {

      // when
      List<Integer> wrong =
          IntStream.range(0, 12)
              .mapToObj(i -> send(fixture, "GET", "/admin/drift", "the-wrong-token-" + i).status())
              .toList();
      Answer last = send(fixture, "GET", "/admin/drift", "the-wrong-token-x");
      Answer right = send(fixture, "GET", "/admin/drift", ALICE);

      // then
      assertThat(wrong.subList(0, 10)).containsOnly(401);
      assertThat(wrong.subList(10, 12)).containsOnly(429);
      assertThat(last.header("retry-after")).isEqualTo("60");
      assertThat(right.status()).isEqualTo(200);
      assertThat(log.lines()).hasSize(10);
      assertThat(log.lines().get(9)).contains("further ones of this minute are not logged");
    }
  }

  @Test
  void shouldNoteTheLoopbackWhereThereIsNoToken() {
    // given
    try (AdminPortFixture fixture =
            fixture(new AdminConfig("127.0.0.1", 0, "", List.of(), TlsFiles.NONE)).serving();
        LogWatch log = LogWatch.of("operator", Level.INFO)) {

      // when
      fixture.probe.post("/admin/skus/1/freeze");

      // then
      assertThat(log.lines())
          .containsExactly(line("loopback", "POST", "admin_freeze", "sku_id=1", "", 404));
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
    fixture.ledger.deleteResult = Future.succeededFuture(new DeleteResult.Unknown());
    return fixture;
  }

  private static Answer send(AdminPortFixture fixture, String method, String path, String token) {
    return new Call(method, path, "").send(fixture, token == null ? "" : token);
  }

  private static String line(
      String operator, String method, String call, String parameters, String fields, int status) {
    return "INFO change operator=\"%s\" method=\"%s\" call=\"%s\" parameters=\"%s\" fields=\"%s\" status=\"%d\""
        .formatted(operator, method, call, parameters, fields, status);
  }
}
