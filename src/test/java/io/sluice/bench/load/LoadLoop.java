package io.sluice.bench.load;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.HdrHistogram.Histogram;

/**
 * One thread with all connections of a volley. With a rate, requests arrive on a schedule that slow
 * answers do not delay: a request that finds no free connection waits, and its latency counts from
 * when it was due (no coordinated omission).
 */
final class LoadLoop implements Answers {
  private static final int TICK_US = 200;
  private static final int LAST_ANSWERS_S = 15;

  private final LoadSpec volley;
  private final boolean paced;
  private final Function<ByteBufAllocator, ByteBuf> next;

  /** In microseconds, with a precision of 1 %. */
  private final Histogram latencies = new Histogram(2);

  private final Histogram latenciesOfAccepted = new Histogram(2);

  private final ArrayDeque<LoadConnection> idle = new ArrayDeque<>();
  private final List<LoadConnection> connections = new ArrayList<>();
  private final CountDownLatch done = new CountDownLatch(1);
  private long startNs;
  private long endNs;
  private long lastAnswerNs;
  private long arrivals;
  private long accepted;
  private long refused;
  private long failed;
  private int underWay;
  private boolean over;

  LoadLoop(LoadSpec volley) {
    this.volley = volley;
    this.paced = volley.ratePerS() > 0;
    this.next = new RequestBytes(volley)::next;
  }

  Heard run(String host, int port) throws InterruptedException {
    EventLoopGroup loop = LoadChannels.oneThread();
    Bootstrap bootstrap =
        LoadChannels.bootstrap(loop)
            .handler(
                new ChannelInitializer<>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    LoadConnection connection = new LoadConnection(LoadLoop.this);
                    connections.add(connection);
                    channel.pipeline().addLast(connection);
                  }
                });
    for (int i = 0; i < volley.connections(); i++) {
      bootstrap.connect(host, port).sync();
    }
    loop.next().execute(() -> begin(loop));
    done.await(volley.length().toSeconds() + LAST_ANSWERS_S, TimeUnit.SECONDS);
    Heard heard = loop.next().submit(this::heard).sync().getNow();
    loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
    return heard;
  }

  private void begin(EventLoopGroup loop) {
    startNs = System.nanoTime();
    lastAnswerNs = startNs;
    endNs = startNs + volley.length().toNanos();
    loop.next().schedule(this::end, volley.length().toMillis(), TimeUnit.MILLISECONDS);
    if (paced) {
      idle.addAll(connections);
      loop.next().scheduleAtFixedRate(this::tick, 0, TICK_US, TimeUnit.MICROSECONDS);
    } else {
      connections.forEach(this::next);
    }
  }

  /** Sends the requests that are due by now. */
  private void tick() {
    long now = System.nanoTime();
    while (!idle.isEmpty() && due(now)) {
      send(idle.poll(), startNs + arrivals * 1_000_000_000L / volley.ratePerS());
      arrivals++;
    }
  }

  private boolean due(long now) {
    long dueNs = startNs + arrivals * 1_000_000_000L / volley.ratePerS();
    return dueNs <= now && dueNs < endNs;
  }

  private void next(LoadConnection connection) {
    if (!over) {
      send(connection, System.nanoTime());
    }
  }

  private void send(LoadConnection connection, long sinceNs) {
    underWay++;
    connection.send(next, sinceNs);
  }

  /** Counts an answer and frees its connection. */
  @Override
  public void answered(LoadConnection connection, int status, ByteBuf answer, long sinceNs) {
    lastAnswerNs = System.nanoTime();
    long us = Math.max(0, (lastAnswerNs - sinceNs) / 1_000);
    latencies.recordValue(us);
    if (status / 100 == 2) {
      accepted++;
      latenciesOfAccepted.recordValue(us);
    } else if (status / 100 == 4) {
      refused++;
    } else {
      failed++;
    }
    free(connection);
  }

  @Override
  public void broken(LoadConnection connection) {
    failed++;
    underWay--;
    endIfQuiet();
  }

  private void free(LoadConnection connection) {
    underWay--;
    if (paced) {
      idle.add(connection);
      tick();
      endIfQuiet();
    } else {
      next(connection);
      endIfQuiet();
    }
  }

  private void end() {
    over = true;
    endIfQuiet();
  }

  private void endIfQuiet() {
    if (over && underWay == 0 && !(paced && due(Long.MAX_VALUE))) {
      done.countDown();
    }
  }

  private Heard heard() {
    failed += underWay;
    double seconds = (Math.max(lastAnswerNs, startNs + 1) - startNs) / 1e9;
    return new Heard(
        accepted,
        refused,
        failed,
        seconds,
        latencies.getValueAtPercentile(50),
        latencies.getValueAtPercentile(99),
        latencies.getMaxValue(),
        latenciesOfAccepted.getValueAtPercentile(99));
  }
}
