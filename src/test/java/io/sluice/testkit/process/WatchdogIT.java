package io.sluice.testkit.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kills a JVM and checks that none of its processes is left. */
class WatchdogIT {
  private static final int LIMIT_S = 20;
  private static final String STARTED = "started";
  private static final String ENDED = "ended";

  @Test
  void shouldEndTheServersWhenTheirJvmIsKilled(@TempDir Path folder) throws Exception {
    // given
    Path pipe = folder.resolve("pipe");
    new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor();
    Process jvm = startLauncher(pipe);
    BlockingQueue<String> heard = listen(pipe);
    assertThat(heard.poll(LIMIT_S, TimeUnit.SECONDS)).isEqualTo(STARTED);

    // when
    jvm.destroyForcibly();

    // then the pipe ends: no process that can write to it is left
    assertThat(heard.poll(LIMIT_S, TimeUnit.SECONDS)).isEqualTo(ENDED);
  }

  private static BlockingQueue<String> listen(Path pipe) {
    BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    Thread listener =
        new Thread(
            () -> {
              try (BufferedReader reader = Files.newBufferedReader(pipe)) {
                reader.lines().forEach(heard::add);
                heard.add(ENDED);
              } catch (IOException e) {
                heard.add(e.toString());
              }
            });
    listener.setDaemon(true);
    listener.start();
    return heard;
  }

  private static Process startLauncher(Path pipe) throws IOException {
    String classPath =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    return new ProcessBuilder(java, "-cp", classPath, Launcher.class.getName(), pipe.toString())
        .inheritIO()
        .start();
  }

  /** Launches a process that writes to the pipe, and waits to be killed. */
  public static final class Launcher {
    private Launcher() {}

    public static void main(String[] args) throws Exception {
      String writer = "echo " + STARTED + "; exec sleep 600";
      Watchdog.launch(
          new ProcessBuilder("sh", "-c", "exec > '" + args[0] + "'; " + writer).inheritIO());
      new CountDownLatch(1).await();
    }
  }
}
