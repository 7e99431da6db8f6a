package io.sluice.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.web.OpenApi;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/**
 * A call of the contract as a command: parameters of the path are its arguments, all else are
 * options, and so are the fields of the body.
 */
final class ContractCall {
  private static final String YES = "--yes";

  /** In place of the fields, if these are more than options can say. */
  private static final String BODY_FILE = "--body";

  /** Marks a call in the contract that nobody can take back. */
  private static final String IRREVERSIBLE = "x-irreversible";

  /** Marks what makes a repeated call the same one. */
  private static final String REQUEST_ID = "x-request-id";

  private final OpenApi contract;
  private final OpenApi.Call call;
  private final Set<String> taken;
  private final List<Input> inputs = new ArrayList<>();

  /** Options of this call, by those of all commands that have their names. */
  private final Map<String, String> renamed = new TreeMap<>();

  private final @Nullable JsonObject body;
  private boolean takesFile;

  /**
   * A request that can be sent.
   *
   * @param target path and query
   * @param body null if there is none
   * @param newIds the ids that were not given and make a repeated call the same one, by option
   */
  record Request(
      String method,
      String target,
      Map<String, String> headers,
      byte @Nullable [] body,
      Map<String, String> newIds) {}

  /**
   * Reads what the call takes.
   *
   * @param taken options that mean something else
   */
  ContractCall(OpenApi contract, OpenApi.Call call, Set<String> taken) {
    this.contract = contract;
    this.call = call;
    this.taken = taken;
    this.body = call.json().getJsonObject("requestBody");
    for (JsonObject parameter : call.parameters()) {
      add(
          parameter.getString("in"),
          parameter.getString("name"),
          parameter,
          parameter.getJsonObject("schema"),
          parameter.getBoolean("required", false));
    }
    if (body != null) {
      JsonObject content = body.getJsonObject("content").getJsonObject("application/json");
      addFields(contract.followed(content.getJsonObject("schema")));
    }
  }

  private void addFields(JsonObject schema) {
    JsonObject fields = schema.getJsonObject("properties");
    JsonArray required = schema.getJsonArray("required", new JsonArray());
    takesFile = fields.stream().anyMatch(field -> !isPlain((JsonObject) field.getValue()));
    for (String name : fields.fieldNames()) {
      JsonObject field = fields.getJsonObject(name);
      if (isPlain(field)) {
        add(Input.BODY, name, field, field, !takesFile && required.contains(name));
      }
    }
  }

  /** Whether it is one value, or a list of such. */
  private boolean isPlain(JsonObject maybeRef) {
    JsonObject schema = contract.followed(maybeRef);
    JsonObject items = schema.getJsonObject("items");
    return items == null ? !"object".equals(schema.getValue("type")) : isPlain(items);
  }

  private void add(
      String in, String name, JsonObject described, JsonObject maybeRef, boolean required) {
    JsonObject schema = contract.followed(maybeRef);
    boolean isSecret = schema.getBoolean("writeOnly", false);
    String word = name.replace('_', '-').toLowerCase(Locale.ROOT) + (isSecret ? "-file" : "");
    boolean isTaken = taken.contains("--" + word);
    String option = isTaken ? "--" + in + "-" + word : "--" + word;
    if (isTaken) {
      renamed.put("--" + word, option);
    }
    inputs.add(
        new Input(
            in,
            name,
            option,
            schema,
            required,
            described.getBoolean(REQUEST_ID, false),
            isSecret,
            described.getString("description", schema.getString("description", ""))));
  }

  /** As in {@code restock-sku}. */
  String name() {
    return call.id().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
  }

  String summary() {
    return call.summary();
  }

  /** Whether it is sent only if it is confirmed. */
  boolean asks(ParseResult given) {
    return isIrreversible() && !given.hasMatchedOption(YES);
  }

  private boolean isIrreversible() {
    return call.json().getBoolean(IRREVERSIBLE, false);
  }

  /** What the contract says of an answer of this status and type; null if it has none. */
  @Nullable String answer(int status, String type) {
    JsonObject answers = call.json().getJsonObject("responses");
    JsonObject answer = contract.followed(answers.getJsonObject("" + status, new JsonObject()));
    return answer.getJsonObject("content", new JsonObject()).fieldNames().stream()
            .anyMatch(of -> essence(of).equals(essence(type)))
        ? answer.getString("description").strip()
        : null;
  }

