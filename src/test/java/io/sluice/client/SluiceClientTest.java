package io.sluice.client;

import static io.sluice.client.ScriptedService.answer;
import static io.sluice.client.ScriptedService.doing;
import static io.sluice.client.ScriptedService.hang;
import static io.sluice.client.ScriptedService.hangInBody;
import static io.sluice.client.ScriptedService.lose;
import static io.sluice.client.ScriptedService.order;
import static io.sluice.client.ScriptedService.refuse;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.client.ScriptedService.Act;
import io.sluice.client.ScriptedService.Heard;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What the client makes of each answer, and of none; the service is a script. */
class SluiceClientTest {
  private static final Duration SHORT = Duration.ofMillis(400);
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final Caller ALICE = Caller.user("alice");
  private static final String TOKEN = "7.0.AAAAAAAAAAAAAAAAAAAAAA";
  private static final Act DONE = answer(201, order("RESERVED"));

  private static SluiceClient client(ScriptedService service, Duration deadline) {
    return SluiceClient.to(service.uri())
        .office(Caller.token("the-word-of-the-office"))
        .management(service.uri(), Caller.token("the-word-of-anne"))
        .deadline(deadline)
        .build();
  }

  private static <E extends SluiceException> E failure(
      Class<E> type, Duration deadline, Function<SluiceClient, ?> call, Act... script) {
    try (ScriptedService service = doing(script)) {
      return catchThrowableOfType(type, () -> call.apply(client(service, deadline)));
    }
  }

  private static Order place(SluiceClient client) {
    return client.place(ALICE, Purchase.of(7, 1).withKey("k"));
  }

  // ---- the same request again

  static Stream<Act> repeated() {
    return Stream.of(
        lose(),
        hang(),
        hangInBody(),
        refuse(503, "busy"),
        refuse(503, "unavailable"),
        refuse(500, "internal"),
        refuse(429, "too-many-requests", "1"),
        refuse(425, "too-early"),
        refuse(408, "request-timeout"),
        answer(502, "<html>"),
        answer(201, "<html>"),
        answer(201, "{}"));
  }

  @ParameterizedTest
  @MethodSource("repeated")
  void shouldSendTheSameKeyAndBodyWhenATryHasNoResult(Act act) {
    try (ScriptedService service = doing(act, DONE)) {
      // given
      SluiceClient client = SluiceClient.to(service.uri()).tryTimeout(SHORT).deadline(LONG).build();
      Purchase purchase = Purchase.of(7, 1).withReference("cart-1").withTicket("t.t.t");

      // when
      Order order = client.place(ALICE, purchase);

      // then
      assertThat(order.orderToken()).isEqualTo(TOKEN);
      assertThat(service.heard()).hasSize(2);
      assertThat(service.heard().stream().distinct()).hasSize(1);
      Heard heard = service.heard().get(0);
      assertThat(heard.header("Idempotency-Key")).isEqualTo(purchase.key());
      assertThat(heard.header("Sluice-Ticket")).isEqualTo("t.t.t");
      assertThat(heard.body()).contains("\"reference\":\"cart-1\"");
    }
  }

  @Test
  void shouldSendTheSameKeyWhenThePurchaseIsPlacedAgainLater() {
    try (ScriptedService service = doing(lose())) {
      // given
      Purchase purchase = Purchase.of(7, 1);
      SluiceClient client = client(service, SHORT);

      // when
      assertThatThrownBy(() -> client.place(ALICE, purchase))
          .isInstanceOfSatisfying(
              OutcomeUnknownException.class, e -> assertThat(e.key()).contains(purchase.key()));
      assertThatThrownBy(() -> client.place(ALICE, purchase))
          .isInstanceOf(OutcomeUnknownException.class);

      // then
      assertThat(service.heard().stream().map(heard -> heard.header("Idempotency-Key")).distinct())
          .containsExactly(purchase.key());
      assertThat(service.heard()).hasSizeGreaterThan(3);
    }
  }

  @Test
  void shouldNameEachPurchaseByAKeyOfItsOwn() {
    // when
    Purchase one = Purchase.of(7, 1);
    Purchase other = Purchase.of(7, 1);

    // then
    assertThat(one.key()).isNotEqualTo(other.key());
  }

  static Stream<String> oneSecondAtLeast() {
    Instant soon = Instant.now().plusSeconds(5);
    return Stream.of(
        "1", DateTimeFormatter.RFC_1123_DATE_TIME.format(soon.atOffset(ZoneOffset.UTC)));
  }

