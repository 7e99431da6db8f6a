package io.sluice.chaos;

import io.sluice.chaos.buyer.Goods;
import io.sluice.chaos.buyer.Goods.Item;
import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.SaleSite;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/**
 * Buys every unit that the ledger shows as available, through the API, as buyers who go on asking.
 */
final class SellOut {
  private static final int ROUND = 100;
  private static final int VISITORS = 16;
  private static final Duration IN_VAIN_MAX = Duration.ofSeconds(20);

  /** For how long an instance may not know that the next sale of a SKU has begun. */
  private static final long NEWS_NANOS = Duration.ofSeconds(3).toNanos();

  /** An answer, with the times at which its request was sent and it came. */
  private record Heard(long sentNanos, long atNanos, Answer answer) {
    boolean isYes() {
      return answer.isYes();
    }

    boolean isSoldOut() {
      return answer.brief().equals("409 sold-out");
    }

    /** Where its bucket is empty, a buyer hears {@code busy} until units of another one come. */
    boolean isExpected() {
      return isYes() || isSoldOut() || answer.brief().equals("503 busy");
    }

    /** As of the sale before. */
    boolean isOld(long begunNanos) {
      return answer.brief().equals("409 not-open") && sentNanos - begunNanos < NEWS_NANOS;
    }
  }

  private final SaleSite site;
  private final Goods goods;
  private int number;

  SellOut(SaleSite site, Goods goods) {
    this.site = site;
    this.goods = goods;
  }

  List<String> breaches() {
    var breaches = new ArrayList<String>();
    goods.all().forEach(item -> sellOut(item, breaches));
    return breaches;
  }

  private void sellOut(Item item, List<String> breaches) {
    Answer prepared = goods.giveTime(item);
    if (!prepared.isYes()) {
      breaches.add("%s: cannot change the time to pay: %s".formatted(item.name(), prepared));
      return;
    }
    long begunNanos = System.nanoTime();
    long available = item.sale().ledger().available();
    Queue<Heard> heard = new ConcurrentLinkedQueue<>();
    while (yeses(heard) < available && getsMore(item, heard)) {}
    Answer oneMore = oneMore(item, heard);
    List<Heard> others =
        heard.stream()
            .filter(each -> !each.isExpected())
            .filter(each -> !item.equals(goods.seasonal()) || !each.isOld(begunNanos))
            .toList();
    if (yeses(heard) != available || !oneMore.brief().equals("409 sold-out") || !others.isEmpty()) {
      breaches.add(
          "%s: %d available in the ledger, %d could be bought, then: %s; other answers: %s"
              .formatted(item.name(), available, yeses(heard), oneMore, others));
    }
    long lastYesNanos =
        heard.stream().filter(Heard::isYes).mapToLong(Heard::sentNanos).max().orElse(0);
    heard.stream()
        .filter(each -> each.isSoldOut() && each.atNanos() < lastYesNanos)
        .forEach(each -> breaches.add("%s: a unit was left after %s".formatted(item.name(), each)));
  }

  /** Buyers of several buckets go on asking until two readings of all buckets agree. */
  private Answer oneMore(Item item, Queue<Heard> heard) {
    long untilNanos = System.nanoTime() + IN_VAIN_MAX.toNanos();
    Answer answer;
    do {
      answer = site.crowd(1).send(wishes(item, 1, heard)).get(0);
    } while (answer.brief().equals("503 busy") && System.nanoTime() < untilNanos);
    return answer;
  }

  private static long yeses(Queue<Heard> heard) {
    return heard.stream().filter(Heard::isYes).count();
  }

  /** Asks until something is granted; false where nothing is. */
  private boolean getsMore(Item item, Queue<Heard> heard) {
    long before = yeses(heard);
    try {
      Awaitility.await()
          .atMost(IN_VAIN_MAX)
          .pollDelay(Duration.ZERO)
          .until(
              () -> {
                site.crowd(VISITORS).send(wishes(item, ROUND, heard));
                return yeses(heard) > before;
              });
      return true;
    } catch (ConditionTimeoutException e) {
      return false;
    }
  }

  private List<Supplier<Future<Answer>>> wishes(Item item, int count, Queue<Heard> heard) {
    return IntStream.range(0, count)
        .mapToObj(i -> new Buyer(item.user("last-" + number++)))
        .<Supplier<Future<Answer>>>map(buyer -> () -> ordering(item, buyer, heard))
        .toList();
  }

  private static Future<Answer> ordering(Item item, Buyer buyer, Queue<Heard> heard) {
    long sentNanos = System.nanoTime();
    return item.sale()
        .ordering(buyer, "last", 1)
        .onSuccess(answer -> heard.add(new Heard(sentNanos, System.nanoTime(), answer)));
  }
}
