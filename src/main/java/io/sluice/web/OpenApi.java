package io.sluice.web;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** A contract in OpenAPI that was read: its calls, and what its references refer to. */
public final class OpenApi {
  private static final List<String> METHODS = List.of("get", "put", "post", "delete");
  private static final String REF = "$ref";

  private final JsonObject root;

  private OpenApi(JsonObject root) {
    this.root = root;
  }

  /**
   * Takes some 100 ms.
   *
   * @param text in YAML
   */
  public static OpenApi of(String text) {
    Map<String, Object> root = new Yaml(new SafeConstructor(new LoaderOptions())).load(text);
    return new OpenApi(new JsonObject(root));
  }

  /**
   * A call.
   *
   * @param method in capitals
   * @param parameters those of its path, and its own
   */
  public record Call(String method, String path, JsonObject json, List<JsonObject> parameters) {
    public String id() {
      return json.getString("operationId");
    }

    public String summary() {
      return json.getString("summary");
    }

    /** Longer than the summary; empty if there is no more to say. */
    public String description() {
      return json.getString("description", "");
    }

    public boolean hasTag(String tag) {
      return json.getJsonArray("tags").contains(tag);
    }
  }

  public JsonObject root() {
    return root;
  }

  /** In the order of the contract. */
  public List<Call> calls() {
    List<Call> calls = new ArrayList<>();
    JsonObject paths = root.getJsonObject("paths");
    for (String path : paths.fieldNames()) {
      JsonObject item = paths.getJsonObject(path);
      for (String method : METHODS) {
        JsonObject call = item.getJsonObject(method);
        if (call != null) {
          calls.add(new Call(method.toUpperCase(Locale.ROOT), path, call, parameters(item, call)));
        }
      }
    }
    return calls;
  }

  private List<JsonObject> parameters(JsonObject item, JsonObject call) {
    List<JsonObject> all = new ArrayList<>();
    for (JsonObject of : List.of(item, call)) {
      for (Object parameter : of.getJsonArray("parameters", new JsonArray())) {
        all.add(followed((JsonObject) parameter));
      }
    }
    return all;
  }

  /** What this refers to; itself if it is no reference. */
  public JsonObject followed(JsonObject maybeRef) {
    String ref = maybeRef.getString(REF);
    if (ref == null) {
      return maybeRef;
    }
    JsonObject at = root;
    for (String step : ref.substring(2).split("/")) {
      at = at.getJsonObject(step);
    }
    return at;
  }
}