  @ParameterizedTest
  @MethodSource("oneSecondAtLeast")
  void shouldComeBackNoEarlierThanTheServiceSays(String retryAfter) {
    try (ScriptedService service = doing(refuse(503, "busy", retryAfter), DONE)) {
      // given
      long from = System.nanoTime();

      // when
      place(client(service, LONG));

      // then
      assertThat(Duration.ofNanos(System.nanoTime() - from)).isGreaterThan(Duration.ofSeconds(1));
    }
  }

  // ---- no result

  static Stream<Arguments> lastWords() {
    Act lost = lose();
    Act wait = refuse(429, "too-many-requests", "60");
    Act busy = refuse(503, "busy", "60");
    return Stream.of(
        row("OutcomeUnknownException", lost),
        row("OutcomeUnknownException", hang()),
        row("OutcomeUnknownException", hangInBody()),
        row("OutcomeUnknownException 503 busy", busy),
        row("OutcomeUnknownException", answer(202, order("PENDING"))),
        row("OutcomeUnknownException 429 too-many-requests", lost, wait),
        row("OutcomeUnknownException 401 unauthorized", lost, refuse(401, "unauthorized")),
        row("OutcomeUnknownException 403 ticket-required", lost, refuse(403, "ticket-required")),
        row("RefusedException 409 sold-out", lost, refuse(409, "sold-out")),
        row("RefusedException 404 unknown-order", lost, refuse(404, "unknown-order")),
        row("RefusedException again 429 too-many-requests", wait),
        row("RefusedException again 425 too-early", refuse(425, "too-early", "60")),
        row("RefusedException 401 unauthorized", refuse(401, "unauthorized")),
        row(
            "RefusedException 400 bad-request",
            refuse(429, "too-many-requests"),
            refuse(400, "bad-request")),
        row("RefusedException 505 http-version", refuse(505, "http-version")),
        row("RefusedException 403 ", answer(403, "<html>")),
        row("RefusedException 302 ", answer(302, "")));
  }

  private static Arguments row(String expected, Act... script) {
    return Arguments.of(expected, script);
  }

  @ParameterizedTest
  @MethodSource("lastWords")
  void shouldSayWhatIsKnownOfAChangeWhenThereIsNoResult(String expected, Act... script) {
    // when
    SluiceException e = failure(SluiceException.class, SHORT, SluiceClientTest::place, script);

    // then
    assertThat(brief(e)).isEqualTo(expected);
    assertThat(e.key()).contains("k");
  }

  private static String brief(SluiceException e) {
    String name = e.getClass().getSimpleName();
    if (e instanceof RefusedException refused) {
      String again = refused.isRetryable() ? " again " : " ";
      return name + again + refused.problem().status() + " " + refused.word();
    }
    assertThat(e.isRetryable()).isTrue();
    return e instanceof OutcomeUnknownException open
        ? name + open.problem().map(last -> " " + last.status() + " " + last.word()).orElse("")
        : name;
  }

  @Test
  void shouldSayWhenToComeBackWhenThatIsAfterTheDeadline() {
    // when
    RefusedException e =
        failure(
            RefusedException.class,
            LONG,
            SluiceClientTest::place,
            refuse(425, "too-early", "3600"));

    // then
    assertThat(e.isRetryable()).isTrue();
    assertThat(e.retryAfter()).isEqualTo(Duration.ofHours(1));
  }

  @Test
  void shouldSayThatNothingWasDoneWhenNobodyListens() throws IOException {
    // given
    URI nobody;
    try (ServerSocket socket = new ServerSocket(0)) {
      nobody = URI.create("http://127.0.0.1:" + socket.getLocalPort());
    }
    SluiceClient client = SluiceClient.to(nobody).deadline(SHORT).build();

    // when
    SluiceException e = catchThrowableOfType(SluiceException.class, () -> place(client));

    // then
    assertThat(brief(e)).isEqualTo("UnavailableException");
    assertThat(e.key()).contains("k");
  }

  static Stream<Arguments> lastWordsOfReads() {
    return Stream.of(
        row("UnavailableException", lose()),
        row("UnavailableException", hang()),
        row("UnavailableException", answer(200, "<html>")),
        row("RefusedException again 503 busy", lose(), refuse(503, "busy", "60")),
        row("RefusedException 404 unknown-order", refuse(404, "unknown-order")));
  }

  @ParameterizedTest
  @MethodSource("lastWordsOfReads")
  void shouldSayThatNothingWasDoneWhenALookUpHasNoResult(String expected, Act... script) {
    // when
    SluiceException e =
        failure(SluiceException.class, SHORT, client -> client.order(TOKEN), script);

    // then
    assertThat(brief(e)).isEqualTo(expected);
    assertThat(e.key()).isEmpty();
  }

