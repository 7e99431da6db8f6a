package io.sluice.testkit.browser;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.testkit.process.Executables;
import io.sluice.testkit.process.Folders;
import io.sluice.testkit.process.Watchdog;
import io.sluice.testkit.process.Workspace;
import io.sluice.testkit.server.BackendException;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * A Chromium without a window, in a folder of its own, driven by its DevTools protocol. It ends
 * with the JVM that started it.
 */
public final class Chromium {
  /** What to tell where none is installed. */
  private static final String MISSING =
      "Chromium is not installed, so the live page is not tested in a browser (apt-get install"
          + " chromium)";

  private static final Duration START_LIMIT = Duration.ofSeconds(30);
  private static final int POLL_MS = 50;

  private static Chromium shared;

  private final Path folder;

  /** It keeps a socket there, whose path must be short. */
  private final Path temporary;

  private final Process process;
  private final URI address;
  private final HttpClient http = HttpClient.newHttpClient();

  private Chromium(Path folder, Path temporary, Process process, int port) {
    this.folder = folder;
    this.temporary = temporary;
    this.process = process;
    this.address = URI.create("http://127.0.0.1:" + port);
  }

  /** That of all tests of this JVM. Aborts the test where none is installed. */
  public static synchronized Chromium shared() {
    Optional<Path> program =
        Stream.of("chromium", "chromium-browser", "google-chrome")
            .flatMap(name -> Executables.find(name).stream())
            .findFirst();
    assumeTrue(program.isPresent(), MISSING);
    if (shared == null) {
      shared = start(program.get());
      Runtime.getRuntime().addShutdownHook(new Thread(shared::close, "browser-close"));
    }
    return shared;
  }

  private static Chromium start(Path program) {
    Path folder =
        Folders.create(Workspace.root().resolve("browser-" + UUID.randomUUID()).toAbsolutePath());
    List<String> command =
        List.of(
            program.toString(),
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--no-first-run",
            "--disable-extensions",
            "--disable-background-networking",
            "--hide-scrollbars",
            "--remote-debugging-port=0",
            "--user-data-dir=" + folder,
            "about:blank");
    File log = folder.resolve("log").toFile();
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log);
    try {
      Path temporary = Files.createTempDirectory("browser");
      builder.environment().put("TMPDIR", temporary.toString());
      Process process = Watchdog.launch(builder);
      return new Chromium(folder, temporary, process, port(folder, process));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** It writes its port into a file once it listens. */
  private static int port(Path folder, Process process) throws IOException {
    Path file = folder.resolve("DevToolsActivePort");
    long endNs = System.nanoTime() + START_LIMIT.toNanos();
    while (!Files.exists(file) || Files.readAllLines(file).size() < 2) {
      if (System.nanoTime() > endNs || !process.isAlive()) {
        process.destroyForcibly();
        throw new BackendException(
            "Chromium does not start: " + Files.readString(folder.resolve("log")));
      }
      pause();
    }
    return Integer.parseInt(Files.readAllLines(file).get(0));
  }

  private static void pause() {
    try {
      Thread.sleep(POLL_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BackendException("interrupted", e);
    }
  }

  /** A new tab of this size, in which nothing is shown yet. */
  public BrowserTab tab(int width, int height) {
    HttpRequest request =
        HttpRequest.newBuilder(address.resolve("/json/new?about:blank"))
            .method("PUT", HttpRequest.BodyPublishers.noBody())
            .build();
    try {
      String answer = http.send(request, BodyHandlers.ofString()).body();
      return new BrowserTab(http, answer, width, height);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BackendException("interrupted", e);
    }
  }

  private void close() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    process.onExit().join();
    Folders.delete(folder);
    Folders.delete(temporary);
  }
}
