package io.sluice.openapi;

import io.sluice.openapi.ContractFile.Operation;
import io.sluice.web.Endpoint;
import io.sluice.web.Endpoint.Intake;
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
          "%s %s, %s"
              .formatted(
                  endpoint.method().name(),
                  PARAMETER.matcher(endpoint.path()).replaceAll("{$1}"),
                  body(endpoint.intake())));
    }
    return calls;
  }

  /** Of the contract. */
  public static Set<String> of(ContractFile file) {
    Set<String> calls = new TreeSet<>();
    for (Operation operation : file.operations()) {
      calls.add(operation.call() + ", " + body(operation.json().getJsonObject("requestBody")));
    }
    return calls;
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
