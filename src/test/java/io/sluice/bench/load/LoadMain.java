package io.sluice.bench.load;

import io.sluice.testkit.process.Affinity;
import java.net.URI;
import java.time.Duration;

/** Sends one volley from this process and prints the result on one line. */
public final class LoadMain {
  private LoadMain() {}

  /** Takes the fields of a {@link LoadSpec}, the length in milliseconds. */
  public static void main(String[] args) throws InterruptedException {
    LoadSpec volley =
        new LoadSpec(
            args[0],
            Integer.parseInt(args[1]),
            Duration.ofMillis(Long.parseLong(args[2])),
            Integer.parseInt(args[3]),
            Buyers.valueOf(args[4]),
            args[5],
            Long.parseLong(args[6]),
            Integer.parseInt(args[7]));
    int processor = Integer.getInteger("processor", -1);
    if (processor >= 0) {
      Affinity.bind(ProcessHandle.current().pid(), String.valueOf(processor));
    }
    URI target = URI.create(volley.url());
    Heard heard = new LoadLoop(volley).run(target.getHost(), target.getPort());
    System.out.println(heard.line());
    System.exit(0);
  }
}