  @Test
  void shouldEndWithTheDeadlineWhenTheServiceHangs() {
    // given
    long from = System.nanoTime();

    // when
    failure(SluiceException.class, SHORT, SluiceClientTest::place, hangInBody());

    // then
    assertThat(Duration.ofNanos(System.nanoTime() - from))
        .isGreaterThanOrEqualTo(SHORT)
        .isLessThan(SHORT.plusSeconds(5));
  }

  @Test
  void shouldLeaveTheOutcomeOpenWhenTheThreadIsInterrupted() {
    // given
    Thread.currentThread().interrupt();
    AtomicBoolean staysInterrupted = new AtomicBoolean();

    // when
    SluiceException e =
        failure(
            SluiceException.class,
            LONG,
            client -> {
              try {
                return place(client);
              } finally {
                // Here, since Java 25's HTTP server clears it when it is stopped.
                staysInterrupted.set(Thread.interrupted());
              }
            },
            hang());

    // then
    assertThat(staysInterrupted).isTrue();
    assertThat(e).isInstanceOf(OutcomeUnknownException.class);
  }

  @Test
  void shouldReadNoAnswerWithoutAnEnd() {
    // given
    LimitedBody body = new LimitedBody();
    SubmissionPublisher<List<ByteBuffer>> service = new SubmissionPublisher<>(Runnable::run, 1);
    service.subscribe(body);

    // when
    service.submit(List.of(ByteBuffer.allocate(LimitedBody.BYTES_MAX)));
    boolean endedAtTheLimit = body.getBody().toCompletableFuture().isDone();
    service.submit(List.of(ByteBuffer.allocate(1)));

    // then
    assertThat(endedAtTheLimit).isFalse();
    assertThat(body.getBody()).isCompletedExceptionally();
    assertThat(service.hasSubscribers()).isFalse();
  }

  // ---- commands

  @Test
  void shouldAskAgainUntilARecordedCommandHasItsOutcome() {
    try (ScriptedService service =
        doing(answer(202, order("PENDING")), lose(), answer(200, order("CONFIRMED")))) {
      // when
      Order order = client(service, LONG).confirm(TOKEN, "pay-81");

      // then
      assertThat(order.status()).isEqualTo(Order.Status.CONFIRMED);
      assertThat(service.heard().stream().distinct()).hasSize(1);
    }
  }

  @Test
  void shouldRepeatOnlyTheCommandsThatAreAnsweredLater() {
    String done = "{\"status\":200,\"order\":%s}".formatted(order("CONFIRMED"));
    String recorded = "{\"status\":202,\"order\":%s}".formatted(order("PENDING"));
    String busy =
        "{\"status\":503,\"retry_after_s\":1,\"problem\":%s}"
            .formatted(ScriptedService.problem(503, "busy"));
    String late =
        "{\"status\":409,\"problem\":%s}".formatted(ScriptedService.problem(409, "payment-late"));
    try (ScriptedService service =
        doing(
            lose(),
            refuse(503, "busy"),
            results(done, busy, recorded, busy),
            lose(),
            results(busy, late),
            results(done))) {
      // when
      List<CommandResult> results =
          client(service, LONG)
              .run(
                  List.of(
                      Command.confirm("a", "p1"),
                      Command.extend("b", Duration.ofMinutes(10)),
                      Command.cancel("c"),
                      Command.confirm("d")));

      // then
      assertThat(results).extracting(CommandResult::status).containsExactly(200, 200, 202, 409);
      assertThat(results)
          .extracting(CommandResult::isOpen)
          .containsExactly(false, false, true, false);
      assertThat(results)
          .extracting(result -> result.command().orderToken())
          .containsExactly("a", "b", "c", "d");
      assertThat(results.get(3).problem().map(Problem::word)).contains("payment-late");
      assertThat(service.heard())
          .extracting(SluiceClientTest::tokens)
          .containsExactly("abcd", "abcd", "abcd", "bd", "bd", "b");
    }
  }

  @Test
  void shouldSayInAListWhichUnitsAreNotSoldAgain() {
    // given
    String done = "{\"status\":200,\"order\":%s}".formatted(order("REFUNDED"));
    try (ScriptedService service = doing(results(done, done))) {
      // when
      List<CommandResult> results =
          client(service, LONG).run(List.of(Command.refund("a", false), Command.refund("b", true)));

      // then
      assertThat(results).allMatch(CommandResult::isDone);
      assertThat(service.heard())
          .extracting(Heard::body)
          .containsExactly(
              "{\"commands\":[{\"order_token\":\"a\",\"command\":\"refund\",\"restock\":false},"
                  + "{\"order_token\":\"b\",\"command\":\"refund\"}]}");
    }
  }

