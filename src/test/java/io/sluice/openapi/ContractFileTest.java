package io.sluice.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.History;
import io.sluice.model.Limits;
import io.sluice.model.OrderNotes.Refund;
import io.sluice.model.OrderStatus;
import io.sluice.model.ProblemType;
import io.sluice.model.Reason;
import io.sluice.model.SkuState;
import io.sluice.openapi.ContractFile.Example;
import io.sluice.openapi.ContractFile.Operation;
import io.sluice.order.SkuLevels.Level;
import io.sluice.web.Contract;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What a contract says agrees with itself, and with the values of the domain. */
class ContractFileTest {
  private static final String PROBLEMS = "/problems/";
  private static final Pattern REF = Pattern.compile("\\$ref: \"#(/[^\"]+)\"");
  private static final Pattern VERSION = Pattern.compile("<version>([^<]+)</version>");
  private static final Pattern PATH_PARAMETER = Pattern.compile("\\{([a-z_]+)}");

  @ParameterizedTest
  @EnumSource
  void shouldHaveTheVersionOfTheBuild(Contract contract) throws IOException {
    // given
    MatchResult version =
        VERSION.matcher(Files.readString(Path.of("pom.xml"))).results().findFirst().orElseThrow();

    // when
    JsonObject root = ContractFile.of(contract).root();

    // then
    assertThat(root.getString("openapi")).isEqualTo("3.1.0");
    assertThat(root.getJsonObject("info").getString("version")).isEqualTo(version.group(1));
  }

  @ParameterizedTest
  @EnumSource
  void shouldUseEveryComponentAndReferToNoOther(Contract contract) {
    // given
    ContractFile file = ContractFile.of(contract);
    Set<String> components = new TreeSet<>();
    JsonObject kinds = file.root().getJsonObject("components");
    for (String kind : kinds.fieldNames()) {
      if (!kind.equals("securitySchemes")) {
        kinds
            .getJsonObject(kind)
            .fieldNames()
            .forEach(name -> components.add("/components/" + kind + "/" + name));
      }
    }

    // when
    Set<String> used = new TreeSet<>();
    REF.matcher(file.text()).results().forEach(ref -> used.add(ref.group(1)));

    // then
    assertThat(used).isEqualTo(components);
  }

  @ParameterizedTest
  @EnumSource
  void shouldDescribeEveryCallAndAnswer(Contract contract) {
    // given
    ContractFile file = ContractFile.of(contract);

    // when
    List<Operation> operations = file.operations();

    // then
    assertThat(operations).extracting(Operation::id).doesNotHaveDuplicates().doesNotContainNull();
    for (Operation operation : operations) {
      assertThat(operation.json().getString("summary")).as(operation.call()).isNotBlank();
      assertThat(pathParameters(operation)).as(operation.call()).isEqualTo(named(operation.path()));
      JsonObject answers = file.answers(operation);
      for (String status : answers.fieldNames()) {
        JsonObject answer = answers.getJsonObject(status);
        String place = operation.call() + " " + status;
        assertThat(answer.getString("description")).as(place).isNotBlank();
        assertThat(answer.getJsonObject("content", new JsonObject()))
            .as(place)
            .hasSize(formats(file, operation, status));
      }
    }
  }

  /** A call has the answer in each format that its caller can choose; 304 has none. */
  private static int formats(ContractFile file, Operation operation, String status) {
    if (!status.equals("200")) {
      return status.equals("304") ? 0 : 1;
    }
    return operation.parameters().stream()
        .filter(parameter -> parameter.getString("name").equals("format"))
        .map(parameter -> values(file, file.schemaName(parameter)).size())
        .findFirst()
        .orElse(1);
  }

  private static Set<String> pathParameters(Operation operation) {
    Set<String> names = new TreeSet<>();
    operation.parameters().stream()
        .filter(parameter -> parameter.getString("in").equals("path"))
        .forEach(parameter -> names.add(parameter.getString("name")));
    return names;
  }

  private static Set<String> named(String path) {
    Set<String> names = new TreeSet<>();
    PATH_PARAMETER.matcher(path).results().forEach(name -> names.add(name.group(1)));
    return names;
  }

