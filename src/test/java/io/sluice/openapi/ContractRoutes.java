package io.sluice.openapi;

import io.sluice.openapi.ContractFile.Operation;
import io.sluice.web.Endpoint;
import io.sluice.web.Endpoint.Input.Intake;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** The calls of a port, as its routes and as its contract have them: comparable texts. */
public final class ContractRoutes {
  private static final Pattern PARAMETER = Pattern.compile(":([a-z_]+)");

  private ContractRoutes() {}

  /** Of the routes; HEAD comes with each GET, and is in no contract. */
  public static Set<String> of(List<Endpoint> endpoints) {
    Set<String> calls = new TreeSet<>();
    for (Endpoint endpoint : endpoints) {
      calls.add(
          "%s %s, %s, %s, %s"
              .formatted(
                  endpoint.method().name(),
                  PARAMETER.matcher(endpoint.path()).replaceAll("{$1}"),
                  body(endpoint.input().intake()),
                  new TreeSet<>(endpoint.input().parameters()),
                  new TreeSet<>(endpoint.input().fields())));
    }
    return calls;
  }

  /** Of the contract. */
  public static Set<String> of(ContractFile file) {
    Set<String> calls = new TreeSet<>();
    for (Operation operation : file.operations()) {
      calls.add(
          "%s, %s, %s, %s"
              .formatted(
                  operation.call(),
                  body(operation.json().getJsonObject("requestBody")),
                  query(operation),
                  fields(file, operation)));
    }
    return calls;
  }

  /** The names of the parameters of its query. */
  static Set<String> query(Operation operation) {
    Set<String> names = new TreeSet<>();
    for (JsonObject parameter : operation.parameters()) {
      if (parameter.getString("in").equals("query")) {
        names.add(parameter.getString("name"));
      }
    }
    return names;
  }

  /** The names of the fields of its body, in whatever form. */
  static Set<String> fields(ContractFile file, Operation operation) {
    JsonObject body = operation.json().getJsonObject("requestBody");
    if (body == null) {
      return Set.of();
    }
    Set<String> names = new TreeSet<>();
    addFields(
        file,
        body.getJsonObject("content").getJsonObject("application/json").getJsonObject("schema"),
        names);
    return names;
  }

  private static void addFields(ContractFile file, JsonObject schema, Set<String> names) {
    JsonObject followed = file.followed(schema);
    names.addAll(followed.getJsonObject("properties", new JsonObject()).fieldNames());
    for (String part : List.of("oneOf", "anyOf", "allOf")) {
      for (Object each : followed.getJsonArray(part, new JsonArray())) {
        addFields(file, (JsonObject) each, names);
      }
    }
  }

  private static String body(Intake intake) {
    return switch (intake) {
      case BOUNDED_WITH_BODY, BOUNDED_WITH_LARGE_BODY -> "with a body";
      case BOUNDED_WITH_OPTIONAL_BODY -> "with a body or without";
      case ALWAYS, BOUNDED -> "without a body";
    };
  }

  private static String body(JsonObject requestBody) {
    if (requestBody == null) {
      return "without a body";
    }
    return requestBody.getBoolean("required") ? "with a body" : "with a body or without";
  }
}
