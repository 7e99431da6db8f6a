package io.sluice.sale.neighbour;

import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Crowd;
import io.sluice.testkit.site.Sale;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/**
 * Buyers who order, and pay or cancel, for as long as a test lets them. Each repeats its requests
 * until the outcome is known.
 */
final class Flow {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Duration BETWEEN_BUYERS = Duration.ofMillis(100);
  private static final Duration BEFORE_THE_NEXT_TRY = Duration.ofMillis(200);
  private static final String KEY = "k1";

  /** What a buyer does with an order; they take turns. */
  private enum Wish {
    KEEP,
    PAY,
    CANCEL
  }

  private record Visit(Buyer buyer, Wish wish, Promise<Answer> end) {}

  private final Vertx vertx;
  private final Sale sale;
  private final AtomicInteger arrivals = new AtomicInteger();
  private final Map<Buyer, String> tokens = new ConcurrentHashMap<>();
  private final Map<Wish, Queue<String>> settled =
      Map.of(
          Wish.KEEP, new ConcurrentLinkedQueue<>(),
          Wish.PAY, new ConcurrentLinkedQueue<>(),
          Wish.CANCEL, new ConcurrentLinkedQueue<>());
  private final Queue<Answer> unexpected = new ConcurrentLinkedQueue<>();
  private final List<Promise<Answer>> ends;
  private volatile boolean ended;

  private Flow(Vertx vertx, Sale sale, int visitors) {
    this.vertx = vertx;
    this.sale = sale;
    this.ends =
        IntStream.range(0, visitors).mapToObj(visitor -> Promise.<Answer>promise()).toList();
  }

  /** This many buyers at a time; each that has done is followed by another. */
  static Flow of(Vertx vertx, Sale sale, int visitors) {
    Flow flow = new Flow(vertx, sale, visitors);
    flow.ends.forEach(flow::next);
    return flow;
  }

  private void next(Promise<Answer> end) {
    if (ended) {
      end.complete();
      return;
    }
    int number = arrivals.incrementAndGet();
    Wish wish = Wish.values()[number % Wish.values().length];
    order(new Visit(Buyer.named("flowing-" + number), wish, end));
  }

  private void order(Visit visit) {
    repeat(
        () -> sale.ordering(visit.buyer(), KEY, 1),
        visit,
        Answer::isYes,
        answer -> {
          tokens.put(visit.buyer(), answer.token());
          settle(visit, answer.token());
        });
  }

  private void settle(Visit visit, String token) {
    switch (visit.wish()) {
      case KEEP -> done(visit, token);
      case PAY -> command(visit, token, () -> sale.paying(token), "200 CONFIRMED");
      case CANCEL ->
          command(visit, token, () -> sale.canceling(visit.buyer(), token), "200 CANCELED");
    }
  }

  private void command(Visit visit, String token, Supplier<Future<Answer>> call, String brief) {
    repeat(call, visit, answer -> answer.brief().equals(brief), answer -> done(visit, token));
  }

  private void repeat(
      Supplier<Future<Answer>> call, Visit visit, Predicate<Answer> wanted, Consumer<Answer> then) {
    call.get()
        .onComplete(
            answer -> {
              if (wanted.test(answer)) {
                then.accept(answer);
              } else if (isOpen(answer)) {
                later(BEFORE_THE_NEXT_TRY, () -> repeat(call, visit, wanted, then));
              } else {
                unexpected.add(answer);
                next(visit.end());
              }
            },
            visit.end()::tryFail);
  }

  /** Nothing was heard, or nothing final. */
  private static boolean isOpen(Answer answer) {
    return !answer.came() || answer.status() == 503 || answer.status() == 202;
  }

  private void done(Visit visit, String token) {
    settled.get(visit.wish()).add(token);
    later(BETWEEN_BUYERS, () -> next(visit.end()));
  }

  private void later(Duration pause, Runnable what) {
    vertx
        .timer(pause.toMillis(), TimeUnit.MILLISECONDS)
        .onComplete(now -> what.run(), failure -> ends.forEach(end -> end.tryFail(failure)));
  }

  /** Returns once this many further orders were granted. */
  void awaitOrders(int count) {
    int wanted = tokens.size() + count;
    Awaitility.await().atMost(LIMIT).until(() -> tokens.size() >= wanted);
  }

  /** Lets no further buyer in, and waits until those inside have done. */
  Flow end() {
    ended = true;
    Crowd.await(Future.all(ends.stream().map(Promise::future).toList()).map(all -> all.list()));
    return this;
  }

  /** Final answers that no buyer can explain; none in a sound system. */
  List<Answer> unexpected() {
    return List.copyOf(unexpected);
  }

  List<String> kept() {
    return List.copyOf(settled.get(Wish.KEEP));
  }

  List<String> paid() {
    return List.copyOf(settled.get(Wish.PAY));
  }

  List<String> canceled() {
    return List.copyOf(settled.get(Wish.CANCEL));
  }

  /** The same requests once more, of all buyers whose orders have not ended. */
  List<Supplier<Future<Answer>>> again(Sale where) {
    Set<String> alive = Stream.concat(kept().stream(), paid().stream()).collect(Collectors.toSet());
    return tokens.entrySet().stream()
        .filter(entry -> alive.contains(entry.getValue()))
        .<Supplier<Future<Answer>>>map(entry -> () -> where.ordering(entry.getKey(), KEY, 1))
        .toList();
  }
}
