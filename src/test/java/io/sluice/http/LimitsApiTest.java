package io.sluice.http;

import static io.sluice.http.PublicPortFixture.BODY;
import static io.sluice.http.PublicPortFixture.policy;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.admission.BannedBuyers.News;
import io.sluice.grant.PlacedOrder;
import io.sluice.ledger.LedgerUnavailableException;
import io.sluice.model.Refusal;
import io.sluice.web.HttpProbe.Answer;
import io.vertx.core.Future;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Limits on callers: which calls count, and how an excess is answered. */
class LimitsApiTest {
  private static final String ORDER = "/v1/orders/" + FakeOrders.TOKEN;
  private static final String OFFICE = "Bearer " + PublicPortFixture.TOKEN;

  private static Answer place(PublicPortFixture fixture, String buyer, String key) {
    return fixture.order(BODY, buyer, "Idempotency-Key", key);
  }

  @Test
  void shouldAnswer429WithTheStateOfTheLimitWhenABuyerOrdersTooMuch() {
    // given
    try (var fixture = PublicPortFixture.limited(PublicPortFixture.admission(0, 0, 2, 0))) {
      place(fixture, "alice", "k1");
      fixture.nanos = Duration.ofSeconds(20).toNanos();
      place(fixture, "alice", "k2");

      // when
      Answer over = place(fixture, "alice", "k3");
      Answer retry = place(fixture, "alice", "k1");
      Answer bobs = place(fixture, "bob", "k3");

      // then
      assertThat(over.problem()).isEqualTo("too-many-requests");
      assertThat(over.json().getString("detail"))
          .isEqualTo("Expected at most 2 orders a minute of one buyer, but got another");
      assertThat(over.header("retry-after")).isEqualTo("40");
      assertThat(over.header("ratelimit-policy")).isEqualTo("\"buyer\";q=2;w=60");
      assertThat(over.header("ratelimit")).isEqualTo("\"buyer\";r=0;t=40");
      assertThat(retry.status()).isEqualTo(201);
      assertThat(bobs.status()).isEqualTo(201);
      assertThat(fixture.orders.asked)
          .containsExactly(
              "place alice 1001 1 k1",
              "place alice 1001 1 k2",
              "place alice 1001 1 k1",
              "place bob 1001 1 k3");
      assertThat(fixture.registry.scrape())
          .contains("sluice_admission_refused_total{limit=\"buyer\"} 1.0");
    }
  }

  @Test
  void shouldCountEachSkuWhenARequestHasNoKey() {
    // given
    try (var fixture = PublicPortFixture.limited(PublicPortFixture.admission(0, 0, 1, 0))) {
      String other = BODY.replace("1001", "1002");

      // when
      Answer first = fixture.order(BODY, "alice");
      Answer again = fixture.order(BODY, "alice");
      Answer another = fixture.order(other, "alice");

      // then
      assertThat(first.status()).isEqualTo(201);
      assertThat(again.status()).isEqualTo(201);
      assertThat(another.status()).isEqualTo(429);
    }
  }

  /** What an order may come to that is answered 503: refusals, and failures. */
  static Stream<Future<PlacedOrder>> unavailable() {
    return Stream.of(
        Future.succeededFuture(new PlacedOrder.Refused(Refusal.BUSY, "Expected x, but y", 1)),
        Future.succeededFuture(new PlacedOrder.Refused(Refusal.UNAVAILABLE, "Expected x", 1)),
        Future.failedFuture(new LedgerUnavailableException("away", new IOException("gone"))),
        Future.failedFuture(new CancellationException("the instance stops")));
  }

