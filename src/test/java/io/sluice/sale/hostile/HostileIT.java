package io.sluice.sale.hostile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Call;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.sluice.testkit.site.SluiceProcess;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Hostile requests on both ports of two instances, with thousands of idle connections, while two
 * buyers beside order. One instance knows its callers by headers and addresses, the other by
 * tokens. {@code -Dhostile.requests=N} changes the number of requests, {@code -Dsluice.seed=N}
 * repeats the draws of a run.
 */
@Tag("alone")
class HostileIT {
  private static final Duration BODY_TIMEOUT = Duration.ofSeconds(2);
  private static final Issuer ISSUER = new Issuer();
  private static final Path KEYS = ISSUER.publish();

  @RegisterExtension
  static final SaleSite site =
      SaleSite.withInstances(1)
          .setting("SLUICE_HTTP_BODY_TIMEOUT_S", BODY_TIMEOUT.toSeconds())
          .setting("SLUICE_AUTH_JWKS_FILE", KEYS)
          .setting("SLUICE_AUTH_ISSUER", Issuer.NAME);

  private static final int REQUESTS = Integer.getInteger("hostile.requests", 8_000);
  private static final long SEED = Long.getLong("sluice.seed", System.nanoTime());
  private static final int WARM_UP = 2_000;
  private static final int IDLE = 3_000;
  private static final int UNFINISHED_EVERY = 60;

  /** A machine that runs thousands of connections and three JVMs stands still for seconds. */
  private static final Duration LIMIT = BODY_TIMEOUT.plusSeconds(18);

  /** In a short run all JVMs are cold. */
  private static final long BUYER_P99_MS = REQUESTS < 100_000 ? 1_000 : 250;

  private static final String AMY = "amy";
  private static final int UNITS = 100_000;

  /** No hold ends while the promises are checked, however long the run was. */
  private static final Duration TIME_TO_PAY = Duration.ofHours(2);

  /** Of ten requests, how many are of the first kind, and of the others. */
  private static final int[] SHARES = {6, 2, 1, 1};

  private static SluiceProcess guarded;

  private final Faults faults = new Faults();

  /** Not the buyers', who must not wait for their event loop. */
  private final Vertx attackers =
      Vertx.vertx(new VertxOptions().setUseDaemonThread(true).setEventLoopPoolSize(1));

  private final RawCaller caller = new RawCaller(attackers);
  private final Dice random = new Dice(SEED);
  private final Dice slowRandom = new Dice(SEED);
  private final AtomicInteger orders = new AtomicInteger();
  private int nonsense;

  /**
   * @param ticketedOrder an order of amy, who has a token and a ticket
   */
  private record Scene(
      Victim victim, Sale sale, Sale ticketed, Call ticketedOrder, List<Target> targets) {}

  private record Heard(List<Answer> answers, long percentile99Ms) {}

  @BeforeAll
  static void startTheInstanceWithTokens() {
    guarded = site.newInstance(Issuer.settings()).start().awaitReady();
  }

  @AfterEach
  void closeAttackers() {
    attackers.close().await();
    // The promises are then checked without its operators' token.
    guarded.terminate();
  }

  @AfterAll
  static void deleteKeys() throws IOException {
    Files.deleteIfExists(KEYS);
  }

  @Test
  void shouldServeTheBuyersBesideAndKeepNothingWhenManyRequestsAreHostile() throws Exception {
    // given
    System.out.println("hostile requests: -Dsluice.seed=" + SEED);
    Scene scene = scene();
    String state = scene.victim().state();
    attackWhileOrdering(WARM_UP, scene);
    List<Footprint> before = footprints();

    // when
    List<Runnable> idle = idleConnections();
    List<Heard> buyers = attackWhileOrdering(REQUESTS, scene);
    idle.forEach(Runnable::run);

    // then
    assertThat(faults.all()).isEmpty();
    assertThat(buyers)
        .allSatisfy(
            buyer -> {
              assertThat(buyer.answers()).extracting(Answer::status).containsOnly(201);
              assertThat(buyer.percentile99Ms()).isLessThan(BUYER_P99_MS);
            });
    assertThat(scene.victim().state()).isEqualTo(state);
    for (Footprint footprint : before) {
      footprint.assertRestored(site, LIMIT);
    }
  }

  private Sale sale() {
    return site.sale(site.newSkuId(), plain())
        .withStock(UNITS)
        .withPaymentWindow(TIME_TO_PAY)
        .open()
        .at(plain());
  }

