package io.sluice.cli;

import io.sluice.model.BundledFile;
import io.sluice.web.OpenApi;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.UnmatchedArgumentException;

/** The program {@code java -jar sluice.jar admin}. */
@Command(
    name = "java -jar sluice.jar admin",
    description = "Calls the management port of a running instance.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    commandListHeading = "%nCommands:%n",
    optionListHeading = "%nOptions:%n",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      AnswerWriter.DONE + ":Done, or recorded",
      AnswerWriter.REFUSED + ":Refused; nothing was changed",
      AdminCommand.WRONG + ":The arguments are wrong, or not confirmed; nothing was sent",
      AnswerWriter.UNKNOWN
          + ":Not reached, or the outcome is not known: the same command may be repeated"
    })
public final class AdminCommand {
  static final int WRONG = 2;

  /** The default of {@code admin.host} and {@code admin.port}. */
  static final String LOCAL = "http://127.0.0.1:8081";

  /** As the service itself takes its token. */
  static final String TOKEN = "SLUICE_ADMIN_TOKEN";

  private static final OpenApi CONTRACT = OpenApi.of(BundledFile.text("/openapi/management.yaml"));

  /** Calls of browsers, and what is in this program. */
  private static final Set<String> NO_COMMANDS = Set.of("page", "contract");

  private static final int TEXT_WIDTH = 110;

  /** How answers are written. */
  enum Output {
    text,
    json
  }

  @Option(
      names = "--url",
      scope = ScopeType.INHERIT,
      paramLabel = "URL",
      defaultValue = LOCAL,
      description = "The management port; ${DEFAULT-VALUE} without it")
  private String url = LOCAL;

  @Option(
      names = "--token-file",
      scope = ScopeType.INHERIT,
      paramLabel = "FILE",
      description =
          "A file with the operator's token; without it the one that "
              + TOKEN
              + "_FILE names, or the variable "
              + TOKEN)
  private @Nullable Path tokenFile;

  @Option(
      names = "--ca-file",
      scope = ScopeType.INHERIT,
      paramLabel = "FILE",
      description = "PEM file of the authorities of the port's certificate; else those of the JVM")
  private @Nullable Path caFile;

  @Option(
      names = "--timeout-s",
      scope = ScopeType.INHERIT,
      paramLabel = "SECONDS",
      defaultValue = "60",
      description = "How long to wait for an answer, and for more of it; ${DEFAULT-VALUE}")
  private int timeoutS;

  @Option(
      names = {"-o", "--output"},
      scope = ScopeType.INHERIT,
      paramLabel = "FORM",
      defaultValue = "text",
      description = "${COMPLETION-CANDIDATES}: for people, or the answer as it is")
  private Output output = Output.text;

  private final Map<String, String> environment;
  private final Streams streams;

  private AdminCommand(Map<String, String> environment, Streams streams) {
    this.environment = environment;
    this.streams = streams;
  }

  /**
   * Runs a command.
   *
   * @param words the command, its arguments and options
   * @param environment the variables that may have the token
   * @return the exit code
   */
  public static int run(List<String> words, Map<String, String> environment, Streams streams) {
    AdminCommand admin = new AdminCommand(environment, streams);
    CommandLine line = admin.commandLine().setExecutionStrategy(admin::execute);
    line.setOut(new PrintWriter(streams.out(), true, Charset.defaultCharset()));
    line.setErr(new PrintWriter(streams.err(), true, Charset.defaultCharset()));
    line.setParameterExceptionHandler((wrong, all) -> wrong(wrong));
    line.setExitCodeExceptionMapper(failure -> AnswerWriter.UNKNOWN);
    return line.execute(words.toArray(String[]::new));
  }

  private static int wrong(ParameterException wrong) {
    CommandLine line = wrong.getCommandLine();
    line.getErr().println("wrong: " + wrong.getMessage());
    UnmatchedArgumentException.printSuggestions(wrong, line.getErr());
    line.getErr().println("--help shows how it is called");
    return WRONG;
  }

  /** With a command for each call. */
  private CommandLine commandLine() {
    CommandLine line = new CommandLine(this);
    CommandSpec spec = line.getCommandSpec();
    spec.version("sluice " + CONTRACT.root().getJsonObject("info").getString("version"));
    for (OpenApi.Call call : CONTRACT.calls()) {
      if (NO_COMMANDS.stream().noneMatch(call::hasTag)) {
        ContractCall command = new ContractCall(CONTRACT, call, spec.optionsMap().keySet());
        CommandSpec ofCall = CommandSpec.wrapWithoutInspection(command);
        command.describe(ofCall);
        line.addSubcommand(command.name(), new CommandLine(ofCall));
      }
    }
    // '@' may begin an argument, such as the id of a buyer.
    return line.setExpandAtFiles(false).setUsageHelpWidth(TEXT_WIDTH);
  }