  @ParameterizedTest
  @MethodSource("unavailable")
  void shouldCountNothingWhenTheAnswerIs503(Future<PlacedOrder> outcome) {
    // given
    try (var fixture = PublicPortFixture.limited(PublicPortFixture.admission(0, 0, 1, 0))) {
      fixture.orders.placed = outcome;
      Answer first = place(fixture, "alice", "k1");
      place(fixture, "alice", "k2");
      fixture.orders.reset();

      // when
      Answer third = place(fixture, "alice", "k3");
      Answer fourth = place(fixture, "alice", "k4");

      // then
      assertThat(first.status()).isEqualTo(503);
      assertThat(third.status()).isEqualTo(201);
      assertThat(fourth.status()).isEqualTo(429);
    }
  }

  @Test
  void shouldCountNothingForTheBuyerWhenTheBodyIsInvalid() {
    // given
    try (var fixture = PublicPortFixture.limited(PublicPortFixture.admission(0, 0, 1, 0))) {

      // when
      Answer invalid = fixture.order("{}", "alice", "Idempotency-Key", "k1");
      Answer valid = place(fixture, "alice", "k2");

      // then
      assertThat(invalid.status()).isEqualTo(400);
      assertThat(valid.status()).isEqualTo(201);
    }
  }

  @Test
  void shouldLimitTheOrdersOfASkuWhenItHasARate() {
    // given
    try (var fixture = PublicPortFixture.limited(PublicPortFixture.admission(0, 2, 0, 0))) {
      place(fixture, "alice", "k1");
      place(fixture, "bob", "k1");

      // when
      Answer over = place(fixture, "carol", "k1");
      Answer other = fixture.order(BODY.replace("1001", "1002"), "carol");
      fixture.nanos = Duration.ofSeconds(1).toNanos();
      Answer later = place(fixture, "carol", "k1");

      // then
      assertThat(over.status()).isEqualTo(429);
      assertThat(over.header("retry-after")).isEqualTo("1");
      assertThat(over.header("ratelimit-policy")).isEqualTo("\"sku\";q=2;w=1");
      assertThat(over.header("ratelimit")).isEqualTo("\"sku\";r=0;t=1");
      assertThat(other.status()).isEqualTo(201);
      assertThat(later.status()).isEqualTo(201);
    }
  }

  @Test
  void shouldLimitAllCallsButTheBackOfficesWhenTheInstanceHasARate() {
    // given
    try (var fixture = PublicPortFixture.limited(PublicPortFixture.admission(3, 0, 0, 0))) {
      place(fixture, "alice", "k1");
      fixture.probe.get(ORDER, "X-User-Id", "alice");
      fixture.probe.get("/v1/skus/1001");

      // when
      Answer status = fixture.probe.get(ORDER, "X-User-Id", "alice");
      Answer sku = fixture.probe.get("/v1/skus/1001");
      Answer unknown = fixture.probe.get(ORDER);
      Answer seen = fixture.probe.get(ORDER, "Authorization", OFFICE);
      Answer paid = fixture.probe.post(ORDER + "/confirm", "Authorization", OFFICE);

      // then
      assertThat(status.status()).isEqualTo(429);
      assertThat(status.header("ratelimit-policy")).isEqualTo("\"instance\";q=3;w=1");
      assertThat(sku.status()).isEqualTo(429);
      assertThat(unknown.status()).isEqualTo(401);
      assertThat(seen.status()).isEqualTo(200);
      assertThat(paid.status()).isEqualTo(200);
    }
  }

  @Test
  void shouldRefuseBeforeTheBodyIsReadWhenAnAddressCallsTooMuch() {
    // given
    try (var fixture = PublicPortFixture.limited(PublicPortFixture.admission(0, 0, 0, 2))) {
      String theirs = "203.0.113.9";
      fixture.probe.get("/v1/skus/1001", "X-Forwarded-For", theirs);
      fixture.probe.get("/v1/skus/1001", "X-Forwarded-For", "1.1.1.1, " + theirs);

      // when
      Answer over =
          fixture.probe.post("/v1/orders", "X-User-Id", "alice", "X-Forwarded-For", theirs);
      Answer others = fixture.probe.get("/v1/skus/1001", "X-Forwarded-For", "203.0.113.10");

      // then
      assertThat(over.status()).isEqualTo(429);
      assertThat(over.header("retry-after")).isEqualTo("61");
      assertThat(over.header("ratelimit-policy")).isEqualTo("\"address\";q=2;w=60");
      assertThat(over.header("ratelimit")).isEqualTo("\"address\";r=0;t=61");
      assertThat(others.status()).isEqualTo(404);
    }
  }

