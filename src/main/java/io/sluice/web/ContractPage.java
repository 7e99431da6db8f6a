package io.sluice.web;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.Yaml;

/** A contract as a page for readers: its calls, with an example of each answer, and its schemas. */
final class ContractPage {
  /** Where each port serves its own. */
  static final String PATH = "/docs";

  static final HtmlPage STYLE = new HtmlPage("/docs/docs.css");

  private static final String REF = "$ref";
  private static final String SCHEMAS = "#/components/schemas/";
  private static final Pattern BLANK_LINE = Pattern.compile("\n\\s*\n");
  private static final Pattern ITEM = Pattern.compile("(?:^|\n)- ");
  private static final Pattern SCHEMA_REF =
      Pattern.compile("\\$ref: &#39;#/components/schemas/(\\w+)&#39;");

  private final OpenApi contract;
  private final JsonObject root;
  private final Markup html = new Markup();

  private ContractPage(OpenApi contract) {
    this.contract = contract;
    this.root = contract.root();
  }

  /**
   * The page of a contract. Takes some 100 ms.
   *
   * @param text in YAML
   */
  static Buffer of(String text) {
    return new ContractPage(OpenApi.of(text)).written();
  }

  private Buffer written() {
    JsonObject info = root.getJsonObject("info");
    String title = info.getString("title");
    html.element("h1", title);
    html.element("p class=\"soft\"", "Version " + info.getString("version"));
    html.raw("<p class=\"soft\">In OpenAPI: <a href=\"").raw(Contract.PATH).raw("\">");
    html.text(Contract.PATH).raw("</a></p>\n");
    paragraphs(info.getString("description"));
    html.raw("<nav>\n");
    for (Object tag : root.getJsonArray("tags")) {
      contents((JsonObject) tag);
    }
    html.raw("</nav>\n");
    for (Object tag : root.getJsonArray("tags")) {
      calls((JsonObject) tag);
    }
    schemas();
    return STYLE.of(title, html);
  }

  private void contents(JsonObject tag) {
    html.element("h2", tag.getString("description")).raw("<ul>\n");
    for (OpenApi.Call call : callsOf(tag)) {
      html.raw("<li><a href=\"#").text(call.id()).raw("\"><code>");
      html.text(call.method() + " " + call.path()).raw("</code></a> ");
      html.text(call.summary()).raw("</li>\n");
    }
    html.raw("</ul>\n");
  }

  private List<OpenApi.Call> callsOf(JsonObject tag) {
    String name = tag.getString("name");
    return contract.calls().stream().filter(call -> call.hasTag(name)).toList();
  }

  private void calls(JsonObject tag) {
    for (OpenApi.Call call : callsOf(tag)) {
      html.raw("<section id=\"").text(call.id()).raw("\">\n<h3><code>");
      html.text(call.method() + " " + call.path()).raw("</code></h3>\n");
      html.element("p class=\"lead\"", call.summary());
      paragraphs(call.description());
      callers(call.json());
      parameters(call.parameters());
      body(call.json().getJsonObject("requestBody"));
      answers(call.json().getJsonObject("responses"));
      html.raw("</section>\n");
    }
  }

  private void callers(JsonObject call) {
    StringBuilder names = new StringBuilder();
    JsonArray security = call.getJsonArray("security", root.getJsonArray("security"));
    if (security != null) {
      for (Object scheme : security) {
        for (String name : ((JsonObject) scheme).fieldNames()) {
          names.append(names.isEmpty() ? "" : ", ").append(name);
        }
      }
    }
    html.element("p class=\"soft\"", "Callers: " + (names.isEmpty() ? "everybody" : names));
  }

  private void parameters(List<JsonObject> all) {
    if (all.isEmpty()) {
      return;
    }
    html.raw("<table>\n<tr><th>parameter</th><th>in</th><th></th></tr>\n");
    for (JsonObject parameter : all) {
      html.raw("<tr><td><code>").text(parameter.getString("name")).raw("</code></td><td>");
      html.text(parameter.getString("in")).raw("</td><td>");
      html.prose(parameter.getString("description", "")).raw(" ");
      schemaLink(parameter);
      html.raw("</td></tr>\n");
    }
    html.raw("</table>\n");
  }

  private void body(JsonObject body) {
    if (body != null) {
      html.element("h4", body.getBoolean("required", false) ? "Body" : "Body, optional");
      content(body.getJsonObject("content"));
    }
  }

  private void answers(JsonObject answers) {
    for (String status : answers.fieldNames()) {
      JsonObject answer = contract.followed(answers.getJsonObject(status));
      html.raw("<h4>").text(status).raw("</h4>\n");
      paragraphs(answer.getString("description"));
      content(answer.getJsonObject("content", new JsonObject()));
    }
  }

  private void content(JsonObject content) {
    for (String mediaType : content.fieldNames()) {
      JsonObject body = content.getJsonObject(mediaType);
      html.raw("<p class=\"soft\">").text(mediaType).raw(" ");
      schemaLink(body);
      html.raw("</p>\n");
      JsonObject examples = body.getJsonObject("examples", new JsonObject());
      for (String name : examples.fieldNames()) {
        Object value = contract.followed(examples.getJsonObject(name)).getValue("value");
        html.raw("<details><summary>").text(name).raw("</summary>\n<pre>");
        html.text(value instanceof JsonObject json ? json.encodePrettily() : String.valueOf(value));
        html.raw("</pre></details>\n");
      }
    }
  }

  private void schemaLink(JsonObject of) {
    String ref = of.getJsonObject("schema", new JsonObject()).getString(REF, "");
    if (ref.startsWith(SCHEMAS)) {
      String name = ref.substring(SCHEMAS.length());
      html.raw("<a href=\"#").text(name).raw("\">").text(name).raw("</a>");
    }
  }

  private void schemas() {
    DumperOptions options = new DumperOptions();
    options.setDefaultFlowStyle(DumperOptions.FlowStyle.BLOCK);
    Yaml yaml = new Yaml(options);
    JsonObject schemas = root.getJsonObject("components").getJsonObject("schemas");
    html.element("h2", "Schemas");
    for (String name : schemas.fieldNames()) {
      html.raw("<section id=\"").text(name).raw("\">\n").element("h3", name).raw("<pre>");
      String written =
          new Markup().text(yaml.dump(schemas.getJsonObject(name).getMap())).toString();
      html.raw(SCHEMA_REF.matcher(written).replaceAll("<a href=\"#$1\">$1</a>"));
      html.raw("</pre>\n</section>\n");
    }
  }

  /** The part of Markdown that contracts use: paragraphs and lists. */
  private void paragraphs(String text) {
    for (String block : BLANK_LINE.split(text.strip())) {
      if (block.startsWith("- ")) {
        html.raw("<ul>\n");
        for (String item : ITEM.split(block)) {
          if (!item.isEmpty()) {
            html.raw("<li>").prose(item).raw("</li>\n");
          }
        }
        html.raw("</ul>\n");
      } else if (!block.isBlank()) {
        html.raw("<p>").prose(block).raw("</p>\n");
      }
    }
  }
}
