package io.sluice.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.sluice.ledger.Fence;
import io.sluice.ledger.OwnerRequest;
import io.sluice.ledger.OwnerRequest.RequestKind;
import io.sluice.web.HttpProbe.Answer;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The endpoints about partitions, with a ledger of four. */
class PartitionAdminApiTest {
  private static final String REPORT =
      "{\"partition\":%d,\"at\":1795248000000,\"compared\":3,\"passed_over\":{},\"drift\":0,\"drift_in\":[]}";

  @AutoClose private final AdminPortFixture fixture = new AdminPortFixture("").serving();

  private Answer post(String path) {
    return fixture.probe.send("POST", path, BodyPublishers.noBody());
  }

  @Test
  void shouldAnswerWithAllReportsWhenReconciled() {
    // given
    fixture.ledger.answers.add(Optional.of(REPORT.formatted(1)));

    // when
    Answer answer = post("/admin/reconcile");

    // then
    assertThat(answer.status()).isEqualTo(200);
    assertThat(fixture.ledger.asked)
        .contains("reconcile 0", "reconcile 1", "reconcile 2", "reconcile 3");
    assertThat(answer.json().getJsonArray("reports")).hasSize(AdminPortFixture.PARTITIONS);
    assertThat(answer.json().getJsonArray("reports").getJsonObject(0))
        .isEqualTo(new JsonObject(REPORT.formatted(1)).put("at", "2026-11-21T08:00:00.000Z"));
    assertThat(answer.json().getJsonArray("waiting_for")).isEmpty();
  }

  @Test
  void shouldBeginAtTheEndOfTheLogWhenItEndsBelowTheOffset() {
    // given
    Fence before = fixture.owners.reset(1, 20).result();
    fixture.logEnd = Future.succeededFuture(7L);

    // when
    Answer reset = post("/admin/partitions/1/reset");
    Answer again = post("/admin/partitions/1/reset");

    // then
    assertThat(reset.status()).isEqualTo(200);
    assertThat(reset.json())
        .isEqualTo(new JsonObject("{\"partition\":1,\"next_offset\":7,\"was\":20}"));
    assertThat(fixture.owners.fences().result().get(1).nextOffset()).isEqualTo(7);
    assertThat(fixture.owners.fences().result().get(1).term()).isGreaterThan(before.term());
    assertThat(again.problem()).isEqualTo("nothing-to-reset");
  }

  @Test
  void shouldBeginAtTheBeginOfTheLogAndSayWhatIsLostWhenRecordsWereDeletedUnread() {
    // given
    Fence before = fixture.owners.reset(1, 20).result();
    fixture.logBegin = Future.succeededFuture(50L);
    fixture.logEnd = Future.succeededFuture(70L);

    // when
    Answer reset = post("/admin/partitions/1/reset");
    Answer again = post("/admin/partitions/1/reset");

    // then
    assertThat(reset.status()).isEqualTo(200);
    assertThat(reset.json())
        .isEqualTo(
            new JsonObject(
                """
                {"partition": 1, "next_offset": 50, "was": 20,
                 "lost": {"from": 20, "to": 49, "records": 30}}\
                """));
    assertThat(fixture.owners.fences().result().get(1).nextOffset()).isEqualTo(50);
    assertThat(fixture.owners.fences().result().get(1).term()).isGreaterThan(before.term());
    assertThat(fixture.owners.openRequests(List.of(1), 0, 10).result())
        .extracting(OwnerRequest::kind, OwnerRequest::bucket)
        .containsExactly(tuple(RequestKind.REBUILD, Optional.empty()));
    assertThat(again.problem()).isEqualTo("nothing-to-reset");
  }

  @Test
  void shouldNotResetAPartitionThatNeverHadAnOwner() {
    // given
    fixture.logBegin = Future.succeededFuture(50L);
    fixture.logEnd = Future.succeededFuture(70L);

    // when
    Answer answer = post("/admin/partitions/1/reset");

    // then
    assertThat(answer.problem()).isEqualTo("nothing-to-reset");
    assertThat(fixture.owners.fences().result()).doesNotContainKey(1);
  }

  @Test
  void shouldAnswer503WhenTheLogCannotBeRead() {
    // given
    fixture.owners.reset(1, 20);
    fixture.logEnd = Future.failedFuture("away");

    // when
    Answer answer = post("/admin/partitions/1/reset");

    // then
    assertThat(answer.problem()).isEqualTo("unavailable");
    assertThat(fixture.owners.fences().result().get(1).nextOffset()).isEqualTo(20);
  }

  @ParameterizedTest
  @ValueSource(strings = {"4", "-1", "x", "99999999999", "4294967297"})
  void shouldAnswer404WhenThereIsNoSuchPartition(String partition) {
    // when
    Answer answer = post("/admin/partitions/" + partition + "/reset");

    // then
    assertThat(answer.status()).isEqualTo(404);
  }
}
