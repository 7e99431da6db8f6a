package io.sluice.testkit.fault;

import io.sluice.testkit.kafka.KafkaBackend;
import io.sluice.testkit.kafka.KafkaListeners;
import io.sluice.testkit.process.CueReader;
import io.sluice.testkit.redis.RedisBackend;
import io.sluice.testkit.server.BackendException;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetSocket;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A proxy between a client and a server that injects network faults into their connections.
 *
 * <p>One event loop of its own does all the work. Each method returns when its fault is in place.
 */
public final class FaultProxy implements AutoCloseable {
  private static final int COMMAND_LIMIT_S = 10;

  private final Vertx vertx =
      Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1).setUseDaemonThread(true));
  private final NetClient client = vertx.createNetClient();
  private final AtomicLong repliesSwallowed = new AtomicLong();
  private final Set<FaultLink> links = new HashSet<>();
  private final String uri;
  private final int port;

  private URI target;

  private List<String> lossCue = List.of();
  private final Map<FaultLink, CueReader> cueReaders = new HashMap<>();
  private boolean refusing;
  private boolean stalled;
  private boolean parted;
  private boolean swallowing;
  private Duration delay = Duration.ZERO;

  private FaultProxy(URI target, int listenPort) {
    this.target = target;
    NetServer server = vertx.createNetServer().connectHandler(this::accept);
    this.port = await(server.listen(listenPort, "127.0.0.1")).actualPort();
    this.uri = target.toString().replaceFirst(target.getHost() + ":" + target.getPort(), address());
  }

  /** A proxy in front of the server that a URI names, such as {@link RedisBackend#uri()}. */
  public static FaultProxy inFrontOf(String uri) {
    return new FaultProxy(URI.create(uri), 0);
  }

  /**
   * A proxy in front of the broker, one at a time.
   *
   * <p>A broker tells its clients where to connect. This one tells clients that connect through the
   * proxy the proxy's address again.
   */
  public static FaultProxy inFrontOf(KafkaBackend kafka) {
    KafkaListeners listeners = kafka.listeners();
    return new FaultProxy(
        URI.create("kafka://127.0.0.1:" + listeners.proxied()), listeners.proxy());
  }

  /** The port on the loopback address where this proxy listens. */
  int port() {
    return port;
  }

  /** Host and port of this proxy, as Kafka's clients want them. */
  public String address() {
    return "127.0.0.1:" + port;
  }

  /** The server's URI, with this proxy's address. */
  public String uri() {
    return uri;
  }

  /** Connects new connections to this server from now on, and closes those to the previous one. */
  public void aimAt(String other) {
    onLoop(
        () -> {
          target = URI.create(other);
          List.copyOf(links).forEach(FaultLink::cut);
        });
  }

  /** Closes all connections, on both sides. New ones are accepted. */
  public void cut() {
    onLoop(() -> List.copyOf(links).forEach(FaultLink::cut));
  }

  /**
   * Stops forwarding, both ways. Connections stay open and new ones are accepted, but get no
   * answer.
   */
  public void stall() {
    onLoop(() -> stalled = true);
  }

  /**
   * Partitions client and server for good: like {@link #stall()}, and neither learns that the other
   * has closed its side.
   */
  public void part() {
    onLoop(
        () -> {
          stalled = true;
          parted = true;
        });
  }

  /**
   * Partitions the open connections like {@link #part()}, as a firewall does that has lost its
   * table. New ones work.
   */
  public void partOpen() {
    onLoop(
        () -> {
          links.forEach(link -> link.apply(true, true, false, Duration.ZERO));
          links.clear();
        });
  }

  /** Delays all data by that long, both ways. */
  public void delay(Duration by) {
    onLoop(() -> delay = by);
  }

  /** Forwards requests and drops their replies. Their callers wait until {@link #cut()}. */
  public void swallowReplies() {
    onLoop(() -> swallowing = true);
  }

  /**
   * Forwards requests, and drops the reply to one: the first connection whose requests contain
   * these texts in this order gets no more data after the last of them.
   */
  public void swallowReplyTo(String... texts) {
    onLoop(
        () -> {
          lossCue = List.of(texts);
          cueReaders.clear();
        });
  }

  /**
   * The number of chunks of replies dropped so far: once it grows, the server has executed the
   * request.
   */
  public long repliesSwallowed() {
    return repliesSwallowed.get();
  }

  /** Accepts no new connection: it is closed at once. Open ones continue. */
  public void refuse() {
    onLoop(() -> refusing = true);
  }

  /**
   * Ends all faults. Stalled connections continue; one that lost a reply cannot be used any more
   * and is closed.
   */
  public void heal() {
    onLoop(
        () -> {
          refusing = false;
          stalled = false;
          parted = false;
          swallowing = false;
          lossCue = List.of();
          delay = Duration.ZERO;
          List.copyOf(links).stream().filter(FaultLink::lostReply).forEach(FaultLink::cut);
        });
  }

  @Override
  public void close() {
    await(vertx.close());
  }

  private void accept(NetSocket downstream) {
    if (refusing) {
      downstream.close();
      return;
    }
    downstream.pause();
    client
        .connect(target.getPort(), target.getHost())
        .onFailure(e -> downstream.close())
        .onSuccess(upstream -> connect(downstream, upstream));
  }

  private void connect(NetSocket downstream, NetSocket upstream) {
    FaultLink link =
        new FaultLink(vertx, downstream, upstream, this::replySwallowed, this::requested);
    links.add(link);
    link.onClosed(
        () -> {
          links.remove(link);
          cueReaders.remove(link);
        });
    link.apply(stalled, parted, swallowing, delay);
  }

  private void requested(FaultLink link, Buffer chunk) {
    if (lossCue.isEmpty()) {
      return;
    }
    if (cueReaders.computeIfAbsent(link, any -> new CueReader(lossCue)).hasAllWith(chunk)) {
      lossCue = List.of();
      link.mute();
    }
  }

  private void replySwallowed() {
    repliesSwallowed.incrementAndGet();
  }

  private void onLoop(Runnable change) {
    Future<Void> done =
        Future.future(
            promise ->
                vertx.runOnContext(
                    started -> {
                      change.run();
                      List.copyOf(links)
                          .forEach(link -> link.apply(stalled, parted, swallowing, delay));
                      promise.complete();
                    }));
    await(done);
  }

  private static <T> T await(Future<T> future) {
    try {
      return future.await(COMMAND_LIMIT_S, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new BackendException("the fault proxy did not carry out the command", e);
    }
  }
}
