package io.sluice.openapi;

import io.vertx.core.json.JsonObject;
import io.vertx.json.schema.Draft;
import io.vertx.json.schema.JsonSchema;
import io.vertx.json.schema.JsonSchemaOptions;
import io.vertx.json.schema.OutputFormat;
import io.vertx.json.schema.OutputUnit;
import io.vertx.json.schema.SchemaRepository;
import io.vertx.json.schema.Validator;
import java.util.List;

/** Compares values with the schemas of a contract, which are JSON Schema 2020-12. */
public final class SchemaCheck {
  private static final String BASE = "https://sluice.invalid/";
  private static final String FILE = "contract";

  private final JsonSchemaOptions options =
      new JsonSchemaOptions()
          .setBaseUri(BASE)
          .setDraft(Draft.DRAFT202012)
          .setOutputFormat(OutputFormat.Basic);
  private final SchemaRepository repository = SchemaRepository.create(options);

  /**
   * @param schemas by name, {@code components/schemas} of a contract
   */
  public SchemaCheck(JsonObject schemas) {
    // A copy, which the library annotates.
    JsonObject document =
        new JsonObject().put("components", new JsonObject().put("schemas", schemas.copy()));
    repository.dereference(FILE, JsonSchema.of(document));
  }

  /** What is wrong with a value; empty where it is as the schema with this name says. */
  public List<String> faults(String schema, Object value) {
    return faults(repository.validator(FILE + "#/components/schemas/" + schema), value);
  }

  /** The same for a schema without references. */
  public List<String> faults(JsonObject schema, Object value) {
    return faults(Validator.create(JsonSchema.of(schema.copy()), options), value);
  }

  private static List<String> faults(Validator validator, Object value) {
    OutputUnit result = validator.validate(value);
    if (Boolean.TRUE.equals(result.getValid())) {
      return List.of();
    }
    return result.getErrors() == null
        ? List.of(String.valueOf(result.getError()))
        : result.getErrors().stream()
            .map(error -> error.getInstanceLocation() + ": " + error.getError())
            .toList();
  }
}
