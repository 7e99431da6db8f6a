package io.sluice.bench.load;

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
            args[4],
            Long.parseLong(args[5]),
            Integer.parseInt(args[6]));
    URI target = URI.create(volley.url());
    Heard heard = new LoadLoop(volley).run(target.getHost(), target.getPort());
    System.out.println(heard.line());
    System.exit(0);
  }
}
