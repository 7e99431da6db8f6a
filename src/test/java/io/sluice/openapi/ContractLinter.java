package io.sluice.openapi;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.testkit.process.ChildProgram;
import io.sluice.testkit.process.Executables;
import io.sluice.testkit.process.Folders;
import io.sluice.testkit.process.Workspace;
import io.sluice.testkit.server.BackendException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Redocly's linter for OpenAPI, with the rules of {@code src/test/openapi/redocly.yaml}. npm gets
 * it once a checkout, in the version and with the checksum of {@code package-lock.json}.
 *
 * @param node the program
 * @param script the linter
 */
record ContractLinter(Path node, Path script) {
  private static final Path FILES = Path.of("src", "test", "openapi").toAbsolutePath();
  private static final String PACKAGE = "package.json";
  private static final String LOCK = "package-lock.json";
  private static final Path SCRIPT = Path.of("node_modules", "@redocly", "cli", "bin", "cli.js");
  private static final String NOT_LINTED = "the contract cannot be linted";
  private static final Duration INSTALL_LIMIT = Duration.ofMinutes(5);
  private static final Duration RUN_LIMIT = Duration.ofMinutes(2);

  /** What the linter asks for. */
  private static final int NODE_MAJOR_MIN = 20;

  private static final int NODE_MINOR_MIN = 19;
  private static final Pattern NODE_VERSION = Pattern.compile("v(\\d+)\\.(\\d+)\\..*");

  private static final Pattern FINDING =
      Pattern.compile("<error line=\"(\\d+)\".* message=\"(.*)\" source=\"(.*)\" />");

  /** Aborts the test where this machine has no Node.js and npm, or an old one. */
  static ContractLinter ofThisMachine() {
    Path node = needed("node");
    Path npm = needed("npm");
    ChildProgram about = ChildProgram.in(FILES, "node", RUN_LIMIT);
    about.run("node does not tell its version", List.of(node.toString(), "--version"));
    String version = text(about.log()).strip();
    assumeTrue(
        isEnough(version),
        "Expected Node.js %d.%d or newer to lint the contracts, but %s is %s"
            .formatted(NODE_MAJOR_MIN, NODE_MINOR_MIN, node, version));
    String lock = Integer.toHexString(text(FILES.resolve(LOCK)).hashCode());
    Path folder = Workspace.cached("contract-lint-" + lock, unfinished -> install(npm, unfinished));
    return new ContractLinter(node, folder.resolve(SCRIPT));
  }

  private static Path needed(String program) {
    var found = Executables.find(program);
    assumeTrue(
        found.isPresent(),
        "Expected node and npm to lint the contracts, but this machine has no " + program);
    return found.orElseThrow();
  }

  private static boolean isEnough(String version) {
    Matcher parts = NODE_VERSION.matcher(version);
    if (!parts.matches()) {
      throw new BackendException("Expected a version of Node.js, but got " + version);
    }
    int major = Integer.parseInt(parts.group(1));
    int minor = Integer.parseInt(parts.group(2));
    return major > NODE_MAJOR_MIN || (major == NODE_MAJOR_MIN && minor >= NODE_MINOR_MIN);
  }

  private static void install(Path npm, Path folder) throws IOException {
    Files.copy(FILES.resolve(PACKAGE), folder.resolve(PACKAGE));
    Files.copy(FILES.resolve(LOCK), folder.resolve(LOCK));
    ChildProgram.in(folder, "contract-lint-install", INSTALL_LIMIT)
        .run(
            "npm cannot install the linter of the contracts",
            List.of(
                npm.toString(),
                "ci",
                "--ignore-scripts",
                "--no-audit",
                "--no-fund",
                "--no-update-notifier"));
  }

  /** What the linter says about a contract, each with its line and its rule. */
  List<String> findings(Path contract) {
    List<String> command =
        List.of(
            node.toString(),
            script.toString(),
            "lint",
            "--config=" + FILES.resolve("redocly.yaml"),
            "--lint-config=error",
            "--format=checkstyle",
            "--max-problems=1000",
            contract.toAbsolutePath().toString());
    ChildProgram lint =
        ChildProgram.in(Folders.create(Workspace.root()), "contract-lint", RUN_LIMIT)
            .with("REDOCLY_TELEMETRY", "off")
            .with("REDOCLY_SUPPRESS_UPDATE_NOTICE", "true");
    int exitCode = lint.exitCode(NOT_LINTED, command);
    String printed = text(lint.log());
    List<String> findings = printed.lines().flatMap(ContractLinter::finding).toList();
    if (!printed.contains(": validated in ") || (exitCode != 0 && findings.isEmpty())) {
      throw new BackendException(NOT_LINTED + lint.tail());
    }
    return findings;
  }

  private static Stream<String> finding(String line) {
    return FINDING
        .matcher(line)
        .results()
        .map(found -> "line %s: %s (%s)".formatted(found.group(1), found.group(2), found.group(3)));
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
