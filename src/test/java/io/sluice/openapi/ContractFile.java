package io.sluice.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.web.Contract;
import io.sluice.web.HttpProbe.Answer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;

/** A contract in OpenAPI, with its references followed. */
public final class ContractFile {
  private static final Set<String> METHODS =
      Set.of("get", "put", "post", "delete", "patch", "head", "options", "trace");
  private static final String REF = "$ref";

  private final String text;
  private final JsonObject root;
  private final SchemaCheck schemas;

  private ContractFile(String text) {
    this.text = text;
    LoaderOptions strict = new LoaderOptions();
    strict.setAllowDuplicateKeys(false);
    Map<String, Object> loaded = new Yaml(strict).load(text);
    // Through text, so that all of it is what a JSON parser makes of it.
    this.root = new JsonObject(new JsonObject(loaded).encode());
    this.schemas = new SchemaCheck(root.getJsonObject("components").getJsonObject("schemas"));
  }

  static Path path(Contract contract) {
    String name = contract.name().toLowerCase(Locale.ROOT) + ".yaml";
    return Path.of("src", "main", "resources", "openapi", name);
  }

  public static ContractFile of(Contract contract) {
    try {
      return new ContractFile(Files.readString(path(contract)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * A call.
   *
   * @param method in capitals
   * @param json without the parameters of its path
   * @param parameters of its path and its own
   */
  public record Operation(
      String id, String method, String path, JsonObject json, List<JsonObject> parameters) {
    /** The method and the path, as in {@code GET /v1/skus/{sku_id}}. */
    public String call() {
      return method + " " + path;
    }
  }

  /**
   * An example of an answer.
   *
   * @param name the word of the problem, if it is one
   * @param schema its name
   */
  public record Example(
      String operation,
      int status,
      String name,
      String mediaType,
      String schema,
      JsonObject headers,
      JsonObject value) {
    /** What tests call it, as in {@code placeOrder 409 sold-out}. */
    public String key() {
      return operation + " " + status + " " + name;
    }

    public boolean isProblem() {
      return mediaType.equals("application/problem+json");
    }
  }

  public String text() {
    return text;
  }

  public JsonObject root() {
    return root;
  }

  public SchemaCheck schemas() {
    return schemas;
  }

  public List<Operation> operations() {
    List<Operation> all = new ArrayList<>();
    JsonObject paths = root.getJsonObject("paths");
    for (String path : paths.fieldNames()) {
      JsonObject item = paths.getJsonObject(path);
      for (String method : item.fieldNames()) {
        if (METHODS.contains(method)) {
          JsonObject json = item.getJsonObject(method);
          List<JsonObject> parameters = parameters(item);
          parameters.addAll(parameters(json));
          all.add(
              new Operation(
                  json.getString("operationId"),
                  method.toUpperCase(Locale.ROOT),
                  path,
                  json,
                  parameters));
        }
      }
    }
    return all;
  }

  private List<JsonObject> parameters(JsonObject of) {
    List<JsonObject> all = new ArrayList<>();
    for (Object parameter : of.getJsonArray("parameters", new JsonArray())) {
      all.add(followed((JsonObject) parameter));
    }
    return all;
  }

  /** The answers of a call by status. */
  public JsonObject answers(Operation operation) {
    JsonObject all = new JsonObject();
    JsonObject given = operation.json().getJsonObject("responses");
    given.fieldNames().forEach(status -> all.put(status, followed(given.getJsonObject(status))));
    return all;
  }

  /** The examples of all answers. */
  public List<Example> examples() {
    List<Example> all = new ArrayList<>();
    for (Operation operation : operations()) {
      JsonObject answers = answers(operation);
      for (String status : answers.fieldNames()) {
        JsonObject answer = answers.getJsonObject(status);
        JsonObject content = answer.getJsonObject("content", new JsonObject());
        for (String mediaType : content.fieldNames()) {
          JsonObject body = content.getJsonObject(mediaType);
          JsonObject examples = body.getJsonObject("examples", new JsonObject());
          for (String name : examples.fieldNames()) {
            all.add(
                new Example(
                    operation.id(),
                    Integer.parseInt(status),
                    name,
                    mediaType,
                    schemaName(body),
                    headers(answer),
                    followed(examples.getJsonObject(name)).getJsonObject("value")));
          }
        }
      }
    }
    return all;
  }

  /** The example with this key. */
  public Example example(String key) {
    return examples().stream()
        .filter(example -> example.key().equals(key))
        .findFirst()
        .orElseThrow(() -> new AssertionError("Expected the example " + key + ", but it is none"));
  }

  private JsonObject headers(JsonObject answer) {
    JsonObject all = new JsonObject();
    JsonObject given = answer.getJsonObject("headers", new JsonObject());
    given.fieldNames().forEach(name -> all.put(name, followed(given.getJsonObject(name))));
    return all;
  }

  /** The name of the schema that a body or a parameter refers to; none has a schema of its own. */
  public String schemaName(JsonObject of) {
    String ref = of.getJsonObject("schema").getString(REF, "");
    if (!ref.startsWith("#/components/schemas/")) {
      throw new AssertionError("Expected a reference to a schema, but got " + of.encode());
    }
    return ref.substring(ref.lastIndexOf('/') + 1);
  }

  /** What this refers to; itself where it is no reference. */
  public JsonObject followed(JsonObject maybeRef) {
    String ref = maybeRef.getString(REF);
    if (ref == null) {
      return maybeRef;
    }
    JsonObject at = root;
    for (String name : ref.substring("#/".length()).split("/")) {
      at = at == null ? null : at.getJsonObject(name);
    }
    if (at == null) {
      throw new AssertionError("Expected that " + ref + " is there, but it is not");
    }
    return followed(at);
  }

  /** Fails where an answer has other headers than these. */
  void checkHeaders(JsonObject headers, Answer answer) {
    for (String name : headers.fieldNames()) {
      JsonObject header = followed(headers.getJsonObject(name));
      String value = answer.header(name);
      if (value == null) {
        assertThat(header.getBoolean("required", false)).as(name).isFalse();
      } else {
        assertThat(schemas.faults(header.getJsonObject("schema"), value)).as(name).isEmpty();
      }
    }
  }
}
