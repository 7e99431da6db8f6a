package io.sluice.sale;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.process.ProgressBar;
import io.sluice.testkit.process.Screen;
import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Crowd;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.sluice.testkit.site.SluiceProcess;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Hostile requests on both ports, with thousands of idle connections, while a buyer beside orders.
 * {@code -Dhostile.requests=N} changes their number, {@code -Dsluice.seed=N} repeats a run.
 */
@Tag("alone")
class HostileIT {
  private static final int BODY_TIMEOUT_S = 2;

  @RegisterExtension
  static final SaleSite site =
      SaleSite.withInstances(1).setting("SLUICE_HTTP_BODY_TIMEOUT_S", BODY_TIMEOUT_S);

  private static final int REQUESTS = Integer.getInteger("hostile.requests", 50_000);
  private static final long SEED = Long.getLong("sluice.seed", System.nanoTime());
  private static final int WARM_UP = 4_000;
  private static final int AT_A_TIME = 200;
  private static final int IDLE = 3_000;
  private static final int UNFINISHED_EVERY = 100;
  private static final int PER_MS = 2;
  private static final Duration LIMIT = Duration.ofSeconds(BODY_TIMEOUT_S + 8);
  private static final Duration BUYER_EVERY = Duration.ofMillis(100);
  private static final long BUYER_P99_MS = 250;
  private static final int PARTS = 5;
  private static final int MANY = 2_000;
  private static final long HEAP_GROWTH_MAX = 50L << 20;
  private static final int DESCRIPTORS_GROWTH_MAX = 20;
  private static final int FAULTS_SHOWN = 5;
  private static final int SHOWN = 400;
  private static final Pattern STATUS = Pattern.compile("HTTP/1\\.[01] (\\d{3}) ");
  private static final Pattern INSIDES =
      Pattern.compile("Exception|\\tat |io\\.(sluice|vertx|netty)|java\\.lang");
  private static final List<String> STATUSES =
      List.of(
          "100", "200", "204", "400", "401", "403", "404", "405", "408", "413", "415", "429", "431",
          "503", "505");

  private final HostileRequests requests = new HostileRequests(SEED);
  private final Queue<String> faults = new ConcurrentLinkedQueue<>();

  /** Not the buyer's, who must not wait for their event loop. */
  private final Vertx attackers =
      Vertx.vertx(new VertxOptions().setUseDaemonThread(true).setEventLoopPoolSize(1));

  private RawCaller caller;
  private int buyers;

  @AfterEach
  void closeAttackers() {
    attackers.close().await();
  }

  @Test
  void shouldServeTheBuyerBesideAndKeepNothingWhenManyRequestsAreHostile() throws Exception {
    // given
    System.out.println("hostile requests: -Dsluice.seed=" + SEED);
    caller = new RawCaller(attackers);
    Sale sale = site.sale().withStock(100_000).open();
    SluiceProcess instance = site.instance(0);
    attackWhileOrdering(WARM_UP, sale);
    long heap = liveHeap(instance);
    long descriptors = descriptors(instance);

    // when
    List<Runnable> idle = idleConnections(instance);
    List<Answer> answers = attackWhileOrdering(REQUESTS, sale);
    idle.forEach(Runnable::run);

    // then
    assertThat(faults).isEmpty();
    assertThat(answers).extracting(Answer::status).containsOnly(201);
    assertThat(usualPercentile99Ms(answers)).isLessThan(BUYER_P99_MS);
    await().atMost(LIMIT).until(() -> gauge("sluice_http_requests_in_flight") == 0);
    await()
        .atMost(LIMIT)
        .until(() -> descriptors(instance) <= descriptors + DESCRIPTORS_GROWTH_MAX);
    assertThat(liveHeap(instance) - heap).isLessThan(HEAP_GROWTH_MAX);
  }

  /** Returns the answers to the buyer. */
  private List<Answer> attackWhileOrdering(int number, Sale sale) throws InterruptedException {
    List<Future<Answer>> orders = new CopyOnWriteArrayList<>();
    long buyer =
        site.vertx()
            .setPeriodic(
                BUYER_EVERY.toMillis(),
                tick -> orders.add(sale.ordering(Buyer.named("b" + ++buyers), "k", 1)));
    attack(number);
    site.vertx().cancelTimer(buyer);
    return Crowd.await(Future.all(orders).map(all -> all.list()));
  }

