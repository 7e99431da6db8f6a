package io.sluice.testkit.process;

import io.sluice.testkit.server.BackendException;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Kills the servers that this JVM started once the JVM has ended, for whatever reason.
 *
 * <p>A shell reads the process ids from a pipe. The kernel closes the pipe when the JVM ends, even
 * by {@code kill -9}; the shell then kills the processes still on its list. One shell serves all
 * servers of a JVM.
 */
public final class Watchdog {
  private static final String SCRIPT =
      """
      trap '' INT HUP TERM
      pids=''
      while read -r verb pid; do
        case $verb in
          watch) pids="$pids $pid" ;;
          forget)
            rest=''
            for p in $pids; do [ "$p" = "$pid" ] || rest="$rest $p"; done
            pids=$rest ;;
        esac
      done
      for p in $pids; do kill -9 "$p"; done
      """;

  private static Writer orders;

  private Watchdog() {}

  /**
   * Starts a process that ends with this JVM at the latest. Ctrl-C in the terminal does not reach
   * it.
   *
   * <p>It is put on the list before it begins, so that at no moment it could be left behind. Its
   * standard input is a pipe from this JVM.
   */
  public static synchronized Process launch(ProcessBuilder builder) throws IOException {
    if (orders == null) {
      orders = startShell();
    }
    List<String> command = new ArrayList<>(List.of("sh", "-c", "read -r go && exec \"$0\" \"$@\""));
    command.addAll(detached(builder.command()));
    Process process = builder.command(command).redirectInput(ProcessBuilder.Redirect.PIPE).start();
    order("watch", process);
    process.onExit().thenRun(() -> forget(process));
    process.getOutputStream().write("go\n".getBytes(StandardCharsets.US_ASCII));
    process.getOutputStream().flush();
    return process;
  }

  private static Writer startShell() throws IOException {
    Process shell =
        new ProcessBuilder(detached(List.of("sh", "-c", SCRIPT)))
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    return shell.outputWriter(StandardCharsets.US_ASCII);
  }

  private static synchronized void forget(Process process) {
    try {
      order("forget", process);
    } catch (IOException e) {
      throw new BackendException("the watchdog of the test servers is gone", e);
    }
  }

  private static void order(String verb, Process process) throws IOException {
    orders.write(verb + " " + process.pid() + "\n");
    orders.flush();
  }

  /** Each prefix becomes the command by exec, so the process id stays the command's own. */
  private static List<String> detached(List<String> command) {
    List<String> prefixed =
        new ArrayList<>(
            Executables.find("setsid")
                .map(setsid -> List.of(setsid.toString()))
                .orElse(List.of("sh", "-c", "trap '' INT; exec \"$0\" \"$@\"")));
    prefixed.addAll(command);
    return prefixed;
  }
}