  @ParameterizedTest
  @EnumSource
  void shouldHaveExamplesThatMatchTheirSchemas(Contract contract) {
    // given
    ContractFile file = ContractFile.of(contract);
    List<String> faults = new ArrayList<>();

    // when
    for (Example example : file.examples()) {
      file.schemas()
          .faults(example.schema(), example.value())
          .forEach(fault -> faults.add(example.key() + ": " + fault));
    }
    for (Operation operation : file.operations()) {
      faults.addAll(faultsOfRequest(file, operation));
    }

    // then
    assertThat(faults).isEmpty();
  }

  private static List<String> faultsOfRequest(ContractFile file, Operation operation) {
    List<String> faults = new ArrayList<>();
    for (JsonObject parameter : operation.parameters()) {
      if (parameter.containsKey("example")) {
        faults.addAll(
            file.schemas().faults(file.schemaName(parameter), parameter.getValue("example")));
      }
    }
    JsonObject body = operation.json().getJsonObject("requestBody");
    if (body != null) {
      JsonObject json = body.getJsonObject("content").getJsonObject("application/json");
      JsonObject examples = json.getJsonObject("examples");
      assertThat(examples).as(operation.call()).isNotEmpty();
      for (String name : examples.fieldNames()) {
        faults.addAll(
            file.schemas()
                .faults(file.schemaName(json), examples.getJsonObject(name).getValue("value")));
      }
    }
    return faults;
  }

  @ParameterizedTest
  @EnumSource
  void shouldCallEachExampleOfAProblemByItsWord(Contract contract) {
    // when
    List<Example> problems =
        ContractFile.of(contract).examples().stream().filter(Example::isProblem).toList();

    // then
    assertThat(problems).isNotEmpty();
    assertThat(problems)
        .allSatisfy(
            example -> {
              ProblemType type =
                  Stream.of(ProblemType.values())
                      .filter(each -> each.word().equals(example.name()))
                      .findFirst()
                      .orElseThrow();
              assertThat(type.status()).isEqualTo(example.status());
              assertThat(example.value().getInteger("status")).isEqualTo(example.status());
              assertThat(example.value().getString("type")).isEqualTo(PROBLEMS + type.word());
            });
  }

