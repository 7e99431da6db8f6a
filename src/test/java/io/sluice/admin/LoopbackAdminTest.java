package io.sluice.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.auth.LocalCall;
import io.sluice.ledger.SkuLedger.ChangeResult;
import io.sluice.ledger.SkuLedger.DeleteResult;
import io.vertx.core.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Without a token: whose calls from the loopback address are an operator's. */
class LoopbackAdminTest {
  private static final String FREEZE = "/admin/skus/1/freeze";

  private static AdminPortFixture fixture;

  @BeforeAll
  static void serve() {
    fixture = new AdminPortFixture("").serving();
    fixture.ledger.changeResult = Future.succeededFuture(new ChangeResult.Unknown());
    fixture.ledger.deleteResult = Future.succeededFuture(new DeleteResult.Unknown());
  }

  @AfterAll
  static void close() {
    fixture.close();
  }

  @BeforeEach
  void forget() {
    fixture.ledger.asked.clear();
  }

  @ParameterizedTest
  @MethodSource("io.sluice.auth.LocalCall#own")
  void shouldFreezeWhenAProgramOfThisMachineCalls(LocalCall call) {
    // when
    String answer = call.send(fixture.probe, "POST", FREEZE);

    // then
    assertThat(answer).startsWith("HTTP/1.1 404 ").contains("unknown-sku");
    assertThat(fixture.ledger.asked).isNotEmpty();
  }

  @ParameterizedTest
  @MethodSource("io.sluice.auth.LocalCall#foreign")
  void shouldRefuseToDeleteWhenSomebodyElseStandsBehindTheCall(LocalCall call) {
    // when
    String answer = call.send(fixture.probe, "DELETE", "/admin/skus/1");

    // then
    assertThat(answer).containsPattern("^HTTP/1\\.[01] 401 ");
    assertThat(fixture.ledger.asked).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("io.sluice.auth.LocalCall#foreign")
  void shouldRefuseToFreezeWhenSomebodyElseStandsBehindTheCall(LocalCall call) {
    // when
    String answer = call.send(fixture.probe, "POST", FREEZE);

    // then
    assertThat(answer).containsPattern("^HTTP/1\\.[01] 401 ").contains("admin.token");
    assertThat(fixture.ledger.asked).isEmpty();
  }
}
