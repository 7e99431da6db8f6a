package io.sluice.web;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.model.ProblemType;
import io.sluice.web.Exchange.Guard;
import io.sluice.web.Problem.BadInputException;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.net.URLDecoder;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A call of the API: its path, who may make it, and its handler. {@link RequestPipeline} runs it.
 *
 * @param path for a router, with {@code :name} for a parameter
 * @param name of the call in the metrics
 * @param input all that it takes
 * @param call its handler; an exception becomes the answer
 */
public record Endpoint(
    HttpMethod method,
    String path,
    String name,
    Guard guard,
    Input input,
    Consumer<Exchange> call) {

  /** Its methods: one, and HEAD with GET. */
  List<HttpMethod> methods() {
    return method.equals(HttpMethod.GET) ? List.of(method, HttpMethod.HEAD) : List.of(method);
  }

  /**
   * The parts of a request that a call takes, besides its path and most headers. The pipeline
   * refuses everything else: a caller who believes that it has an effect learns that it has none.
   *
   * @param intake the parts that must be available before the call is handled
   * @param parameters of the query
   * @param fields of the body; empty for a call without one
   * @param ifMatch whether it looks at the header If-Match
   */
  public record Input(
      Intake intake, List<String> parameters, List<String> fields, boolean ifMatch) {
    /** Of a call that takes neither. */
    public static final Input NONE = new Input(Intake.BOUNDED, List.of(), List.of());

    /** The same for a call that is handled however many requests are in flight. */
    public static final Input ALWAYS = new Input(Intake.ALWAYS, List.of(), List.of());

    /** Headers without which a change may be made that its caller has forbidden. */
    private static final List<CharSequence> CONDITIONS =
        List.of(HttpHeaders.IF_MATCH, HttpHeaders.IF_NONE_MATCH);

    private static final int BODY_BYTES_MAX = 16 * 1024;
    private static final int LARGE_BODY_BYTES_MAX = 256 * 1024;
    private static final Pattern SEPARATOR = Pattern.compile("[&;]");
    private static final int QUOTED_MAX = 40;
    private static final String BODY = "body";
    private static final String NO_BODY =
        "Expected no body, or an empty JSON object, but got another";

    /** The parts that must be available before the call is handled. */
    public enum Intake {
      /** Nothing: handled however many requests are in flight. */
      ALWAYS(false, true, BODY_BYTES_MAX),
      /** A place among the requests in flight. */
      BOUNDED(false, true, BODY_BYTES_MAX),
      /** A JSON body, then a place. */
      BOUNDED_WITH_BODY(true, false, BODY_BYTES_MAX),
      /** A JSON body that may be larger, then a place. */
      BOUNDED_WITH_LARGE_BODY(true, false, LARGE_BODY_BYTES_MAX),
      /** A JSON body, empty if the request has none, then a place. */
      BOUNDED_WITH_OPTIONAL_BODY(true, true, BODY_BYTES_MAX);

      final boolean takesBody;
      final boolean mayLackBody;
      final int bodyBytesMax;

      /** The answer to a larger body. */
      final Problem tooLarge;

      Intake(boolean takesBody, boolean mayLackBody, int bodyBytesMax) {
        this.takesBody = takesBody;
        this.mayLackBody = mayLackBody;
        this.bodyBytesMax = bodyBytesMax;
        this.tooLarge =
            takesBody
                ? Problem.of(
                    ProblemType.CONTENT_TOO_LARGE,
                    "Expected a body of at most " + bodyBytesMax + " bytes, but it is larger")
                : Problem.of(ProblemType.BAD_REQUEST, BODY, NO_BODY);
      }
    }

    private Input(Intake intake, List<String> parameters, List<String> fields) {
      this(intake, parameters, fields, false);
    }

    /** The same of a call that looks at If-Match. */
    public Input withIfMatch() {
      return new Input(intake, parameters, fields, true);
    }

    /** Of a call with these parameters and no body. */
    public static Input query(String... parameters) {
      return new Input(Intake.BOUNDED, List.of(parameters), List.of());
    }

    /** Of a call with a body of these fields. */
    public static Input body(List<String> fields) {
      return new Input(Intake.BOUNDED_WITH_BODY, List.of(), fields);
    }

    /** The same, if there may be no body. */
    public static Input optionalBody(List<String> fields) {
      return new Input(Intake.BOUNDED_WITH_OPTIONAL_BODY, List.of(), fields);
    }

    /** The same, if the body may be larger. */
    public static Input largeBody(List<String> fields) {
      return new Input(Intake.BOUNDED_WITH_LARGE_BODY, List.of(), fields);
    }

    /** Throws {@link BadInputException} if a request has more beside its body. */
    void check(HttpServerRequest request) {
      checkQuery(request.query());
      checkConditions(request);
    }

    /** A query must not have another parameter, or one twice. */
    private void checkQuery(@Nullable String query) {
      if (query == null || query.isEmpty()) {
        return;
      }
      Set<String> seen = new HashSet<>();
      for (String part : SEPARATOR.split(query)) {
        if (!part.isEmpty()) {
          String name = nameOf(part);
          if (!parameters.contains(name)) {
            throw unknown(name);
          }
          if (!seen.add(name)) {
            throw new BadInputException(name, "Expected one " + name + ", but got several");
          }
        }
      }
    }

    /**
     * A change must not have a condition that the call does not look at. A call that only reads may
     * be asked for under any.
     */
    private void checkConditions(HttpServerRequest request) {
      HttpMethod method = request.method();
      if (HttpMethod.GET.equals(method) || HttpMethod.HEAD.equals(method)) {
        return;
      }
      for (CharSequence condition : CONDITIONS) {
        boolean isTaken = ifMatch && condition == HttpHeaders.IF_MATCH;
        if (!isTaken && request.headers().contains(condition)) {
          String name = condition == HttpHeaders.IF_MATCH ? "If-Match" : "If-None-Match";
          throw new BadInputException(
              name, "Expected no " + name + ", which this call does not look at, but got one");
        }
      }
    }

    private static String nameOf(String part) {
      int end = part.indexOf('=');
      try {
        return URLDecoder.decode(end < 0 ? part : part.substring(0, end), UTF_8);
      } catch (IllegalArgumentException undecodable) {
        throw new BadInputException(
            "query",
            "Expected a query whose % are followed by two hexadecimal digits, but got another");
      }
    }

    private BadInputException unknown(String name) {
      String quoted = name.length() <= QUOTED_MAX ? name : name.substring(0, QUOTED_MAX) + "...";
      String expected =
          parameters.isEmpty()
              ? "Expected no parameter"
              : "Expected only the parameters " + String.join(", ", parameters);
      return new BadInputException(
          quoted.isBlank() ? "query" : quoted, expected + ", but got \"" + quoted + "\"");
    }

    /**
     * Throws {@link BadInputException} if the body of a call without one has anything in it.
     * Clients that always send JSON send an empty object.
     */
    static void checkNothing(Buffer body) {
      if (body.length() > 0) {
        try (JsonFields nothing = JsonFields.of(body, List.of())) {
          nothing.next();
        } catch (BadInputException unexpected) {
          throw unexpected.field().equals(BODY) ? new BadInputException(BODY, NO_BODY) : unexpected;
        }
      }
    }
  }
}
