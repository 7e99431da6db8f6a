package io.sluice.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.model.ProblemType;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.stream.Stream;

/** Writes an answer for people or as it is, and a problem with what to do. */
record AnswerWriter(AdminClient client, Streams streams, boolean asItIs) {
  static final int DONE = 0;
  static final int REFUSED = 1;
  static final int UNKNOWN = 3;

  private static final String JSON = "application/json";
  private static final String PROBLEM = "application/problem+json";

  /** Fields of a problem that have lines of their own. */
  private static final List<String> TOLD = List.of("type", "title", "status", "detail");

  /** Writes all of it, and returns the exit code. Throws if its end is missing. */
  int write(ContractCall call, HttpResponse<InputStream> answer) throws IOException {
    int status = answer.statusCode();
    String type = answer.headers().firstValue("Content-Type").orElse("");
    if (type.startsWith(PROBLEM)) {
      return problem(status, answer);
    }
    String described = call.answer(status, type);
    if (described == null) {
      streams.err().println(status + " is no answer of this call; is --url right?");
      return code(status);
    }
    if (type.startsWith(JSON) && !asItIs) {
      streams.out().print(JsonText.of(new JsonObject(read(answer))));
    } else {
      client.copy(answer.body(), streams.out());
      if (type.startsWith(JSON)) {
        streams.out().println();
      }
    }
    if (streams.out().checkError()) {
      throw new IOException("the output cannot be written");
    }
    answer.headers().firstValue("ETag").ifPresent(tag -> streams.err().println("ETag: " + tag));
    if (status == 202) {
      streams.err().println(described);
    }
    // Such as the parts of an instance that is not ready.
    return status < 300 ? DONE : REFUSED;
  }

  private int problem(int status, HttpResponse<InputStream> answer) throws IOException {
    JsonObject problem = new JsonObject(read(answer));
    String type = problem.getString("type", "");
    String word = type.substring(type.lastIndexOf('/') + 1);
    PrintStream err = streams.err();
    String said = code(status) == REFUSED ? "refused: " : "not known: ";
    err.println(said + status + " " + JsonText.visible(word + ": " + problem.getValue("title")));
    err.println(JsonText.visible(problem.getValue("detail")));
    Stream.of(ProblemType.values())
        .filter(known -> known.word().equals(word))
        .forEach(known -> err.println(known.remedy()));
    TOLD.forEach(problem::remove);
    err.print(JsonText.of(problem));
    answer
        .headers()
        .firstValue("Retry-After")
        .ifPresent(seconds -> err.println("Retry-After: " + JsonText.visible(seconds)));
    return code(status);
  }

  private String read(HttpResponse<InputStream> answer) throws IOException {
    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    client.copy(answer.body(), whole);
    return whole.toString(UTF_8);
  }

  /** Of an answer that is not 2xx: only an error of the caller has surely changed nothing. */
  private static int code(int status) {
    return status >= 400 && status < 500 ? REFUSED : UNKNOWN;
  }
}
