package io.sluice.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.orderlog.EventPages.Found;
import io.sluice.orderlog.EventPages.Found.Gone;
import io.sluice.orderlog.EventPages.Found.NoCursor;
import io.sluice.orderlog.EventPages.Found.Page;
import io.sluice.orderlog.LogUnavailableException;
import io.sluice.web.HttpProbe;
import io.sluice.web.HttpProbe.Answer;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code /admin/events}: every row of the API's table. */
class EventAdminApiTest {
  private static final String TOKEN = "token-of-the-operators";
  private static final Page EMPTY = new Page(List.of(), "k2", false);

  private final List<String> asked = new CopyOnWriteArrayList<>();
  private volatile Future<Found> found = Future.succeededFuture(EMPTY);

  @AutoClose private final AdminPortFixture fixture = serving();

  private AdminPortFixture serving() {
    AdminPortFixture port = new AdminPortFixture(TOKEN);
    port.events =
        (after, limit, heartbeats) -> {
          asked.add(after + " " + limit + " " + heartbeats);
          return found;
        };
    return port.serving();
  }

  private Answer get(String query) {
    return fixture.probe.get("/admin/events" + query, "Authorization", "Bearer " + TOKEN);
  }

  @ParameterizedTest
  @CsvSource({
    "'',0 100 false",
    "?after=newest&limit=1,newest 1 false",
    "?after=k1_-&limit=500&heartbeats=true,k1_- 500 true",
    "?after=17&heartbeats=false,17 100 false",
  })
  void shouldAskForWhatTheCallSays(String query, String expected) {
    // when
    Answer answer = get(query);

    // then
    assertThat(answer.status()).isEqualTo(200);
    assertThat(asked).containsExactly(expected);
  }

  @Test
  void shouldShowEventsAsTheyAre() {
    // given
    found =
        Future.succeededFuture(
            new Page(List.of("{\"type\":\"A\",\"x\":1}", "{\"type\":\"B\"}"), "k9", true));

    // when
    Answer answer = get("");

    // then
    assertThat(answer.json())
        .isEqualTo(
            new JsonObject(
                "{\"events\":[{\"type\":\"A\",\"x\":1},{\"type\":\"B\"}],\"next\":\"k9\",\"more\":true}"));
  }

  @ParameterizedTest
  @CsvSource({
    "?limit=0,limit",
    "?limit=501,limit",
    "?wait=31,wait",
    "?wait=-1,wait",
    "?heartbeats=yes,heartbeats",
    "?heartbeats=,heartbeats",
    "?types=A,types",
    "?after=1&after=2,after",
  })
  void shouldAnswer400WithTheFieldWhenAParameterIsWrong(String query, String field) {
    // when
    Answer answer = get(query);

    // then
    assertThat(answer.problem()).isEqualTo("bad-request");
    assertThat(answer.field()).isEqualTo(field);
    assertThat(asked).isEmpty();
  }

  @Test
  void shouldAnswer400WhenTheTextIsNoCursor() {
    // given
    found = Future.succeededFuture(new NoCursor());

    // when
    Answer answer = get("?after=latest");
    Answer waiting = get("?after=latest&wait=5");

    // then
    assertThat(List.of(answer.problem(), waiting.problem())).containsOnly("bad-request");
    assertThat(List.of(answer.field(), waiting.field())).containsOnly("after");
  }

  @Test
  void shouldNameNoTimeThatIsNotKnown() {
    // given
    found = Future.succeededFuture(new Gone(0, 0));

    // when
    Answer answer = get("");

    // then
    assertThat(answer.problem()).isEqualTo("events-gone");
    assertThat(answer.json().fieldNames()).doesNotContain("lost_from", "kept_from");
  }

  @Test
  void shouldAnswer503WhenTheTopicCannotBeRead() {
    // given
    found = Future.failedFuture(new LogUnavailableException("planted"));

    // when
    Answer answer = get("");
    Answer waiting = get("?wait=5");

    // then
    assertThat(List.of(answer.problem(), waiting.problem())).containsOnly("unavailable");
  }

  @Test
  void shouldAnswerTheOthersAtOnceWhenAsManyWaitAsMay() {
    // given
    var waiting =
        IntStream.range(0, EventAdminRoutes.WAITS_MAX)
            .mapToObj(
                i ->
                    fixture.probe.occupy(
                        "GET", "/admin/events?wait=30", "Authorization", "Bearer " + TOKEN))
            .toList();
    HttpProbe.eventually(() -> asked.size() == EventAdminRoutes.WAITS_MAX);

    // when
    Answer oneMore = get("?wait=1");
    Answer withoutWait = get("");

    // then
    assertThat(waiting).noneMatch(CompletableFuture::isDone);
    assertThat(oneMore.problem()).isEqualTo("busy");
    assertThat(oneMore.header("retry-after")).isEqualTo("1");
    assertThat(withoutWait.status()).isEqualTo(200);
  }
}