  @Test
  void shouldNameEveryProblemOfTheServiceAndNoOther() {
    // when
    Set<String> named = new TreeSet<>();
    for (Contract contract : Contract.values()) {
      values(ContractFile.of(contract), "ProblemType").forEach(type -> named.add((String) type));
    }

    // then
    assertThat(named)
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(ProblemType.values()).map(type -> PROBLEMS + type.word()).toList());
  }

  @Test
  void shouldListTheValuesOfTheDomain() {
    // given
    ContractFile file = ContractFile.of(Contract.PUBLIC);
    JsonObject level = schema(file, "SkuLevel").getJsonObject("properties");

    // then
    assertThat(values(file, "OrderStatus")).isEqualTo(names(OrderStatus.values()));
    assertThat(values(file, "Reason").stream().filter(Objects::nonNull).toList())
        .isEqualTo(names(Reason.values()));
    assertThat(values(level.getJsonObject("state"))).isEqualTo(names(SkuState.values()));
    assertThat(values(level.getJsonObject("level"))).isEqualTo(names(Level.values()));
    assertThat(values(schema(file, "Refund").getJsonObject("properties").getJsonObject("state")))
        .isEqualTo(names(Refund.State.values()));
    ContractFile management = ContractFile.of(Contract.MANAGEMENT);
    assertThat(values(management, "SkuState")).isEqualTo(names(SkuState.values()));
    assertThat(values(management, "OrderStatus")).isEqualTo(names(OrderStatus.values()));
  }

  @Test
  void shouldHaveTheRangesOfTheDomain() {
    // given
    ContractFile file = ContractFile.of(Contract.PUBLIC);
    ContractFile management = ContractFile.of(Contract.MANAGEMENT);
    JsonObject put = schema(management, "PutSku").getJsonObject("properties");
    JsonObject restock = schema(management, "Restock").getJsonObject("properties");

    // then
    JsonObject tooFew = schema(file, "Lines").getJsonObject("not");
    assertThat(tooFew.getInteger("maxItems")).isEqualTo(Limits.CART_LINES_MIN - 1);
    assertThat(schema(file, "Lines").getInteger("maxItems")).isEqualTo(Limits.CART_LINES_MAX);
    assertThat(schema(file, "Units").getLong("maximum")).isEqualTo(Limits.QTY_MAX);
    assertThat(schema(file, "RequestKey").getInteger("maxLength"))
        .isEqualTo(Limits.REQUEST_KEY_MAX);
    assertThat(schema(file, "Reference").getInteger("maxLength")).isEqualTo(Limits.REFERENCE_MAX);
    assertThat(schema(file, "PaymentRef").getInteger("maxLength"))
        .isEqualTo(Limits.PAYMENT_REF_MAX);
    assertThat(schema(file, "RefundId").getInteger("maxLength")).isEqualTo(Limits.REFUND_ID_MAX);
    assertThat(maximum(schema(file, "Extension").getJsonObject("properties"), "seconds"))
        .isEqualTo(Limits.EXTENSION_S_MAX);
    assertThat(schema(management, "OrderLimit").getInteger("maximum")).isEqualTo(History.PAGE_MAX);
    assertThat(maximum(put, "total_stock")).isEqualTo(Limits.TOTAL_STOCK_MAX);
    assertThat(maximum(put, "payment_window_s")).isEqualTo(Limits.PAYMENT_WINDOW_S_MAX);
    assertThat(maximum(put, "limit_per_user")).isEqualTo(Limits.LIMIT_PER_USER_MAX);
    assertThat(maximum(put, "buckets")).isEqualTo(Limits.BUCKETS_MAX);
    assertThat(maximum(restock, "qty")).isEqualTo(Limits.TOTAL_STOCK_MAX);
    assertThat(restock.getJsonObject("restock_id").getInteger("maxLength"))
        .isEqualTo(Limits.RESTOCK_ID_MAX);
    assertThat(schema(management, "UserId").getInteger("maxLength")).isEqualTo(Limits.USER_ID_MAX);
  }

  /** Without this, all of the above would pass with a library that finds nothing. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "PlaceOrder|{\"sku_id\":0,\"qty\":1}",
        "PlaceOrder|{\"sku_id\":1,\"qty\":1001}",
        "PlaceOrder|{\"sku_id\":1}",
        "PlaceOrder|{\"sku_id\":1,\"lines\":[{\"sku_id\":1,\"qty\":1},{\"sku_id\":2,\"qty\":1}]}",
        "PlaceOrder|{\"sku_id\":1,\"qty\":1,\"more\":1}",
        "SkuLevel|{\"sku_id\":1,\"state\":\"OPEN\",\"level\":\"SOME\",\"opens_at\":null,\"closes_at\":null}",
        "Problem|{\"type\":\"/problems/no-such\",\"title\":\"t\",\"status\":400,\"detail\":\"d\"}",
      })
  void shouldFindWhatASchemaForbids(String schema, String value) {
    // when
    List<String> faults =
        ContractFile.of(Contract.PUBLIC).schemas().faults(schema, new JsonObject(value));

    // then
    assertThat(faults).isNotEmpty();
  }

  private static JsonObject schema(ContractFile file, String name) {
    return file.root().getJsonObject("components").getJsonObject("schemas").getJsonObject(name);
  }

  private static List<Object> values(ContractFile file, String schema) {
    return values(schema(file, schema));
  }

  private static List<Object> values(JsonObject schema) {
    List<Object> values = new ArrayList<>();
    schema.getJsonArray("enum").forEach(values::add);
    return values;
  }

  private static long maximum(JsonObject properties, String name) {
    return properties.getJsonObject(name).getLong("maximum");
  }

  private static List<String> names(Enum<?>[] values) {
    return Stream.of(values).map(Enum::name).toList();
  }
}
