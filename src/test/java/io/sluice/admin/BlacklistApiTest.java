package io.sluice.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.admin.AdminCalls.Call;
import io.sluice.web.HttpProbe.Answer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code /admin/blacklist}: every row of the API's table. */
class BlacklistApiTest {
  private static final String OLGA = AdminCalls.OLGA;
  private static final String SUE = AdminCalls.SUE;
  private static final String ALICE = "/admin/blacklist/alice";

  @AutoClose
  private final AdminPortFixture fixture = new AdminPortFixture(AdminCalls.CONFIG).serving();

  private Answer call(String method, String path, String token, String... headers) {
    return new Call(method, path, "").send(fixture, token, headers);
  }

  private Answer put(String body) {
    return fixture.probe.json("PUT", ALICE, body, "Authorization", "Bearer " + OLGA);
  }

  @BeforeEach
  void nobodyIsBanned() {
    assertThat(call("GET", ALICE, OLGA).problem()).isEqualTo("not-blacklisted");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "auth0|64f1c2",
        "f:5c1d:bob",
        "bob+drop@x.com",
        "a/b",
        "%2F",
        "..a",
        "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
      })
  void shouldTakeAnIdWithAnyCharacterInThePath(String userId) {
    // given
    String path =
        "/admin/blacklist/" + URLEncoder.encode(userId, StandardCharsets.UTF_8).replace("+", "%20");

    // when
    Answer put = call("PUT", path, OLGA);
    Answer shown = call("GET", path, SUE);

    // then
    assertThat(put.json().getString("user_id")).isEqualTo(userId);
    assertThat(shown.json().put("changed", new JsonArray())).isEqualTo(put.json());
  }

  @Test
  void shouldBanForTheConfiguredTimeWhenTheCallHasNoBody() {
    // when
    Answer put = call("PUT", ALICE, OLGA);
    Answer shown = call("GET", ALICE, SUE);

    // then
    assertThat(put.status()).isEqualTo(200);
    assertThat(put.json())
        .isEqualTo(
            new JsonObject()
                .put("user_id", "alice")
                .put("since", "2026-11-21T08:00:00.000Z")
                .put("until", "2026-11-21T08:10:00.000Z")
                .put("watched_until", "2026-11-21T08:40:00.000Z")
                .put("reason", "")
                .put("by", "olga")
                .put("changed", new JsonArray()));
    assertThat(shown.json().put("changed", new JsonArray())).isEqualTo(put.json());
    assertThat(shown.header("etag")).isEqualTo(put.header("etag"));
  }

  @Test
  void shouldBanAsTheBodySays() {
    // when
    JsonObject ban = put("{\"ban_s\":60,\"reason\":\"fraud\"}").json();

    // then
    assertThat(ban.getString("until")).isEqualTo("2026-11-21T08:01:00.000Z");
    assertThat(ban.getString("reason")).isEqualTo("fraud");
  }

  /** A PUT of another reason gave the ban the default length, from then on. */
  @Test
  void shouldKeepWhatIsLeftOutAndTellWhatHasChanged() {
    // given
    put("{\"ban_s\":86400,\"reason\":\"fraud\"}");

    // when
    JsonObject reason = put("{\"reason\":\"bots\"}").json();
    JsonObject none = put("{}").json();
    JsonObject time = put("{\"ban_s\":60}").json();

    // then
    assertThat(reason.getString("until")).isEqualTo("2026-11-22T08:00:00.000Z");
    assertThat(reason.getJsonArray("changed")).containsExactly("reason");
    assertThat(none.getJsonArray("changed")).isEmpty();
    assertThat(none.getString("reason")).isEqualTo("bots");
    assertThat(time.getString("until")).isEqualTo("2026-11-21T08:01:00.000Z");
    assertThat(time.getString("reason")).isEqualTo("bots");
    assertThat(time.getJsonArray("changed")).containsExactly("ban_s");
  }

  @ParameterizedTest
  @ValueSource(strings = {"PUT", "DELETE"})
  void shouldChangeNothingWhenTheBanIsAnotherThanWasRead(String method) {
    // given
    String read = put("{\"reason\":\"fraud\"}").header("etag");
    String now = put("{\"reason\":\"bots\"}").header("etag");

    // when
    Answer late = call(method, ALICE, OLGA, "If-Match", read);
    Answer malformed = call(method, ALICE, OLGA, "If-Match", "bots");
    Answer absent = call(method, "/admin/blacklist/bob", OLGA, "If-Match", "*");

    // then
    assertThat(late.problem()).isEqualTo("changed-since");
    assertThat(malformed.field()).isEqualTo("If-Match");
    assertThat(absent.status()).isEqualTo(412);
    assertThat(call("GET", ALICE, OLGA).header("etag")).isEqualTo(now);
    assertThat(call(method, ALICE, OLGA, "If-Match", now).status()).isEqualTo(200);
  }

  @Test
  void shouldLiftTheBanAndSayTheSameAgain() {
    // given
    put("{}");

    // when
    Answer lifted = call("DELETE", ALICE, OLGA);
    Answer again = call("DELETE", ALICE, OLGA);

    // then
    assertThat(lifted.status()).isEqualTo(200);
    assertThat(lifted.json()).isEqualTo(new JsonObject().put("user_id", "alice").putNull("until"));
    assertThat(again.json()).isEqualTo(lifted.json());
    assertThat(call("GET", ALICE, OLGA).status()).isEqualTo(404);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"ban_s\":0}                | ban_s",
        "{\"ban_s\":31536001}         | ban_s",
        "{\"ban_s\":\"x\"}            | ban_s",
        "{\"reason\":7}               | reason",
        "{\"reason\":\"a\\u0007b\"}   | reason",
        "{\"until\":1}                | until",
        "[]                           | body",
      })
  void shouldAnswer400WithTheFieldWhenTheBodyIsInvalid(String body, String field) {
    // when
    Answer answer = put(body);

    // then
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.field()).isEqualTo(field);
    assertThat(call("GET", ALICE, OLGA).status()).isEqualTo(404);
  }

  @Test
  void shouldTakeTheLongestReasonAndNoLonger() {
    // when
    Answer longest = put("{\"reason\":\"" + "r".repeat(256) + "\"}");
    Answer longer = put("{\"reason\":\"" + "r".repeat(257) + "\"}");

    // then
    assertThat(longest.status()).isEqualTo(200);
    assertThat(longer.field()).isEqualTo("reason");
  }
}
