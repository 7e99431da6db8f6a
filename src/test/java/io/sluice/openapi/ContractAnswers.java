package io.sluice.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.openapi.ContractFile.Operation;
import io.sluice.web.HttpProbe.Answer;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Compares answers of a running port with its contract, whatever they were asked for. */
public final class ContractAnswers {
  private static final String PROBLEM = "application/problem+json";
  private static final Pattern PARAMETER = Pattern.compile("\\{[a-z_]+}");

  /** What any call may be answered with, as the introduction of the contract says. */
  private static final Set<Integer> ALWAYS = Set.of(400, 404, 405, 408, 429, 431, 500, 503, 505);

  /** What a call that does not exist may be answered with: callers are looked at first. */
  private static final Set<Integer> TO_STRANGERS = Set.of(401, 403);

  private final ContractFile file;
  private final List<Route> routes;

  private record Route(Operation operation, Pattern path, JsonObject answers) {
    boolean fits(String method, String asked) {
      boolean same =
          method.equals(operation.method())
              || (method.equals("HEAD") && operation.method().equals("GET"));
      return same && path.matcher(asked).matches();
    }
  }

  public ContractAnswers(ContractFile file) {
    this.file = file;
    this.routes =
        file.operations().stream()
            .map(
                operation ->
                    new Route(
                        operation,
                        Pattern.compile(PARAMETER.matcher(operation.path()).replaceAll("[^/]+")),
                        file.answers(operation)))
            .toList();
  }

  /** Fails where the contract does not have this answer to this call. */
  public synchronized void check(String method, String target, Answer answer) {
    String path = target.replaceFirst("\\?.*", "");
    Optional<Route> route = routes.stream().filter(each -> each.fits(method, path)).findFirst();
    if (method.equals("OPTIONS") || method.equals("HEAD")) {
      assertThat(answer.text()).isEmpty();
      return;
    }
    String status = String.valueOf(answer.status());
    JsonObject documented = route.map(each -> each.answers().getJsonObject(status)).orElse(null);
    if (documented == null) {
      if (route.isPresent() || !TO_STRANGERS.contains(answer.status())) {
        assertThat(answer.status()).as(method + " " + target).isIn(ALWAYS);
      }
      assertThat(file.schemas().faults("Problem", answer.json())).isEmpty();
      return;
    }
    checkBody(method + " " + target + " " + status, documented.getJsonObject("content"), answer);
    file.checkHeaders(documented.getJsonObject("headers", new JsonObject()), answer);
  }

  /** What is not documented for the call itself is a problem of those that any call may have. */
  private void checkBody(String what, JsonObject content, Answer answer) {
    String mediaType = answer.header("content-type");
    assertThat(mediaType).as(what).isNotNull();
    if (content.containsKey("*/*") && !mediaType.equals(PROBLEM)) {
      return;
    }
    if (!content.containsKey(mediaType)) {
      assertThat(mediaType).as(what).isEqualTo(PROBLEM);
      assertThat(answer.status()).as(what).isIn(ALWAYS);
      assertThat(file.schemas().faults("Problem", answer.json())).as(what).isEmpty();
    } else if (mediaType.matches(".*[/+]json")) {
      String schema = file.schemaName(content.getJsonObject(mediaType));
      assertThat(file.schemas().faults(schema, answer.json())).as(what).isEmpty();
    }
  }
}
