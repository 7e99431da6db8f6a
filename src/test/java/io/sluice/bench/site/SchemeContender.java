package io.sluice.bench.site;

import io.sluice.bench.BenchException;
import io.sluice.bench.Plan;
import io.sluice.bench.schemes.SchemeKind;
import io.sluice.bench.schemes.SchemeServer;
import io.sluice.testkit.process.ChildJvm;
import io.sluice.testkit.process.FreePort;
import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Call;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** One of the other schemes, in a JVM of its own. */
public final class SchemeContender implements Contender {
  private static final Duration START_LIMIT = Duration.ofSeconds(30);
  private static final Duration SETTLE_LIMIT = Duration.ofSeconds(20);

  private final Site site;
  private final SchemeKind kind;
  private final List<String> jvm;
  private final int port = FreePort.next();
  private long lastSku;
  private ChildJvm server;

  public SchemeContender(Site site, Plan plan, SchemeKind kind) {
    this.site = site;
    this.kind = kind;
    this.jvm = Plan.words(plan.jvm());
    restart();
  }

  @Override
  public String name() {
    return kind.title();
  }

  @Override
  public String url() {
    return "http://127.0.0.1:" + port;
  }

  @Override
  public long newSku(long units) {
    lastSku = site.nextSku();
    restock(lastSku, units);
    return lastSku;
  }

  @Override
  public void restock(long skuId, long units) {
    Answer answer = site.caller().ask(Call.put(url() + "/stock?sku=" + skuId + "&units=" + units));
    if (!answer.isYes()) {
      throw new BenchException(name() + " refused the restock: " + answer);
    }
  }

  /** Waits until its orders stop growing, or long enough to count what is lost. */
  @Override
  public void settle() {
    long endNs = System.nanoTime() + SETTLE_LIMIT.toNanos();
    long before = -1;
    long now = books(lastSku).recorded();
    while (now != before && System.nanoTime() < endNs) {
      LockSupport.parkNanos(Site.POLL.toNanos() * 5);
      before = now;
      now = books(lastSku).recorded();
    }
  }

  /** SIGSTOP. */
  public void pause() {
    server.pause();
  }

  public void resume() {
    server.resume();
  }

  @Override
  public void kill() {
    server.kill();
  }

  @Override
  public void restart() {
    server =
        ChildJvm.start(
            "bench-scheme",
            jvm,
            SchemeServer.class,
            List.of(
                kind.name(),
                String.valueOf(port),
                site.backends().redis().uri(),
                site.schemeDatabase(),
                site.backends().kafka().bootstrapServers()));
    server.awaitLine("listening", START_LIMIT);
  }

  @Override
  public Books books(long skuId) {
    var books = site.caller().ask(Call.get(url() + "/books?sku=" + skuId)).json();
    return new Books(books.getLong("deducted"), books.getLong("recorded"));
  }

  @Override
  public void close() {
    server.close();
  }
}
