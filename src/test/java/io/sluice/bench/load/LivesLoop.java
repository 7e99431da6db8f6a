package io.sluice.bench.load;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.EventLoopGroup;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.HdrHistogram.Histogram;

/**
 * One thread that orders and confirms. Arrivals and confirmations are due on a schedule that slow
 * answers do not delay; what finds no connection waits, and its latency counts from when it was
 * due.
 */
final class LivesLoop {
  private static final int TICK_US = 200;
  private static final int LAST_ANSWERS_S = 20;
  private static final String TOKEN = "\"order_token\":\"";

  /** A confirmation to come. */
  private record Due(String token, long atNs) {}

  private final LivesSpec spec;
  private final Function<ByteBufAllocator, ByteBuf> nextOrder;
  private final Histogram grantUs = new Histogram(2);
  private final Histogram payUs = new Histogram(2);

  /** In the order of their times, since all buyers take equally long. */
  private final ArrayDeque<Due> toPay = new ArrayDeque<>();

  private final CountDownLatch done = new CountDownLatch(1);
  private Lane ordering;
  private Lane paying;
  private long startNs;
  private long endNs;
  private long arrivals;
  private long granted;
  private long refused;
  private long failed;
  private long unpaid;
  private long confirmed;
  private long accepted;
  private long late;
  private long payFailed;

  LivesLoop(LivesSpec spec) {
    this.spec = spec;
    this.nextOrder = new RequestBytes(spec.orders())::next;
  }

  /** {@code onBegin} runs when the first order is due. */
  LivesHeard run(Runnable onBegin) throws InterruptedException {
    EventLoopGroup loop = LoadChannels.oneThread();
    URI target = URI.create(spec.orders().url());
    Bootstrap bootstrap =
        LoadChannels.bootstrap(loop).remoteAddress(target.getHost(), target.getPort());
    ordering = new Lane(bootstrap, spec.orders().connections(), this::ordered);
    paying = new Lane(bootstrap, spec.payingMax(), this::paid);
    loop.next()
        .execute(
            () -> {
              onBegin.run();
              startNs = System.nanoTime();
              endNs = startNs + spec.orders().length().toNanos();
              loop.next().scheduleAtFixedRate(this::tick, 0, TICK_US, TimeUnit.MICROSECONDS);
            });
    done.await(
        spec.orders().length().plus(spec.payAfter()).toSeconds() + LAST_ANSWERS_S,
        TimeUnit.SECONDS);
    LivesHeard heard = loop.next().submit(this::heard).sync().getNow();
    loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
    return heard;
  }

  /** Sends what is due by now. */
  private void tick() {
    long now = System.nanoTime();
    long dueNs = dueNs(arrivals);
    while (dueNs <= now && dueNs < endNs && now < endNs && ordering.hasRoom()) {
      ordering.send(nextOrder, dueNs);
      arrivals++;
      dueNs = dueNs(arrivals);
    }
    while (!toPay.isEmpty() && toPay.peek().atNs() <= now && paying.hasRoom()) {
      Due due = toPay.poll();
      paying.send(allocator -> confirmation(allocator, due.token()), due.atNs());
    }
    if (now >= endNs && ordering.underWay() + paying.underWay() == 0 && toPay.isEmpty()) {
      done.countDown();
    }
  }

  private long dueNs(long arrival) {
    return startNs + arrival * 1_000_000_000L / spec.orders().ratePerS();
  }

  private void ordered(int status, ByteBuf answer, long dueNs) {
    long now = System.nanoTime();
    Optional<String> token = status / 100 == 2 ? tokenIn(answer) : Optional.empty();
    if (token.isEmpty()) {
      refused += status / 100 == 4 ? 1 : 0;
      failed += status / 100 == 4 ? 0 : 1;
      return;
    }
    grantUs.recordValue(us(now - dueNs));
    if (LivesSpec.isPaid(granted++)) {
      toPay.add(new Due(token.get(), now + spec.payAfter().toNanos()));
    } else {
      unpaid++;
    }
  }

  private void paid(int status, ByteBuf answer, long dueNs) {
    if (status == 202) {
      accepted++;
    } else if (status / 100 == 2) {
      confirmed++;
    } else if (status / 100 == 4) {
      late++;
    } else {
      payFailed++;
      return;
    }
    payUs.recordValue(us(System.nanoTime() - dueNs));
  }

  private static long us(long ns) {
    return Math.max(0, ns / 1_000);
  }

  /** The token in the JSON of an order. */
  static Optional<String> tokenIn(ByteBuf answer) {
    String text = answer.toString(US_ASCII);
    int name = text.indexOf(TOKEN);
    int from = name + TOKEN.length();
    int to = name < 0 ? -1 : text.indexOf('"', from);
    return to < 0 ? Optional.empty() : Optional.of(text.substring(from, to));
  }

  /** Its Host is the loopback address, as the back office needs it that has no token. */
  private static ByteBuf confirmation(ByteBufAllocator allocator, String token) {
    String head =
        "POST /v1/orders/%s/confirm HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 0\r\n\r\n";
    byte[] bytes = head.formatted(token).getBytes(US_ASCII);
    return allocator.directBuffer(bytes.length).writeBytes(bytes);
  }

  /** What is without an answer has failed. */
  private LivesHeard heard() {
    long all = spec.orders().length().toNanos() / 1_000 * spec.orders().ratePerS() / 1_000_000;
    return new LivesHeard(
        granted,
        refused,
        failed + ordering.underWay(),
        Math.max(0, all - arrivals),
        unpaid,
        confirmed,
        accepted,
        late,
        payFailed + paying.underWay() + toPay.size(),
        grantUs.getValueAtPercentile(99),
        payUs.getValueAtPercentile(99));
  }
}
