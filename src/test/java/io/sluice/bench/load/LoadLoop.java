package io.sluice.bench.load;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.sluice.bench.load.Heard.What;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * One thread that orders and pays. At a rate, orders and payments are due on a schedule that slow
 * answers do not delay; what finds no connection waits, and its latency counts from when it was due
 * (no coordinated omission).
 */
final class LoadLoop {
  private static final int TICK_US = 200;
  private static final int LAST_ANSWERS_S = 20;
  private static final int PAYING_MAX = 4_096;
  private static final String TOKEN = "\"order_token\":\"";

  /** A payment to come. */
  private record Due(String token, long atNs) {}

  private final LoadSpec volley;
  private final RequestBytes requests;
  private final Map<What, Long> counts = new EnumMap<>(What.class);

  /** In microseconds, with a precision of 1 %. */
  private final Histogram allUs = new Histogram(2);

  private final Histogram yesUs = new Histogram(2);
  private final Histogram payUs = new Histogram(2);

  /** In the order of their times, since all buyers take equally long. */
  private final ArrayDeque<Due> toPay = new ArrayDeque<>();

  private final CountDownLatch done = new CountDownLatch(1);
  private Lane ordering;
  private Lane paying;
  private long startNs;
  private long endNs;
  private long timedFromNs;
  private long lastAnswerNs;
  private long arrivals;
  private long granted;

  LoadLoop(LoadSpec volley) {
    this.volley = volley;
    this.requests = new RequestBytes(volley);
  }

  /** {@code onBegin} runs when the first order is due. */
  Heard run(Runnable onBegin) throws InterruptedException {
    boolean epoll = Epoll.isAvailable();
    EventLoopGroup loop =
        new MultiThreadIoEventLoopGroup(
            1, epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
    URI target = URI.create(volley.url());
    Bootstrap bootstrap =
        new Bootstrap()
            .group(loop)
            .channel(epoll ? EpollSocketChannel.class : NioSocketChannel.class)
            .option(ChannelOption.TCP_NODELAY, true)
            .remoteAddress(target.getHost(), target.getPort());
    ordering = new Lane(bootstrap, volley.connections(), this::ordered);
    paying = new Lane(bootstrap, PAYING_MAX, this::paid);
    loop.next()
        .execute(
            () -> {
              onBegin.run();
              startNs = System.nanoTime();
              lastAnswerNs = startNs;
              endNs = startNs + volley.length().toNanos();
              timedFromNs = startNs + volley.settleMs() * 1_000_000L;
              loop.next().scheduleAtFixedRate(this::tick, 0, TICK_US, TimeUnit.MICROSECONDS);
            });
    long limitS = volley.length().toSeconds() + volley.payAfterMs() / 1_000 + LAST_ANSWERS_S;
    done.await(limitS, TimeUnit.SECONDS);
    Heard heard = loop.next().submit(this::heard).sync().getNow();
    loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
    return heard;
  }

  /** Sends what is due by now. */
  private void tick() {
    long now = System.nanoTime();
    long dueNs = dueNs(now);
    while (dueNs <= now && dueNs < endNs && now < endNs && ordering.hasRoom()) {
      ordering.send(requests::next, dueNs);
      arrivals++;
      dueNs = dueNs(now);
    }
    while (!toPay.isEmpty() && toPay.peek().atNs() <= now && paying.hasRoom()) {
      Due due = toPay.poll();
      paying.send(allocator -> RequestBytes.payment(allocator, due.token()), due.atNs());
    }
    if (now >= endNs && ordering.underWay() + paying.underWay() == 0 && toPay.isEmpty()) {
      done.countDown();
    }
  }

  private long dueNs(long now) {
    return volley.perS() == 0 ? now : startNs + arrivals * 1_000_000_000L / volley.perS();
  }

  private void ordered(int status, ByteBuf answer, long dueNs) {
    lastAnswerNs = System.nanoTime();
    boolean isYes = status / 100 == 2;
    count(isYes ? What.ACCEPTED : status / 100 == 4 ? What.REFUSED : What.FAILED);
    if (status > 0) {
      time(allUs, dueNs, lastAnswerNs);
    }
    if (isYes) {
      time(yesUs, dueNs, lastAnswerNs);
      if (volley.isPaid(granted++)) {
        long payNs = lastAnswerNs + volley.payAfterMs() * 1_000_000L;
        tokenIn(answer).ifPresent(token -> toPay.add(new Due(token, payNs)));
      }
    }
    if (volley.perS() == 0) {
      tick();
    }
  }

  private void paid(int status, ByteBuf answer, long dueNs) {
    boolean isYes = status / 100 == 2;
    What refused = status / 100 == 4 ? What.PAY_LATE : What.PAY_FAILED;
    count(status == 202 ? What.PAY_UNKNOWN : isYes ? What.PAID : refused);
    if (status > 0) {
      time(payUs, dueNs, System.nanoTime());
    }
  }

  private void count(What what) {
    counts.merge(what, 1L, Long::sum);
  }

  private void time(Histogram histogram, long dueNs, long nowNs) {
    if (dueNs >= timedFromNs) {
      histogram.recordValue(Math.max(0, (nowNs - dueNs) / 1_000));
    }
  }

  /** The token in the JSON of an order. */
  static Optional<String> tokenIn(ByteBuf answer) {
    String text = answer.toString(US_ASCII);
    int name = text.indexOf(TOKEN);
    int from = name + TOKEN.length();
    int to = name < 0 ? -1 : text.indexOf('"', from);
    return to < 0 ? Optional.empty() : Optional.of(text.substring(from, to));
  }

  /** What is without an answer has failed. */
  private Heard heard() {
    long all = volley.length().toNanos() / 1_000 * volley.perS() / 1_000_000;
    counts.put(What.UNSENT, Math.max(0, all - arrivals));
    counts.merge(What.FAILED, (long) ordering.underWay(), Long::sum);
    counts.merge(What.PAY_FAILED, (long) paying.underWay() + toPay.size(), Long::sum);
    counts.put(What.US, Math.max(1, (lastAnswerNs - startNs) / 1_000));
    put(allUs, What.P50_US, What.P99_US);
    put(yesUs, What.YES_P50_US, What.YES_P99_US);
    put(payUs, What.PAY_P50_US, What.PAY_P99_US);
    return new Heard(counts);
  }

  private void put(Histogram histogram, What p50, What p99) {
    counts.put(p50, histogram.getValueAtPercentile(50));
    counts.put(p99, histogram.getValueAtPercentile(99));
  }
}
