package io.sluice.admin.page;

import io.sluice.metrics.Meters;
import io.sluice.web.Endpoint;
import io.sluice.web.Endpoint.Input;
import io.sluice.web.Exchange;
import io.sluice.web.Exchange.Guard;
import io.sluice.web.Problem;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Sends frames to all viewers as server-sent events: one frame every {@link #EVERY}, the same bytes
 * for all, and none while nobody watches.
 *
 * <p>A viewer that has not taken the frame before skips this one, so of each at most one waits in
 * memory; one that takes nothing for {@link #STUCK_AFTER} is cut off.
 */
public final class LiveFeed {
  static final Duration EVERY = Duration.ofMillis(250);
  static final Duration STUCK_AFTER = Duration.ofSeconds(10);
  public static final int VIEWERS_MAX = 200;
  private static final CharSequence EVENT_STREAM =
      HttpHeaders.createOptimized("text/event-stream; charset=utf-8");

  private static final CharSequence ROLE = HttpHeaders.createOptimized("Sluice-Role");

  private final Vertx vertx;
  private final Supplier<JsonObject> frames;
  private final LongSupplier nanoTime;
  private final Set<Viewer> viewers = new LinkedHashSet<>();
  private Buffer last = Buffer.buffer();
  private long lastNanos;
  private boolean ticking;

  /**
   * @param frames builds a frame of what is known now; called on this event loop
   * @param nanoTime a monotonic clock
   */
  public LiveFeed(Vertx vertx, Supplier<JsonObject> frames, LongSupplier nanoTime, Meters meters) {
    this.vertx = vertx;
    this.frames = frames;
    this.nanoTime = nanoTime;
    meters.pageViewers(viewers::size);
  }

  private static final class Viewer {
    private final Exchange exchange;
    private boolean isBusy;
    private long busySinceNanos;

    Viewer(Exchange exchange) {
      this.exchange = exchange;
    }
  }

  /**
   * The call that watches, from the start of the instance.
   *
   * @param role of a caller; tells the page what to show to its viewer, and what to ask for
   */
  public Endpoint endpoint(Guard readers, Function<HttpServerRequest, String> role) {
    return new Endpoint(
        HttpMethod.GET,
        "/admin/live",
        "admin_live",
        readers,
        Input.ALWAYS,
        exchange -> {
          HttpServerRequest request = exchange.request();
          request.response().putHeader(ROLE, role.apply(request));
          join(exchange);
        });
  }

  /** Begins to send frames to a caller, until it disconnects. */
  void join(Exchange exchange) {
    if (viewers.size() >= VIEWERS_MAX) {
      exchange.answer(Problem.OVERLOADED);
      return;
    }
    Buffer first = frame();
    exchange.request().response().putHeader(HttpHeaders.CACHE_CONTROL, "no-store");
    exchange.begin(EVENT_STREAM);
    if (exchange.request().method().equals(HttpMethod.HEAD)) {
      exchange.end();
      return;
    }
    Viewer viewer = new Viewer(exchange);
    exchange.request().response().closeHandler(closed -> viewers.remove(viewer));
    viewers.add(viewer);
    send(viewer, first);
    if (!ticking) {
      ticking = true;
      again();
    }
  }

  private void again() {
    vertx.setTimer(EVERY.toMillis(), id -> tick());
  }

  private void tick() {
    if (viewers.isEmpty()) {
      ticking = false;
      return;
    }
    again();
    Buffer frame = frame();
    List.copyOf(viewers).forEach(viewer -> send(viewer, frame));
  }

  /** The last frame if it is young, so that many who join at once cost one. */
  private Buffer frame() {
    long now = nanoTime.getAsLong();
    if (last.length() == 0 || now - lastNanos >= EVERY.toNanos() / 2) {
      last = Buffer.buffer("data: " + frames.get().encode() + "\n\n");
      lastNanos = now;
    }
    return last;
  }

  private void send(Viewer viewer, Buffer frame) {
    long now = nanoTime.getAsLong();
    if (viewer.isBusy) {
      if (now - viewer.busySinceNanos >= STUCK_AFTER.toNanos()) {
        viewers.remove(viewer);
        viewer.exchange.cutOff();
      }
      return;
    }
    viewer.isBusy = true;
    viewer.busySinceNanos = now;
    viewer
        .exchange
        .send(frame)
        .onComplete(
            sent -> {
              viewer.isBusy = false;
              if (sent.failed()) {
                viewers.remove(viewer);
              }
            });
  }
}
