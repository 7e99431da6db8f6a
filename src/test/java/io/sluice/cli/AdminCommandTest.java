package io.sluice.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.ScriptedPort.Ran;
import io.sluice.config.ConfigLoader;
import io.sluice.model.ProblemType;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests, output and exit codes of the command line. */
class AdminCommandTest {
  private static final String JSON = "application/json";
  private static final String PROBLEM = "application/problem+json";
  private static final String SKU = "{\"sku_id\":7,\"state\":\"OPEN\"}";
  private static final Pattern NEW_ID = Pattern.compile("--restock-id (cli-[0-9a-f-]{36})");

  @TempDir Path folder;

  private final ScriptedPort port = ScriptedPort.started();

  @AfterEach
  void tearDown() {
    port.close();
  }

  private static String problem(ProblemType type, String detail) {
    return new JsonObject()
        .put("type", "/problems/" + type.word())
        .put("title", type.title())
        .put("status", type.status())
        .put("detail", detail)
        .encode();
  }

  private Path file(String text) throws IOException {
    return Files.writeString(folder.resolve("file"), text);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "list-skus --after 7 --limit 2 | GET /admin/skus?after=7&limit=2 | ''",
        "get-sku 7 | GET /admin/skus/7 | ''",
        "list-orders --user-id a+b&c/d --format csv | GET"
            + " /admin/orders?user_id=a%2Bb%26c%2Fd&format=csv | ''",
        "ban-buyer @a/b% --ban-s 600 --reason null | PUT /admin/blacklist/%40a%2Fb%25 |"
            + " {\"ban_s\":600,\"reason\":\"null\"}",
        "ban-buyer alice | PUT /admin/blacklist/alice | ''",
        "lift-ban alice | DELETE /admin/blacklist/alice | ''",
        "delete-sku 7 --yes | DELETE /admin/skus/7 | ''",
        "delete-sale phones-12 --yes | DELETE /admin/sales/phones-12 | ''",
        "put-sku 7 | PUT /admin/skus/7 | {}",
        "put-sku 7 --total-stock 9 --closes-at null --ticket true | PUT /admin/skus/7 |"
            + " {\"total_stock\":9,\"closes_at\":null,\"ticket\":true}",
        "restock-sku 7 --qty -20 --restock-id r1 | POST /admin/skus/7/restock |"
            + " {\"restock_id\":\"r1\",\"qty\":-20}",
        "open-sale phones-12 | POST /admin/sales/phones-12/open | ''",
      })
  void shouldSendTheCallThatTheContractNames(String words, String line, String body) {
    // when
    port.run(words.split(" "));

    // then
    assertThat(port.seen()).extracting(ScriptedPort.Seen::line).containsExactly(line);
    assertThat(port.seen().get(0).body()).isEqualTo(body);
    assertThat(port.seen().get(0).header("Content-Type")).isEqualTo(body.isEmpty() ? "" : JSON);
  }

  /** The port takes a call without a token from a program of this machine, and from no proxy. */
  @Test
  void shouldSendNoHeaderOfAProxyWhenThereIsNoToken() {
    // when
    port.run("get-drift");

    // then
    assertThat(port.seen().get(0).headers())
        .doesNotContainKeys("Authorization", "Upgrade", "HTTP2-Settings", "Connection", "Via");
  }

  @Test
  void shouldTakeTheTokenFromAFileBeforeAVariable() throws IOException {
    // given
    Map<String, String> environment =
        Map.of(
            "SLUICE_ADMIN_TOKEN", "of-a-variable", "SLUICE_ADMIN_TOKEN_FILE", "" + file("named\n"));
    Path other = Files.writeString(folder.resolve("other"), "new,old\n");

    // when
    port.runSaying("", Map.of("SLUICE_ADMIN_TOKEN", "of-a-variable"), "get-drift");
    port.runSaying("", environment, "get-drift");
    port.runSaying("", environment, "get-drift", "--token-file", "" + other);
    port.runSaying("", Map.of("SLUICE_ADMIN_TOKEN", ""), "get-drift");

    // then
    assertThat(port.seen())
        .extracting(seen -> seen.header("Authorization"))
        .containsExactly("Bearer of-a-variable", "Bearer named", "Bearer new", "");
  }

  @Test
  void shouldSendTheBodyOfAFileAsItIs() throws IOException {
    // given
    String body =
        "{\"name\":\"Phones\",\"opens_at\":null,\"skus\":[{\"sku_id\":1,\"total_stock\":5}]}";

    // when
    port.run("put-sale", "phones-12", "--body", "" + file(body), "--if-match", "\"tag\"");

    // then
    assertThat(port.seen().get(0).line()).isEqualTo("PUT /admin/sales/phones-12");
    assertThat(port.seen().get(0).body()).isEqualTo(body);
    assertThat(port.seen().get(0).header("If-Match")).isEqualTo("\"tag\"");
  }

  @Test
  void shouldShowKeysAndValuesAndATableOfWhatThereIsSeveralOf() {
    // given
    port.answers(
        200,
        JSON,
        """
        {"next_after":9,"totals":{"held":3,"at":null},"waits_for":[],"changed":["a","b"],
         "skus":[{"sku_id":7,"name":"a\\u001b[1m","sale":null,"per_bucket":[{"n":1}]},
                 {"sku_id":1008,"name":"b","sale":null,"per_bucket":[{"n":1},{"n":2}]}]}
        """);

    // when
    Ran ran = port.run("list-skus");

    // then
    assertThat(ran.code()).isZero();
    assertThat(ran.err()).isEmpty();
    assertThat(ran.out())
        .isEqualTo(
            """
            next_after:  9
            totals.held: 3
            totals.at:   -
            waits_for:   -
            changed:     a, b

            skus:
            sku_id  name   per_bucket
            7       a?[1m  (1)
            1008    b      (2)
            """);
  }

  @Test
  void shouldWriteTheAnswerAsItIsWhenAskedForJson() {
    // given
    String odd = "{ \"sku_id\":7,  \"state\" : \"OPEN\" }";
    port.answers(200, JSON, odd, "ETag", "\"abcdefghijklmnop\"");

    // when
    Ran ran = port.run("-o", "json", "get-sku", "7");

    // then
    assertThat(ran).isEqualTo(new Ran(0, odd + "\n", "ETag: \"abcdefghijklmnop\"\n"));
  }

  @Test
  void shouldWriteOtherAnswersAsTheyAre() {
    // given
    port.answers(200, "text/csv; charset=utf-8; header=present", "a,b\r\n1,2\r\n");

    // when
    Ran ran = port.run("list-orders", "--sku-id", "7", "--format", "csv");

    // then
    assertThat(ran).isEqualTo(new Ran(0, "a,b\r\n1,2\r\n", ""));
  }

  @Test
  void shouldSayThatACallIsToBeRepeatedWhenItIsOnlyRecorded() {
    // given
    port.answers(202, JSON, "{\"sale_id\":\"phones-12\",\"shown\":false}");

    // when
    Ran ran = port.run("open-sale", "phones-12");

    // then
    assertThat(ran.code()).isZero();
    assertThat(ran.err()).contains("the same call again tells");
  }

  @Test
  void shouldSayWhatToDoWhenRefused() {
    // given
    JsonObject body =
        new JsonObject(problem(ProblemType.NOT_ENOUGH_UNSOLD, "Expected 50, but there are 3"))
            .put("field", "qty");
    port.answers(409, PROBLEM, body.encode());

    // when
    Ran ran = port.run("restock-sku", "7", "--qty", "-50", "--restock-id", "r1");

    // then
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.out()).isEmpty();
    assertThat(ran.err())
        .isEqualTo(
            """
            refused: 409 not-enough-unsold: Not enough unsold units
            Expected 50, but there are 3
            %s
            field: qty
            """
                .formatted(ProblemType.NOT_ENOUGH_UNSOLD.remedy()));
  }

  @Test
  void shouldShowTheAnswerWhenItSaysNo() {
    // given
    port.answers(503, JSON, "{\"ready\":false}");

    // when
    Ran ran = port.run("is-ready");

    // then
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.out()).isEqualTo("ready: false\n");
  }

  @Test
  void shouldLeaveTheOutcomeOpenWhenTheServiceCannotTell() {
    // given
    port.answers(503, PROBLEM, problem(ProblemType.BUSY, "Expected room"), "Retry-After", "2");

    // when
    Ran ran = port.run("open-sku", "7");

    // then
    assertThat(ran.code()).isEqualTo(3);
    assertThat(ran.err()).startsWith("not known: 503 busy: ").endsWith("Retry-After: 2\n");
  }

  @ParameterizedTest
  @CsvSource({"502, 3", "302, 3", "200, 3", "403, 1"})
  void shouldNotTakeTheAnswerOfAnotherProgramForItsOwn(int status, int code) {
    // given
    port.answers(status, "text/html", "<html>");

    // when
    Ran ran = port.run("open-sku", "7");

    // then
    assertThat(ran.code()).isEqualTo(code);
    assertThat(ran.out()).isEmpty();
    assertThat(ran.err()).contains("--url");
  }

  @Test
  void shouldRepeatARestockByTheIdThatItHasShown() {
    // given
    port.answers(exchange -> {});

    // when
    Ran lost = port.run("restock-sku", "7", "--qty", "5");
    Matcher shown = NEW_ID.matcher(lost.err());
    String id = shown.find() ? shown.group(1) : "none";
    port.answers(200, JSON, SKU);
    Ran again = port.run("restock-sku", "7", "--qty", "5", "--restock-id", id);

    // then
    assertThat(lost.code()).isEqualTo(3);
    assertThat(lost.err()).contains("may be repeated with --restock-id " + id);
    assertThat(again.code()).isZero();
    assertThat(again.err()).doesNotContain("restock-id");
    assertThat(port.seen())
        .extracting(ScriptedPort.Seen::body)
        .hasSize(2)
        .containsOnly("{\"restock_id\":\"" + id + "\",\"qty\":5}");
  }

  @Test
  void shouldSayThatNothingWasSentWhenNobodyListens() {
    // given
    port.close();

    // when
    Ran ran = port.run("end-sale", "phones-12", "--yes");

    // then
    assertThat(ran.code()).isEqualTo(3);
    assertThat(ran.err()).startsWith("not reached: http://127.0.0.1:").contains("nothing was sent");
  }

  @Test
  void shouldEndWhenAnAnswerStopsInTheMiddle() {
    // given
    CountDownLatch over = new CountDownLatch(1);
    port.answers(
        exchange -> {
          exchange.getResponseHeaders().set("Content-Type", JSON);
          exchange.sendResponseHeaders(200, 100);
          exchange.getResponseBody().write("{".getBytes(UTF_8));
          exchange.getResponseBody().flush();
          await(over);
          over.countDown();
        });

    // when
    Ran ran = port.run("get-sku", "7", "--timeout-s", "1");
    long waiting = over.getCount();
    over.countDown();

    // then
    assertThat(waiting).isOne();
    assertThat(ran.code()).isEqualTo(3);
    assertThat(ran.err()).startsWith("not known: ");
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await(20, TimeUnit.SECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @ParameterizedTest
  @CsvSource({"yes, 1, 0", "Y, 1, 0", "no, 0, 2", "'', 0, 2"})
  void shouldAskBeforeACallThatCannotBeTakenBack(String said, int sent, int code) {
    // given
    port.answers(200, JSON, SKU);

    // when
    Ran ran = port.runSaying(said + "\n", Map.of(), "end-sku", "7");

    // then
    assertThat(ran.code()).isEqualTo(code);
    assertThat(ran.err()).startsWith("Ends the sale of the SKU, for good\nPOST /admin/skus/7/end");
    assertThat(port.seen()).hasSize(sent);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "no-such-command",
        "get-sku",
        "get-sku 7 8",
        "get-sku 7 --no-such-option 1",
        "get-sku 7 --token secret",
        "restock-sku 7",
        "restock-sku 7 --qty many",
        "put-sku 7 --ticket maybe",
        "put-sale p --body /no/such/file",
        "put-sale p --name p --body pom.xml",
        "get-sku 7 --token-file /no/such/file",
        "get-sku 7 --ca-file pom.xml",
        "get-sku 7 --timeout-s soon",
        "get-sku 7 -o xml",
      })
  void shouldSendNothingWhenTheArgumentsAreWrong(String words) {
    // when
    Ran ran = port.run(words.isEmpty() ? new String[0] : words.split(" "));

    // then
    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.out()).isEmpty();
    assertThat(ran.err()).isNotEmpty().doesNotContain("Exception");
    assertThat(port.seen()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"canary\nX-Other: 1", "canary canary", "canary\u0007"})
  void shouldNotShowATokenThatCannotBeSent(String token) throws IOException {
    // when
    Ran ran = port.run("get-drift", "--token-file", "" + file(token));

    // then
    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.err()).contains("visible ASCII").doesNotContain("canary");
    assertThat(port.seen()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"ftp://127.0.0.1/", "127.0.0.1:8081", "http:///", "not a url"})
  void shouldNameTheUrlWhenItIsNone(String url) {
    // when
    Ran ran = ScriptedPort.runAlone("", Map.of(), List.of("get-drift", "--url", url));

    // then
    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.err()).contains(url).doesNotContain("Exception");
  }

  /** The secret went to the receiver, with the operator's token. */
  @Test
  void shouldCallNobodyWhenTheUrlOfAWebhookIsGivenAsThatOfThePort() {
    // when
    Ran ran = port.run("put-webhook", "shop", "--url", "https://shop/hook");

    // then
    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.err()).contains("--body-url").doesNotContain("Exception");
    assertThat(port.seen()).isEmpty();
  }

  @Test
  void shouldCallThePortOfTheDefaultConfiguration() {
    // when
    var admin = ConfigLoader.load(null, Map.of()).config().admin();

    // then
    assertThat(AdminCommand.LOCAL).isEqualTo("http://" + admin.host() + ":" + admin.port());
  }
}