  private static String tokens(Heard heard) {
    return Pattern.compile("\"order_token\":\"(.)\"")
        .matcher(heard.body())
        .results()
        .map(token -> token.group(1))
        .collect(Collectors.joining());
  }

  private static Act results(String... each) {
    return answer(200, "{\"results\":[" + String.join(",", each) + "]}");
  }

  @Test
  void shouldSayThatTheOutcomeIsOpenWhenAListHasNoAnswer() {
    // when
    SluiceException e =
        failure(
            SluiceException.class,
            SHORT,
            client -> client.run(List.of(Command.refund("a"))),
            lose());

    // then
    assertThat(e).isInstanceOf(OutcomeUnknownException.class);
  }

  @Test
  void shouldTellWhatIsKnownOfEachCommandWhenTheRestHasNoAnswer() {
    // given
    String busy = "{\"status\":503,\"problem\":%s}".formatted(ScriptedService.problem(503, "busy"));
    String done = "{\"status\":200,\"order\":%s}".formatted(order("REFUNDED"));

    try (ScriptedService service = doing(results(done, busy), lose())) {
      // when
      List<CommandResult> results =
          client(service, SHORT).run(List.of(Command.refund("a"), Command.refund("b")));

      // then
      assertThat(results).extracting(CommandResult::isDone).containsExactly(true, false);
      assertThat(results).extracting(CommandResult::isOpen).containsExactly(false, true);
    }
  }

  // ---- waits

  @Test
  void shouldWaitUntilTheOrderIsAsWanted() {
    try (ScriptedService service =
        doing(
            answer(200, order("RESERVED")),
            answer(200, order("RESERVED")),
            lose(),
            answer(200, order("PENDING")),
            answer(200, order("CONFIRMED")))) {
      // when
      Order order =
          client(service, SHORT)
              .awaitOrder(ALICE, TOKEN, seen -> !seen.status().isUnpaid(), Duration.ofSeconds(15));

      // then
      assertThat(order.status()).isEqualTo(Order.Status.CONFIRMED);
      assertThat(service.lines().findFirst()).contains("GET /v1/orders/" + TOKEN);
      assertThat(service.lines().skip(1))
          .allMatch(line -> line.matches("GET /v1/orders/" + TOKEN + "\\?wait=(10|9)"));
    }
  }

  @Test
  void shouldShowTheOrderAsItWasSeenLastWhenTheTimeIsOver() {
    try (ScriptedService service = doing(answer(200, order("PENDING")), hang())) {
      // when
      Order order =
          client(service, LONG).awaitOrder(ALICE, TOKEN, seen -> false, Duration.ofSeconds(2));

      // then
      assertThat(order.status()).isEqualTo(Order.Status.PENDING);
      assertThat(service.heard()).hasSize(2);
    }
  }

  @Test
  void shouldNotAskWithoutAPauseWhenTheServiceDoesNotWait() {
    try (ScriptedService service = doing(answer(200, order("CANCELED")))) {
      // when
      client(service, LONG).awaitOrder(ALICE, TOKEN, seen -> false, Duration.ofSeconds(2));

      // then
      assertThat(service.heard()).hasSizeLessThan(12);
    }
  }

  // ---- what is sent

  private static final String SALE =
      """
      {"sale_id":"s","name":"n","state":"OPEN","opens_at":null,"closes_at":null,"skus":[],"next_after":null}\
      """;

