package io.sluice.sale.hostile;

import io.sluice.model.ProblemType;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Finds what is wrong with the answers to a hostile request. */
final class AnswerCheck {
  private static final Pattern INSIDES =
      Pattern.compile("Exception|\\tat |io\\.(sluice|vertx|netty)|java\\.lang");
  private static final Pattern RETRY_AFTER = Pattern.compile("[1-9]\\d{0,2}");
  private static final String PROBLEM = "application/problem+json";
  private static final String JSON = "application/json";
  private static final int MALFORMED = 400;
  private static final int UNAVAILABLE = 503;

  /** The types of a 503 that the pages list, and their titles; all of them say when to retry. */
  private static final Map<String, String> TEMPORARY =
      Map.of(
          "/problems/busy", "Busy, retry later",
          "/problems/unavailable", "A part of the service is down, retry later");

  private AnswerCheck() {}

  /** The fault of all that was received; empty where there is none. */
  static Optional<String> faultIn(String received, Due due) {
    if (received.isEmpty()) {
      return Optional.of("no answer");
    }
    if (INSIDES.matcher(received).find()) {
      return Optional.of("shows its insides");
    }
    return RawAnswer.allIn(received).stream()
        .flatMap(answer -> faultOf(answer, due).stream())
        .findFirst();
  }

  private static Optional<String> faultOf(RawAnswer answer, Due due) {
    if (!due.allows(answer.status())) {
      return Optional.of("another status than is due as " + due);
    }
    if (!answer.isRefusal() || isHealth(answer)) {
      return Optional.empty();
    }
    if (!answer.header("content-type").equals(PROBLEM)) {
      return Optional.of("a refusal that is no problem");
    }
    if (answer.status() == UNAVAILABLE
        && !RETRY_AFTER.matcher(answer.header("retry-after")).matches()) {
      return Optional.of("a 503 without Retry-After");
    }
    return answer.body().isEmpty() ? Optional.empty() : faultOfProblem(answer);
  }

  /** The 503 of {@code /readyz} is no refusal. */
  private static boolean isHealth(RawAnswer answer) {
    return answer.status() == UNAVAILABLE
        && answer.header("content-type").equals(JSON)
        && (answer.body().isEmpty() || answer.body().startsWith("{\"ready\":false,"));
  }

  private static Optional<String> faultOfProblem(RawAnswer answer) {
    JsonObject problem;
    try {
      problem = new JsonObject(answer.body());
    } catch (DecodeException cutOff) {
      return Optional.of("a problem that is no JSON");
    }
    String type = problem.getString("type", "");
    List<ProblemType> known =
        Stream.of(ProblemType.values())
            .filter(each -> type.equals("/problems/" + each.word()))
            .toList();
    if (known.isEmpty()
        || known.get(0).status() != answer.status()
        || problem.getInteger("status", 0) != answer.status()) {
      return Optional.of("a problem of another status, or of none");
    }
    if (answer.status() == UNAVAILABLE
        && !problem.getString("title", "").equals(TEMPORARY.get(type))) {
      return Optional.of("a 503 that no page lists");
    }
    boolean hasReason = problem.getString("detail", "").startsWith("Expected ");
    boolean hasField = !problem.getString("field", "").isBlank();
    return hasReason && (hasField || answer.status() != MALFORMED)
        ? Optional.empty()
        : Optional.of("a problem without a reason or a field");
  }
}
