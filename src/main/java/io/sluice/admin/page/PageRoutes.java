package io.sluice.admin.page;

import io.sluice.web.Endpoint;
import io.sluice.web.Exchange;
import io.sluice.web.Guard;
import io.sluice.web.Input;
import io.sluice.web.problem.Problem;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The page, its files, and its frames. They are served from the start. */
public final class PageRoutes {
  /** The page loads nothing from elsewhere, runs no script of its markup, and is in no frame. */
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
          + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  /** Tells the page what to show to its viewer, and what to ask for. */
  private static final CharSequence ROLE = HttpHeaders.createOptimized("Sluice-Role");

  private final LiveFeed feed;
  private final Guard readers;
  private final Function<HttpServerRequest, String> role;

  /**
   * @param role the word for what who reads may do
   */
  public PageRoutes(LiveFeed feed, Guard readers, Function<HttpServerRequest, String> role) {
    this.feed = feed;
    this.readers = readers;
    this.role = role;
  }

  public List<Endpoint> endpoints() {
    return List.of(
        file("/", "page", exchange -> send(exchange, PageFile.all().get(PageFile.INDEX))),
        file(
            "/page/:file",
            "page_file",
            exchange -> send(exchange, PageFile.all().get(exchange.pathParam("file")))),
        new Endpoint(
            HttpMethod.GET, "/admin/live", "admin_live", readers, Input.ALWAYS, this::watch));
  }

  private void watch(Exchange exchange) {
    HttpServerRequest request = exchange.request();
    request.response().putHeader(ROLE, role.apply(request));
    feed.join(exchange);
  }

  private static Endpoint file(String path, String name, Endpoint.Call call) {
    return new Endpoint(HttpMethod.GET, path, name, Guard.ANYBODY, Input.ALWAYS, call);
  }

  private static void send(Exchange exchange, @Nullable PageFile file) {
    if (file == null) {
      exchange.answer(Problem.NOT_FOUND);
      return;
    }
    MultiMap headers = exchange.request().response().headers();
    headers.set("Content-Security-Policy", POLICY);
    headers.set("X-Content-Type-Options", "nosniff");
    headers.set("Referrer-Policy", "no-referrer");
    headers.set("Cross-Origin-Opener-Policy", "same-origin");
    headers.set(HttpHeaders.CACHE_CONTROL, "no-cache");
    headers.set(HttpHeaders.ETAG, file.tag());
    if (file.tag().equals(exchange.request().getHeader(HttpHeaders.IF_NONE_MATCH))) {
      exchange.answerUnchanged();
    } else {
      exchange.answer(file.mediaType(), file.content());
    }
  }
}