  private static String essence(String mediaType) {
    return mediaType.replaceFirst(";.*", "").strip();
  }

  /** Adds arguments, options and texts. */
  void describe(CommandSpec spec) {
    spec.usageMessage()
        .header(plain(call.summary()))
        .description(plain(call.description()))
        .sortOptions(false);
    for (Input input : inputs) {
      if (input.in().equals(Input.PATH)) {
        spec.addPositional(
            PositionalParamSpec.builder()
                .index("" + spec.positionalParameters().size())
                .paramLabel(input.label())
                .type(String.class)
                .required(true)
                .description(plain(input.text()))
                .build());
      } else {
        spec.addOption(
            OptionSpec.builder(input.option())
                .paramLabel(input.label())
                .type(String.class)
                .required(input.required() && !input.isRequestId())
                .completionCandidates(input.words())
                .description(plain(input.text()))
                .build());
      }
    }
    if (takesFile) {
      spec.addOption(
          OptionSpec.builder(BODY_FILE)
              .paramLabel("FILE")
              .type(Path.class)
              .description("The whole body in JSON, in place of its fields as options")
              .build());
    }
    spec.addOption(
        OptionSpec.builder("-h", "--help").usageHelp(true).description("Shows this text").build());
    if (isIrreversible()) {
      spec.addOption(
          OptionSpec.builder(YES).type(boolean.class).description("Does not ask").build());
    }
  }

  /** Picocli formats its texts, and breaks their lines itself. */
  private static String plain(String text) {
    return text.strip().replace("%", "%%").replaceAll("(?<!\n)\n(?!\n)", " ");
  }

  /**
   * Throws IllegalArgumentException if an argument is wrong, IOException if a file cannot be read.
   */
  Request request(ParseResult given) throws IOException {
    renamed.forEach(
        (common, own) -> {
          // A secret would be sent to where its user means the port to send it.
          if (given.hasMatchedOption(common)) {
            throw new IllegalArgumentException(
                "Expected %s, or %s before the command for the management port, but got %s behind it"
                    .formatted(own, common, common));
          }
        });
    Map<String, String> newIds = new LinkedHashMap<>();
    String path = call.path();
    StringBuilder query = new StringBuilder();
    Map<String, String> headers = new LinkedHashMap<>();
    JsonObject fields = new JsonObject();
    int argument = 0;
    for (Input input : inputs) {
      if (input.in().equals(Input.PATH)) {
        String value = given.matchedPositionalValue(argument++, "");
        path = path.replace("{" + input.name() + "}", encoded(value));
        continue;
      }
      String value = value(input, given, newIds);
      if (value == null) {
        continue;
      }
      switch (input.in()) {
        case Input.QUERY ->
            query
                .append(query.isEmpty() ? '?' : '&')
                .append(input.name())
                .append('=')
                .append(encoded(value));
        case Input.HEADER -> headers.put(input.name(), value);
        default -> fields.put(input.name(), input.inJson(value));
      }
    }
    byte[] content = content(fields, given.matchedOptionValue(BODY_FILE, (Path) null));
    if (content != null) {
      headers.put("Content-Type", "application/json");
    }
    return new Request(call.method(), path + query, headers, content, newIds);
  }

  private static @Nullable String value(Input input, ParseResult given, Map<String, String> newIds)
      throws IOException {
    String value = given.matchedOptionValue(input.option(), (String) null);
    if (value == null && input.isRequestId() && !given.hasMatchedOption(BODY_FILE)) {
      value = "cli-" + UUID.randomUUID();
      newIds.put(input.option(), value);
    }
    return value != null && input.isSecret() ? Files.readString(Path.of(value)).strip() : value;
  }

  private byte @Nullable [] content(JsonObject fields, @Nullable Path file) throws IOException {
    if (file != null) {
      if (!fields.isEmpty()) {
        throw new IllegalArgumentException(
            "Expected %s alone, or fields as options, but got both".formatted(BODY_FILE));
      }
      return Files.readAllBytes(file);
    }
    boolean needed = body != null && body.getBoolean("required", false);
    return needed || !fields.isEmpty() ? fields.encode().getBytes(UTF_8) : null;
  }

  private static String encoded(String value) {
    return URLEncoder.encode(value, UTF_8).replace("+", "%20");
  }
}
