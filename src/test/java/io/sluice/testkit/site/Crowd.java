package io.sluice.testkit.site;

import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Many concurrent callers on several client threads. Each visitor takes the next request as soon as
 * its last one was answered.
 */
public record Crowd(Vertx vertx, int threads, int visitors) {
  private static final Duration LIMIT = Duration.ofMinutes(3);

  /**
   * Sends all requests and waits for the answers; they are returned in the order of the requests.
   */
  public List<Answer> send(List<Supplier<Future<Answer>>> requests) {
    return await(start(requests));
  }

  /** The same without waiting. */
  public Future<List<Answer>> start(List<Supplier<Future<Answer>>> requests) {
    var rush = new Rush(requests, visitors);
    int share = Math.max(1, visitors / threads);
    vertx
        .deployVerticle(
            () ->
                new VerticleBase() {
                  @Override
                  public Future<?> start() {
                    for (int visitor = 0; visitor < share; visitor++) {
                      rush.visit();
                    }
                    return Future.succeededFuture();
                  }
                },
            new DeploymentOptions().setInstances(threads))
        .onFailure(rush.done::tryFail)
        .onSuccess(id -> rush.done.future().onComplete(any -> vertx.undeploy(id)));
    return rush.done.future();
  }

  /** A request for each of them; waits for the answers. */
  public <T> List<Answer> send(Collection<T> each, Function<T, Future<Answer>> request) {
    return await(start(each, request));
  }

  /** The same without waiting. */
  public <T> Future<List<Answer>> start(Collection<T> each, Function<T, Future<Answer>> request) {
    return start(
        each.stream().<Supplier<Future<Answer>>>map(one -> () -> request.apply(one)).toList());
  }

  public static List<Answer> await(Future<List<Answer>> answers) {
    try {
      return answers.await(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new AssertionError("the crowd has not finished after " + LIMIT, e);
    }
  }

  /** The number of times each brief answer was given. */
  public static Map<String, Long> tally(Collection<Answer> answers) {
    return answers.stream()
        .collect(Collectors.groupingBy(Answer::brief, TreeMap::new, Collectors.counting()));
  }

  /** One pass of the visitors through a list of requests. */
  private static final class Rush {
    private final List<Supplier<Future<Answer>>> requests;
    private final Answer[] answers;
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicInteger open;
    private final Promise<List<Answer>> done = Promise.promise();

    Rush(List<Supplier<Future<Answer>>> requests, int visitors) {
      this.requests = requests;
      this.answers = new Answer[requests.size()];
      this.open = new AtomicInteger(requests.size());
      if (requests.isEmpty() || visitors < 1) {
        throw new IllegalArgumentException("a crowd needs visitors and requests");
      }
    }

    void visit() {
      int index = next.getAndIncrement();
      if (index >= requests.size()) {
        return;
      }
      requests
          .get(index)
          .get()
          .onComplete(
              answer -> {
                answers[index] = answer;
                if (open.decrementAndGet() == 0) {
                  done.tryComplete(Arrays.asList(answers));
                }
                visit();
              },
              done::tryFail);
    }
  }
}