  private void attack(int number) throws InterruptedException {
    int[] ports = {port(site.instance(0).url()), port(site.instance(0).adminUrl())};
    Semaphore places = new Semaphore(AT_A_TIME);
    AtomicInteger sent = new AtomicInteger();
    try (ProgressBar progress =
        ProgressBar.show(Screen.ofStandardOutput(), "hostile", number, sent::get, () -> "")) {
      while (sent.get() < number) {
        boolean unfinished = sent.get() % UNFINISHED_EVERY == 0;
        byte[] request = unfinished ? requests.unfinished() : requests.next();
        places.acquire();
        caller
            .send(ports[sent.get() % ports.length], request, LIMIT)
            .onComplete(answer -> check(request, answer.result(), answer.cause()))
            .onComplete(answer -> places.release());
        if (sent.incrementAndGet() % PER_MS == 0) {
          TimeUnit.MILLISECONDS.sleep(1);
        }
      }
    }
    assertThat(places.tryAcquire(AT_A_TIME, 30, TimeUnit.SECONDS)).isTrue();
  }

  private void check(byte[] request, String answer, Throwable open) {
    if (open != null) {
      fault("not connected: " + open, request, "");
    } else if (answer.isEmpty()) {
      fault("no answer", request, "");
    } else if (INSIDES.matcher(answer).find()) {
      fault("shows its insides", request, answer);
    } else if (!STATUS
        .matcher(answer)
        .results()
        .map(HostileIT::status)
        .allMatch(STATUSES::contains)) {
      fault("another status", request, answer);
    }
  }

  private static String status(MatchResult line) {
    return line.group(1);
  }

  private void fault(String what, byte[] request, String answer) {
    if (faults.size() < FAULTS_SHOWN) {
      String asked = new String(request, 0, Math.min(request.length, SHOWN), ISO_8859_1);
      faults.add(what + "\n" + asked + "\n-> " + answer);
    }
  }

  private List<Runnable> idleConnections(SluiceProcess instance) {
    return IntStream.range(0, IDLE)
        .mapToObj(i -> caller.idle(port(instance.url())))
        .toList()
        .stream()
        .map(open -> open.await())
        .toList();
  }

  /**
   * Of all answers where they are many. Of few, the slowest five decide, and so one pause of the
   * machine: then the median over parts of the attack.
   */
  private static long usualPercentile99Ms(List<Answer> answers) {
    int parts = answers.size() < MANY ? PARTS : 1;
    List<Long> found =
        IntStream.range(0, parts)
            .mapToObj(
                part ->
                    answers.subList(
                        answers.size() * part / parts, answers.size() * (part + 1) / parts))
            .map(HostileIT::percentile99Ms)
            .toList();
    System.out.println("the buyer's 99th percentile: " + found + " ms of " + answers.size());
    return found.stream().sorted().toList().get(parts / 2);
  }

  private static long percentile99Ms(List<Answer> answers) {
    List<Long> took = answers.stream().map(answer -> answer.took().toMillis()).sorted().toList();
    return took.get(took.size() * 99 / 100);
  }

  private static int port(String url) {
    return URI.create(url).getPort();
  }

  private static double gauge(String name) {
    return MetricsPage.value(site, name);
  }

  /** Open files and sockets. */
  private static long descriptors(SluiceProcess instance) {
    String[] open = Path.of("/proc", String.valueOf(instance.pid()), "fd").toFile().list();
    return open == null ? 0 : open.length;
  }

  /** The bytes of live objects; counting them collects the others. */
  private static long liveHeap(SluiceProcess instance) throws IOException {
    Process histogram =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                String.valueOf(instance.pid()),
                "GC.class_histogram")
            .start();
    String text = new String(histogram.getInputStream().readAllBytes(), UTF_8);
    Matcher total = Pattern.compile("Total\\s+\\d+\\s+(\\d+)").matcher(text);
    assertThat(total.find()).as(text).isTrue();
    return Long.parseLong(total.group(1));
  }
}