  private Scene scene() {
    Victim victim = Victim.at(site, plain());
    Sale sale = sale();
    Sale ticketed = sale();
    assertThat(
            ticketed.put(
                new JsonObject()
                    .put("total_stock", UNITS)
                    .put("payment_window_s", TIME_TO_PAY.toSeconds())
                    .put("ticket", true)))
        .matches(Answer::isYes);
    List<Target> targets =
        List.of(
            new Target(plain(), false, HostileRequest.LOCAL, "X-User-Id: " + Target.EVE + "\r\n"),
            new Target(
                guarded,
                true,
                HostileRequest.LOCAL + bearer(Issuer.OPERATOR_TOKEN),
                bearer(ISSUER.sign(Issuer.claims(Target.EVE)))));
    Call unticketed = orderOfAmy(ticketed.skuId());
    String ticket = ISSUER.sign(Issuer.claims(AMY, ticketed.skuId()));
    await().atMost(LIMIT).until(() -> ticketed.order(Buyer.named(Target.EVE)).status() == 403);
    await().atMost(LIMIT).until(() -> site.http().ask(unticketed).status() == 403);
    return new Scene(victim, sale, ticketed, unticketed.header("Sluice-Ticket", ticket), targets);
  }

  private static Call orderOfAmy(long skuId) {
    return Call.post(guarded.url() + "/v1/orders")
        .header("Authorization", "Bearer " + ISSUER.sign(Issuer.claims(AMY)))
        .json(new JsonObject().put("sku_id", skuId).put("qty", 1));
  }

  private static List<Footprint> footprints() throws IOException {
    return List.of(
        Footprint.of(plain(), Call.get(plain().adminUrl() + "/metrics")),
        Footprint.of(
            guarded,
            Call.get(guarded.adminUrl() + "/metrics")
                .header("Authorization", "Bearer " + Issuer.READER_TOKEN)));
  }

  /** Returns the answers to the buyers. */
  private List<Heard> attackWhileOrdering(int number, Scene scene) throws InterruptedException {
    SlowRequests slow = new SlowRequests(scene.targets(), scene.victim(), slowRandom);
    BuyerBeside ben =
        BuyerBeside.start(
            "ben",
            site.vertx(),
            () -> scene.sale().ordering(Buyer.named("b" + orders.incrementAndGet()), "k", 1));
    BuyerBeside amy =
        BuyerBeside.start(
            AMY,
            site.vertx(),
            () ->
                site.http()
                    .send(
                        scene
                            .ticketedOrder()
                            .header("Idempotency-Key", "k" + orders.incrementAndGet())));
    SlowAttack beside = SlowAttack.start(slow, faults, BODY_TIMEOUT, LIMIT);
    try {
      new Attack(caller, faults, LIMIT).send(number, sources(scene));
    } finally {
      beside.stop();
    }
    System.out.println(faults.tally());
    return List.of(heard(ben), heard(amy));
  }

  private static Heard heard(BuyerBeside buyer) {
    List<Answer> answers = buyer.stop();
    return new Heard(answers, buyer.usualPercentile99Ms(answers));
  }

  /** Ten sources, each a kind of request. */
  private List<Supplier<HostileRequest>> sources(Scene scene) {
    List<Target> targets = scene.targets();
    HostileRequests requests = new HostileRequests(random);
    TokenCalls tokens =
        new TokenCalls(targets, ISSUER, scene.victim(), scene.ticketed().skuId(), random);
    ForeignCalls foreign = new ForeignCalls(targets, scene.victim(), random);
    AdminBodies bodies = new AdminBodies(targets, scene.victim(), random);
    List<Supplier<HostileRequest>> kinds =
        List.of(
            () -> nonsense(targets.get(0), requests), tokens::next, foreign::next, bodies::next);
    List<Supplier<HostileRequest>> sources = new ArrayList<>();
    for (int kind = 0; kind < SHARES.length; kind++) {
      sources.addAll(Collections.nCopies(SHARES[kind], kinds.get(kind)));
    }
    return sources;
  }

  private HostileRequest nonsense(Target target, HostileRequests requests) {
    if (nonsense++ % UNFINISHED_EVERY == 0) {
      return new HostileRequest(target.publicPort(), requests.unfinished(), Due.ANSWER);
    }
    int port = random.nextBoolean() ? target.publicPort() : target.adminPort();
    return new HostileRequest(port, requests.next(), Due.ANSWER);
  }

  private List<Runnable> idleConnections() {
    int port = URI.create(plain().url()).getPort();
    return IntStream.range(0, IDLE).mapToObj(i -> caller.idle(port)).toList().stream()
        .map(open -> open.await())
        .toList();
  }

  private static String bearer(String token) {
    return "Authorization: Bearer " + token + "\r\n";
  }

  private static SluiceProcess plain() {
    return site.instance(0);
  }
}