  @Test
  void shouldCountNothingForTheAddressWhenTheAnswerIs503() {
    // given
    try (var fixture = PublicPortFixture.limited(PublicPortFixture.admission(0, 0, 0, 1))) {
      fixture.level = Future.failedFuture("away");
      Answer away = fixture.probe.get("/v1/skus/1001");
      fixture.level = Future.succeededFuture(java.util.Optional.empty());

      // when
      Answer first = fixture.probe.get("/v1/skus/1001");
      Answer second = fixture.probe.get("/v1/skus/1001");

      // then
      assertThat(away.status()).isEqualTo(503);
      assertThat(first.status()).isEqualTo(404);
      assertThat(second.status()).isEqualTo(429);
    }
  }

  @Test
  void shouldBanWhenABuyerOverrunsItsLimitAgainAndAgain() {
    // given
    try (var fixture = PublicPortFixture.limited(PublicPortFixture.admission(0, 0, 1, 0))) {
      place(fixture, "alice", "k1");
      place(fixture, "alice", "k2");
      place(fixture, "alice", "k3");

      // when
      Answer last = place(fixture, "alice", "k4");
      fixture.nanos = Duration.ofSeconds(100).toNanos();
      Answer banned = place(fixture, "alice", "k1");
      Answer seen = fixture.probe.get(ORDER, "X-User-Id", "alice");
      Answer canceled = fixture.probe.post(ORDER + "/cancel", "X-User-Id", "alice");

      // then
      assertThat(last.status()).isEqualTo(429);
      assertThat(last.header("retry-after")).isEqualTo("600");
      assertThat(banned.problem()).isEqualTo("too-many-requests");
      assertThat(banned.header("retry-after")).isEqualTo("500");
      assertThat(banned.header("ratelimit-policy")).isEqualTo("\"blacklist\";q=0;w=600");
      assertThat(banned.header("ratelimit")).isEqualTo("\"blacklist\";r=0;t=500");
      assertThat(seen.status()).isEqualTo(200);
      assertThat(canceled.status()).isEqualTo(200);
    }
  }

  @Test
  void shouldRefuseInTheOrderOfTheLimitsWhenACallIsOverSeveral() {
    // given
    try (var fixture = PublicPortFixture.limited(PublicPortFixture.admission(2, 1, 1, 1))) {
      fixture.banned.learn(new News("mallory", 1, 0, 60_000, 60_000));

      // when: no user, a banned one, too many calls of the address, a body that is none
      List<String> policies = new ArrayList<>();
      policies.add(policy(fixture.probe.post("/v1/orders")));
      policies.add(policy(from(fixture, "192.0.2.9", "mallory", BODY)));
      policies.add(policy(from(fixture, "192.0.2.1", "alice", "{")));
      policies.add(policy(from(fixture, "192.0.2.1", "alice", "{")));
      policies.add(policy(from(fixture, "192.0.2.2", "alice", BODY)));
      policies.add(policy(from(fixture, "192.0.2.3", "alice", "{")));
      fixture.nanos = Duration.ofMillis(500).toNanos();
      policies.add(policy(from(fixture, "192.0.2.4", "alice", BODY)));

      // then
      assertThat(policies)
          .containsExactly("401", "blacklist", "400", "address", "201", "instance", "sku");
    }
  }

  private static Answer from(PublicPortFixture fixture, String address, String buyer, String body) {
    return fixture.order(body, buyer, "X-Forwarded-For", address, "Idempotency-Key", "k" + address);
  }
}