  private int execute(ParseResult parsed) {
    ParseResult given = parsed.hasSubcommand() ? parsed.subcommand() : parsed;
    Integer helped = CommandLine.executeHelpRequest(parsed);
    if (helped == null && given.commandSpec().userObject() instanceof ContractCall command) {
      return call(command, given);
    }
    return helped == null ? new RunLast().execute(parsed) : helped;
  }

  @Command(
      name = "completion",
      mixinStandardHelpOptions = true,
      description = "Prints the completion of these commands for bash")
  void completion(
      @Parameters(
              paramLabel = "<alias>",
              defaultValue = "sluice-admin",
              description = "The alias of this program; ${DEFAULT-VALUE} without it")
          String alias) {
    streams.out().print(AutoComplete.bash(alias, commandLine()));
  }

  @Command(
      name = "size",
      mixinStandardHelpOptions = true,
      description = "Shows what a sale needs at its peak, with six tenths of each core in use")
  void size(
      @Option(
              names = "--granted-per-s",
              required = true,
              paramLabel = "NUMBER",
              description = "Orders that are granted in a second of the peak")
          int granted,
      @Option(
              names = "--refused-per-s",
              required = true,
              paramLabel = "NUMBER",
              description = "Requests that are refused in a second of the peak")
          int refused,
      @Option(
              names = "--orders",
              required = true,
              paramLabel = "NUMBER",
              description = "Orders of the whole sale")
          int orders,
      @Option(
              names = "--events",
              defaultValue = "2",
              paramLabel = "NUMBER",
              description = "Events of an order; ${DEFAULT-VALUE}: booked, and paid or canceled")
          int events) {
    JsonObject sizes = Sizing.of(granted, refused, orders, events);
    streams.out().print(output == Output.json ? sizes.encode() + "\n" : JsonText.of(sizes));
  }

  private int call(ContractCall command, ParseResult given) {
    CommandLine line = given.commandSpec().commandLine();
    ContractCall.Request request;
    AdminClient client;
    try {
      request = command.request(given);
      client = new AdminClient(url, token(), caFile, Duration.ofSeconds(timeoutS));
    } catch (IllegalArgumentException wrong) {
      throw new ParameterException(line, wrong.getMessage(), wrong);
    } catch (IOException unreadable) {
      throw new ParameterException(
          line, "Expected a file that can be read, but " + unreadable.getMessage(), unreadable);
    }
    if (command.asks(given) && !isConfirmed(command, request)) {
      streams.err().println("not confirmed, nothing was sent; --yes confirms it");
      return WRONG;
    }
    String again =
        request.newIds().entrySet().stream()
            .map(id -> " with " + id.getKey() + " " + id.getValue())
            .collect(Collectors.joining());
    if (!again.isEmpty()) {
      streams.err().println("To repeat this call, give it again" + again);
    }
    try {
      return new AnswerWriter(client, streams, output == Output.json)
          .write(command, client.send(request));
    } catch (IllegalArgumentException wrong) {
      throw new ParameterException(line, wrong.getMessage(), wrong);
    } catch (AdminClient.NotReachedException away) {
      streams
          .err()
          .println("not reached: " + url + ", " + away.getMessage() + "; nothing was sent");
    } catch (IOException | DecodeException broken) {
      streams.err().println("not known: " + broken + "; the call may be repeated" + again);
    }
    return AnswerWriter.UNKNOWN;
  }

  private @Nullable String token() throws IOException {
    String named = environment.get(TOKEN + "_FILE");
    Path file = tokenFile != null ? tokenFile : named != null ? Path.of(named) : null;
    String tokens = file == null ? environment.getOrDefault(TOKEN, "") : Files.readString(file);
    // The service may have two, while they are exchanged.
    String token = tokens.split(",", 2)[0].strip();
    if (file == null && token.isEmpty()) {
      return null;
    }
    if (!token.matches("[!-~]+")) {
      throw new IllegalArgumentException(
          "Expected a token of visible ASCII characters in "
              + (file == null ? TOKEN : file)
              + ", but got another");
    }
    return token;
  }

  private boolean isConfirmed(ContractCall command, ContractCall.Request request) {
    streams
        .err()
        .printf(
            "%s%n%s %s at %s: sure (yes)? ",
            command.summary(), request.method(), request.target(), url);
    try {
      String said =
          new BufferedReader(new InputStreamReader(streams.in(), Charset.defaultCharset()))
              .readLine();
      return said != null && said.strip().matches("(?i)y|yes");
    } catch (IOException unreadable) {
      return false;
    }
  }
}