  static Stream<Arguments> calls() {
    String order = order("CONFIRMED");
    return Stream.of(
        call(
            "POST /v1/orders {\"lines\":[{\"qty\":1,\"sku_id\":7},{\"qty\":2,\"sku_id\":8}]}"
                + " X-User-Id: alice",
            order,
            client ->
                client.place(
                    ALICE, Purchase.of(List.of(new Purchase.Line(7, 1), new Purchase.Line(8, 2))))),
        call(
            "GET /v1/orders?limit=100&after=1.7.0.x  Authorization: Bearer jwt",
            "{\"orders\":[],\"next\":null}",
            client -> client.orders(Caller.token("jwt"), Optional.of("1.7.0.x"), 100)),
        call(
            "POST /v1/orders/a%2Fb/cancel  X-User-Id: alice",
            order, client -> client.cancel(ALICE, "a/b")),
        call("POST /v1/orders/t/cancel  OFFICE", order, client -> client.cancel("t")),
        call("POST /v1/orders/t/confirm  OFFICE", order, client -> client.confirm("t")),
        call(
            "POST /v1/orders/t/confirm {\"payment_ref\":\"p\\\"1\"} OFFICE",
            order,
            client -> client.confirm("t", "p\"1")),
        call(
            "POST /v1/orders/t/extend {\"seconds\":600} OFFICE",
            order,
            client -> client.extend("t", Duration.ofMinutes(10))),
        call("POST /v1/orders/t/refund  OFFICE", order, client -> client.refund("t")),
        call(
            "POST /v1/orders/t/refund {\"restock\":false} OFFICE",
            order,
            client -> client.refund("t", false)),
        call(
            "POST /v1/orders/t/refunds/r1/complete {\"restock\":false} OFFICE",
            order,
            client -> client.completeRefund("t", "r1", false)),
        call(
            "POST /v1/orders/t/refunds {\"refund_id\":\"r1\",\"qty\":1,\"sku_id\":8} OFFICE",
            order,
            client -> client.requestRefund("t", "r1", 1, Optional.of(8L))),
        call(
            "POST /v1/orders/t/refunds/r1/complete  OFFICE",
            order,
            client -> client.completeRefund("t", "r1")),
        call(
            "POST /v1/orders/t/refunds/r1/reject  OFFICE",
            order,
            client -> client.rejectRefund("t", "r1")),
        call("GET /v1/orders/t  OFFICE", order, client -> client.order("t")),
        call(
            "GET /v1/skus/7 ",
            "{\"sku_id\":7,\"state\":\"OPEN\",\"level\":\"LOW\"}",
            client -> client.sku(7)),
        call("GET /v1/sales/s?after=0&limit=100 ", SALE, client -> client.sale("s", 0, 100)),
        call(
            "GET /admin/events?limit=500&wait=25&after=a%2Bb  Authorization: Bearer"
                + " the-word-of-anne",
            "{\"events\":[],\"next\":\"c\",\"more\":false}",
            client -> client.events("a+b", 500, Duration.ofSeconds(25))));
  }

  private static Arguments call(String expected, String answer, Function<SluiceClient, ?> call) {
    String office = "Authorization: Bearer the-word-of-the-office";
    return Arguments.of(expected.replace("OFFICE", office), answer, call);
  }

  @ParameterizedTest
  @MethodSource("calls")
  void shouldSendTheCallOfTheContract(
      String expected, String answer, Function<SluiceClient, ?> call) {
    try (ScriptedService service = doing(answer(200, answer))) {
      // when
      Object read = call.apply(client(service, LONG));

      // then
      assertThat(read).isNotNull();
      Heard heard = service.heard().get(0);
      String who =
          Stream.of("X-User-Id", "Authorization")
              .filter(name -> heard.header(name) != null)
              .map(name -> " " + name + ": " + heard.header(name))
              .findFirst()
              .orElse("");
      assertThat(heard.line() + " " + sorted(heard.body()) + who).isEqualTo(expected);
      assertThat(heard.headers()).doesNotContainKeys("Upgrade", "HTTP2-Settings");
      assertThat(heard.header("Content-Type"))
          .isEqualTo(heard.body().isEmpty() ? null : "application/json");
    }
  }

  /** The members of a line come in any order. */
  private static String sorted(String body) {
    return body.replaceAll("\\{\"sku_id\":(\\d+),\"qty\":(\\d+)}", "{\"qty\":$2,\"sku_id\":$1}");
  }

  static Stream<Runnable> faults() {
    URI port = URI.create("http://localhost:8080");
    SluiceClient client = SluiceClient.to(port).build();
    return Stream.of(
        () -> SluiceClient.to(URI.create("localhost:8080")),
        () -> SluiceClient.to(URI.create("http://localhost:8080/?a=b")),
        () -> SluiceClient.to(port).deadline(Duration.ZERO),
        () -> Caller.user("alice\nX-User-Id: bob"),
        () -> Caller.user(""),
        () -> Purchase.of(0, 1),
        () -> Purchase.of(7, 0),
        () -> Purchase.of(List.of()),
        () -> Purchase.of(7, 1).withKey(""),
        () -> Purchase.of(7, 1).withKey("a key"),
        () -> Purchase.of(7, 1).withReference("a name"),
        () -> client.extend(TOKEN, Duration.ofMillis(999)),
        () -> client.run(List.of()));
  }

  @ParameterizedTest
  @MethodSource("faults")
  void shouldSendNothingThatIsOutOfItsRange(Runnable call) {
    assertThatThrownBy(call::run).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void shouldShowNoSecretInATextOfAValue() {
    assertThat(Caller.token("secret").toString()).isEqualTo("Caller[Authorization]");
    assertThat(Purchase.of(7, 1).withTicket("secret").toString()).doesNotContain("secret");
  }
}
