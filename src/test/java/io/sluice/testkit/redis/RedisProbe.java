package io.sluice.testkit.redis;

import io.sluice.testkit.server.Probe;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Asks a Redis for its version; it answers only when it has loaded its data. */
record RedisProbe(URI uri) implements Probe {
  private static final int TIMEOUT_MS = 1_000;
  private static final int DEFAULT_PORT = 6379;

  /** The exchange on one connection. */
  private interface Conversation<T> {
    T hold(OutputStream out, BufferedReader in) throws IOException;
  }

  @Override
  public String ask() throws IOException {
    return converse(
        (out, in) -> {
          send(out, "PING");
          expect(in.readLine(), "+PONG");
          send(out, "INFO server");
          return product(in);
        });
  }

  /** Sends one command and returns its answer, a simple or a bulk string. */
  String tell(String command) throws IOException {
    return converse(
        (out, in) -> {
          send(out, command);
          String first = in.readLine();
          if (first == null || first.startsWith("-")) {
            throw new IOException(command + " was answered with " + first);
          }
          if (!first.startsWith("$")) {
            return first;
          }
          // -1 is the length of no value.
          char[] text = new char[Math.max(0, Integer.parseInt(first.substring(1)))];
          int read = 0;
          while (read < text.length) {
            int more = in.read(text, read, text.length - read);
            if (more < 0) {
              throw new IOException("the answer to " + command + " ended early");
            }
            read += more;
          }
          return new String(text);
        });
  }

  /** Sends one command and returns its answer, an array of bulk strings. */
  List<String> listed(String who, String command) {
    return answered(
        who,
        command,
        () ->
            converse(
                (out, in) -> {
                  send(out, command);
                  String count = in.readLine();
                  if (count == null || !count.startsWith("*")) {
                    throw new IOException(command + " was answered with " + count);
                  }
                  List<String> all = new ArrayList<>();
                  for (int i = Integer.parseInt(count.substring(1)); i > 0; i--) {
                    in.readLine(); // its length
                    all.add(in.readLine());
                  }
                  return all;
                }));
  }

  /** The same, where nobody can do anything about its silence. */
  String told(String who, String command) {
    return answered(who, command, () -> tell(command));
  }

  private interface Answer<T> {
    T get() throws IOException;
  }

  private static <T> T answered(String who, String command, Answer<T> answer) {
    try {
      return answer.get();
    } catch (IOException e) {
      throw new UncheckedIOException(who + " did not answer " + command, e);
    }
  }

  private <T> T converse(Conversation<T> conversation) throws IOException {
    try (Socket socket = new Socket()) {
      int port = uri.getPort() < 0 ? DEFAULT_PORT : uri.getPort();
      socket.connect(new InetSocketAddress(uri.getHost(), port), TIMEOUT_MS);
      socket.setSoTimeout(TIMEOUT_MS);
      OutputStream out = socket.getOutputStream();
      var in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
      if (uri.getUserInfo() != null) {
        send(out, "AUTH " + uri.getUserInfo().replaceFirst("^:", "").replace(':', ' '));
        expect(in.readLine(), "+OK");
      }
      if (uri.getPath().length() > 1) {
        send(out, "SELECT " + uri.getPath().substring(1));
        expect(in.readLine(), "+OK");
      }
      return conversation.hold(out, in);
    }
  }

  private static String product(BufferedReader in) throws IOException {
    String redis = "Redis";
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      if (line.startsWith("-")) {
        throw new IOException("INFO was answered with " + line);
      } else if (line.startsWith("valkey_version:")) {
        return "Valkey " + line.substring(line.indexOf(':') + 1);
      } else if (line.startsWith("redis_version:")) {
        redis = "Redis " + line.substring(line.indexOf(':') + 1);
      } else if (line.startsWith("run_id:")) {
        return redis;
      }
    }
    throw new IOException("the answer to INFO ended early");
  }

  private static void send(OutputStream out, String command) throws IOException {
    out.write((command + "\r\n").getBytes(StandardCharsets.UTF_8));
  }

  private static void expect(String answer, String expected) throws IOException {
    if (!expected.equals(answer)) {
      throw new IOException("expected " + expected + ", but was " + answer);
    }
  }
}
