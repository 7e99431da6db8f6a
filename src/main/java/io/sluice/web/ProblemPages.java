package io.sluice.web;

import io.sluice.model.ProblemType;
import io.sluice.web.Endpoint.Input;
import io.sluice.web.Exchange.Guard;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import java.util.HashMap;
import java.util.Map;

/** A page for each type of problem, at the address that problems have as their {@code type}. */
public final class ProblemPages {
  private static final Map<String, Buffer> BY_WORD = all();

  private ProblemPages() {}

  private static Map<String, Buffer> all() {
    Map<String, Buffer> pages = new HashMap<>();
    for (ProblemType type : ProblemType.values()) {
      Markup html = new Markup();
      html.element("h1", type.title());
      html.raw("<p class=\"soft\"><code>").text(type.word()).raw("</code>, ");
      html.text("status " + type.status()).raw("</p>\n<p>").prose(type.remedy()).raw("</p>\n");
      html.raw("<p class=\"soft\"><a href=\"").raw(ContractPage.PATH);
      html.raw("\">All calls and their answers</a></p>\n");
      pages.put(type.word(), ContractPage.STYLE.of(type.title(), html));
    }
    return Map.copyOf(pages);
  }

  /**
   * The call that answers with them.
   *
   * @param guard who may read them
   */
  public static Endpoint endpoint(Guard guard) {
    return new Endpoint(
        HttpMethod.GET,
        Problem.PATH + ":word",
        "problem",
        guard,
        Input.ALWAYS,
        exchange -> {
          Buffer page = BY_WORD.get(exchange.pathParam("word"));
          if (page == null) {
            exchange.answer(Problem.NOT_FOUND);
          } else {
            ContractPage.STYLE.send(exchange, page, "no-cache");
          }
        });
  }
}
