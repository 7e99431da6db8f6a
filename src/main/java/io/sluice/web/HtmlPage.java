package io.sluice.web;

import io.sluice.model.BundledFile;
import io.sluice.model.Sha256;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import java.util.Base64;

/**
 * Pages of HTML of one style that load nothing and run nothing: they can be kept, sent and printed.
 */
public final class HtmlPage {
  private static final CharSequence HTML = HttpHeaders.createOptimized("text/html; charset=utf-8");

  private final String style;

  /** In the page as well, for the copies that people keep. */
  private final String keptPolicy;

  /**
   * @param style the path of a style sheet on the class path, from its root on
   */
  public HtmlPage(String style) {
    this.style = BundledFile.text(style);
    this.keptPolicy =
        "default-src 'none'; style-src 'sha256-"
            + Base64.getEncoder().encodeToString(Sha256.of(this.style))
            + "'; base-uri 'none'; form-action 'none'";
  }

  /** A whole page. */
  public Buffer of(String title, Markup content) {
    Markup html = new Markup();
    html.raw("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    html.raw("<meta http-equiv=\"Content-Security-Policy\" content=\"").raw(keptPolicy);
    html.raw("\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    html.element("title", title);
    html.raw("<style>").raw(style).raw("</style>\n</head>\n<body>\n<main>\n").append(content);
    return Buffer.buffer(html.raw("</main>\n</body>\n</html>\n").toString());
  }

  /** Answers with a page of this style. */
  public void send(Exchange exchange, Buffer page, String cacheControl) {
    exchange
        .request()
        .response()
        .putHeader("Content-Security-Policy", keptPolicy + "; frame-ancestors 'none'")
        .putHeader("X-Content-Type-Options", "nosniff")
        .putHeader("Referrer-Policy", "no-referrer")
        .putHeader(HttpHeaders.CACHE_CONTROL, cacheControl);
    exchange.answer(HTML, page);
  }
}
